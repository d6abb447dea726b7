// The part of platform/files.h that opens and reads files, where there are none: it fails with
// ENOSYS.
#include <cerrno>

#include "platform/files.h"

namespace hashrange {
namespace {

// Returns an empty T: a closed Descriptor, or nothing.
template <typename T>
T Unreadable() {
  errno = ENOSYS;
  return T();
}

}  // namespace

Descriptor::~Descriptor() = default;

Descriptor OpenForReading(const std::string&, PipeWaits) { return Unreadable<Descriptor>(); }
std::optional<std::size_t> ReadSome(int, std::span<char>) {
  return Unreadable<std::optional<std::size_t>>();
}
std::FILE* ReadableFile(Descriptor) { return Unreadable<std::FILE*>(); }
std::optional<std::int64_t> SizeOfFile(int) { return Unreadable<std::optional<std::int64_t>>(); }
std::optional<std::vector<std::string>> NamesInFolder(const std::string&) {
  return Unreadable<std::optional<std::vector<std::string>>>();
}

}  // namespace hashrange
