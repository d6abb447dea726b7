#include "cli/terminal/message_lines.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace hashrange {
namespace {

// Waits for bytes where the last read gave none because the descriptor does not block, as a parent
// may have set it. Returns false when it failed for another reason.
bool WaitedFor(int input) {
  if (errno != EAGAIN) return false;
  pollfd readable{.fd = input, .events = POLLIN, .revents = 0};
  return ::poll(&readable, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

bool MessageLines::ReadMore() {
  constexpr std::size_t kPieceBytes = 64 << 10;
  const std::size_t size = bytes_.size();
  bytes_.resize(size + kPieceBytes);
  ssize_t read = 0;
  do {
    read = ::read(input_, bytes_.data() + size, kPieceBytes);
  } while (read < 0 && (errno == EINTR || WaitedFor(input_)));
  bytes_.resize(size + static_cast<std::size_t>(read > 0 ? read : 0));
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
