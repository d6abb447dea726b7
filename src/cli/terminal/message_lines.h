// MessageLines: the lines of stdin, of bounded length. Used by one thread.
#pragma once

#include <cstddef>
#include <string>

namespace hashrange {

class MessageLines {
 public:
  enum class Kind {
    kLine,  // `*line` is the next line, without its line end
    kLong,  // the next line was longer than the bound, and is dropped
    kEnd    // the input has ended
  };

  // Reads the descriptor `input`, which stays open.
  MessageLines(int input, std::size_t most_bytes) : input_(input), most_bytes_(most_bytes) {}

  // Waits for the next line. The last line needs no line end.
  Kind Next(std::string* line);

 private:
  // Waits for more bytes. Returns false when the input has ended.
  bool ReadMore();
  Kind TakeLine(std::size_t size, std::size_t with_end, std::string* line);

  const int input_;
  const std::size_t most_bytes_;
  std::string bytes_;         // what was read, and belongs to no line yet
  std::size_t searched_ = 0;  // how many of these have no line end
  bool is_skipping_ = false;  // the line is too long already
};

}  // namespace hashrange
