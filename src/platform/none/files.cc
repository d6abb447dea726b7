// No files are made or changed: whatever is asked fails with ENOSYS, whose text is the reason that
// people read. The rooms reading and unreadable have what reads files.
#include "platform/files.h"

#include <cerrno>

namespace hashrange {
namespace {

// Returns an empty T: a closed Descriptor, nothing, false.
template <typename T>
T Failed() {
  errno = ENOSYS;
  return T();
}

}  // namespace

std::optional<FileFacts> FactsOf(int) { return Failed<std::optional<FileFacts>>(); }
std::optional<FileFacts> FactsIn(int, const std::string&) {
  return Failed<std::optional<FileFacts>>();
}
bool OthersMayRead(const std::string&) { return false; }
std::uint32_t EffectiveUser() { return 0; }

Descriptor OpenRootPlace() { return Failed<Descriptor>(); }
Descriptor OpenCurrentPlace() { return Failed<Descriptor>(); }
Descriptor OpenPlaceIn(int, const std::string&) { return Failed<Descriptor>(); }
Descriptor FollowPlaceIn(int, const std::string&) { return Failed<Descriptor>(); }
Descriptor CreateFileIn(int, const std::string&) { return Failed<Descriptor>(); }
Descriptor OpenFileIn(int, const std::string&) { return Failed<Descriptor>(); }
Descriptor OpenStreamIn(int, const std::string&) { return Failed<Descriptor>(); }
Descriptor OpenStream(const std::string&) { return Failed<Descriptor>(); }
Descriptor OpenForWriting(const std::string&) { return Failed<Descriptor>(); }

bool WriteAll(int, std::string_view) { return Failed<bool>(); }
bool CutOpenFile(int, std::int64_t) { return Failed<bool>(); }
bool FlushFile(int) { return Failed<bool>(); }
bool FlushFolder(int) { return Failed<bool>(); }

bool MakeFolderIn(int, const std::string&) { return Failed<bool>(); }
bool RenameIn(int, const std::string&, const std::string&) { return Failed<bool>(); }
bool RemoveFileIn(int, const std::string&) { return Failed<bool>(); }
bool RemoveFolderIn(int, const std::string&) { return Failed<bool>(); }
bool MayMakeFilesIn(int) { return Failed<bool>(); }

std::optional<std::string> TargetOfLink(int) { return Failed<std::optional<std::string>>(); }
std::optional<std::string> PathOfOpen(int) { return Failed<std::optional<std::string>>(); }
bool IsOfProcesses(int) { return false; }

bool LockFile(int) { return Failed<bool>(); }
bool IsLockedByOther(int) { return false; }
std::optional<std::uint64_t> FreeBytes(const std::string&) {
  return Failed<std::optional<std::uint64_t>>();
}

}  // namespace hashrange
