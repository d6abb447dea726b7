#include "cli/terminal/message_lines.h"

#include <utility>

#include "platform/streams.h"

namespace hashrange {
bool MessageLines::ReadMore() {
  constexpr std::size_t kPieceBytes = 64 << 10;
  const std::size_t size = bytes_.size();
  bytes_.resize(size + kPieceBytes);
  const std::size_t read = ReadFromStream(input_, {bytes_.data() + size, kPieceBytes});
  bytes_.resize(size + read);
  return read > 0;
}

MessageLines::Kind MessageLines::TakeLine(std::size_t size, std::size_t with_end,
                                          std::string* line) {
  const bool is_long = std::exchange(is_skipping_, false) || size > most_bytes_;
  if (!is_long) line->assign(bytes_, 0, size);
  bytes_.erase(0, with_end);
  searched_ = 0;
  return is_long ? Kind::kLong : Kind::kLine;
}

MessageLines::Kind MessageLines::Next(std::string* line) {
  while (true) {
    const std::size_t end = bytes_.find('\n', searched_);
    if (end != std::string::npos) return TakeLine(end, end + 1, line);
    searched_ = bytes_.size();
    if (bytes_.size() > most_bytes_) {
      is_skipping_ = true;
      bytes_.clear();
      searched_ = 0;
    }
    if (ReadMore()) continue;
    if (bytes_.empty() && !is_skipping_) return Kind::kEnd;
    return TakeLine(bytes_.size(), bytes_.size(), line);
  }
}

}  // namespace hashrange
