#include "platform/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace hashrange {
namespace {

// Waits where the stream gave or took nothing because it does not wait. Returns false when it
// failed for another reason.
bool WaitedFor(int stream, short events) {
  if (errno != EAGAIN) return false;
  pollfd ready{.fd = stream, .events = events, .revents = 0};
  return ::poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

std::size_t ReadFromStream(int stream, std::span<char> room) {
  ssize_t bytes = 0;
  do {
    bytes = ::read(stream, room.data(), room.size());
  } while (bytes < 0 && (errno == EINTR || WaitedFor(stream, POLLIN)));
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

bool WriteToStream(int stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(stream, text.data(), text.size());
    if (written < 0 && (errno == EINTR || WaitedFor(stream, POLLOUT))) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool IsWritable(int stream) {
  const int flags = ::fcntl(stream, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void CloseStream(int stream) {
  const int nowhere = stream <= STDERR_FILENO ? ::open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
  if (nowhere < 0) {
    ::close(stream);
    return;
  }
  ::dup2(nowhere, stream);
  ::close(nowhere);
}

int TakeStdout() {
  const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (output >= 0) ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

bool StdoutIsTerminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool StderrIsTerminal() { return ::isatty(STDERR_FILENO) == 1; }

std::optional<std::size_t> StdoutColumns() {
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? std::optional<std::size_t>(size.ws_col) : std::nullopt;
}

}  // namespace hashrange
