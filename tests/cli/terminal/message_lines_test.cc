#include "cli/terminal/message_lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

namespace hashrange {
namespace {

// Returns the lines of a text that is written in pieces: "a|b|<long>|".
std::string LinesOf(std::string_view text, std::size_t piece, std::size_t most = 8) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < text.size(); at += piece) {
      const std::string_view part = text.substr(at, piece);
      EXPECT_EQ(::write(ends[1], part.data(), part.size()), static_cast<ssize_t>(part.size()));
    }
    ::close(ends[1]);
  });
  MessageLines lines(ends[0], most);
  std::string all, line;
  while (true) {
    const MessageLines::Kind kind = lines.Next(&line);
    if (kind == MessageLines::Kind::kEnd) break;
    all += (kind == MessageLines::Kind::kLong ? "<long>" : line) + "|";
  }
  writer.join();
  ::close(ends[0]);
  return all;
}

TEST(MessageLines, LinesEndAtTheirEnds) {
  for (const std::size_t piece : {1u, 3u, 1000u}) {
    EXPECT_EQ(LinesOf("a\nbc\n\nd", piece), "a|bc||d|");
    EXPECT_EQ(LinesOf("", piece), "");
    EXPECT_EQ(LinesOf("\n", piece), "|");
  }
}

TEST(MessageLines, AnInputThatDoesNotBlockIsWaitedFor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::write(ends[1], "a\n", 2), 2);
    ::close(ends[1]);
  });
  MessageLines lines(ends[0], 8);
  std::string line;
  EXPECT_EQ(lines.Next(&line), MessageLines::Kind::kLine);
  EXPECT_EQ(line, "a");
  EXPECT_EQ(lines.Next(&line), MessageLines::Kind::kEnd);
  writer.join();
  ::close(ends[0]);
}

TEST(MessageLines, ALongLineIsDropped) {
  for (const std::size_t piece : {1u, 3u, 1000u}) {
    EXPECT_EQ(LinesOf("12345678\n123456789\nx\n", piece), "12345678|<long>|x|");
    EXPECT_EQ(LinesOf(std::string(100, 'a') + "\nb", piece), "<long>|b|");
    EXPECT_EQ(LinesOf(std::string(100, 'a'), piece), "<long>|");
  }
}

TEST(MessageLines, ALongLineTakesNoMemory) {
  EXPECT_EQ(LinesOf(std::string(5'000'000, 'a') + "\nb\n", 4096), "<long>|b|");
}

}  // namespace
}  // namespace hashrange
