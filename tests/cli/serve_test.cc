// Tests the line for the starter of the server, through a pipe.
#include "cli/serve.h"
#include "platform/streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

namespace hashrange {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() { CloseReader(); }

  int writer() const { return ends_[1]; }
  void CloseReader() {
    if (ends_[0] >= 0) ::close(ends_[0]);
    ends_[0] = -1;
  }
  std::string ReadToTheEnd() {
    std::string text;
    char bytes[256];
    for (ssize_t count; (count = ::read(ends_[0], bytes, sizeof(bytes))) > 0;) {
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(ReadyLine, IsOneLineOfJsonBeforeTheEnd) {
  Pipe pipe;
  ASSERT_TRUE(WriteReadyLine(pipe.writer(), "http://127.0.0.1:43211", 43211));
  EXPECT_EQ(pipe.ReadToTheEnd(), R"({"endpoint":"http://127.0.0.1:43211","port":43211,"pid":)" +
                                     std::to_string(::getpid()) + "}\n");
  EXPECT_FALSE(IsWritable(pipe.writer()));
}

TEST(ReadyLine, AStandardDescriptorIsDevNullAfterwards) {
  Pipe pipe;
  const int saved = ::dup(STDOUT_FILENO);
  ASSERT_EQ(::dup2(pipe.writer(), STDOUT_FILENO), STDOUT_FILENO);
  ::close(pipe.writer());
  const bool is_told = WriteReadyLine(STDOUT_FILENO, "http://127.0.0.1:1", 1);
  const bool is_writable = IsWritable(STDOUT_FILENO);
  const ssize_t written = ::write(STDOUT_FILENO, "x", 1);
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  EXPECT_TRUE(is_told && is_writable);
  EXPECT_EQ(written, 1);
  EXPECT_TRUE(pipe.ReadToTheEnd().ends_with("}\n"));
}

TEST(ReadyLine, APipeWithoutAReaderIsAnError) {
  signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.CloseReader();
  EXPECT_FALSE(WriteReadyLine(pipe.writer(), "http://127.0.0.1:1", 1));
}

TEST(ReadyLine, OnlyDescriptorsOpenForWritingAreAccepted) {
  EXPECT_FALSE(IsWritable(-1));
  EXPECT_FALSE(IsWritable(1'000'000));
  const int reads = ::open("/dev/null", O_RDONLY);
  EXPECT_FALSE(IsWritable(reads));
  ::close(reads);
  const int writes = ::open("/dev/null", O_WRONLY);
  EXPECT_TRUE(IsWritable(writes));
  ::close(writes);
}

}  // namespace
}  // namespace hashrange
