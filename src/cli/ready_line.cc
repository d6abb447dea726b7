#include "cli/ready_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "cli/terminal/program_output.h"

namespace hashrange {
namespace {

bool WriteToDescriptor(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Closes the descriptor; a standard descriptor is redirected to /dev/null instead. If it were
// closed, the next socket would get its number, and the program would print to a client.
void Close(int descriptor) {
  const int nowhere = descriptor <= STDERR_FILENO ? ::open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
  if (nowhere < 0) {
    ::close(descriptor);
    return;
  }
  ::dup2(nowhere, descriptor);
  ::close(nowhere);
}

}  // namespace

bool IsWritable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

bool WriteReadyLine(int descriptor, const std::string& endpoint, std::uint16_t port) {
  const std::string line = WrittenJson([&](JsonWriter& writer) {
    writer.BeginObject();
    writer.StringMember("endpoint", endpoint);
    writer.IntegerMember("port", port);
    writer.IntegerMember("pid", ::getpid());
    writer.EndObject();
  });
  const bool is_written = WriteToDescriptor(descriptor, line + "\n");
  Close(descriptor);
  return is_written;
}

}  // namespace hashrange
