// Open files and folders, as numbers of the system; no name is followed through a link unless a
// function says so. What base/output_folder.h promises about files of other users is built of these
// functions.
//
// A function that fails returns nothing, false or a closed Descriptor, and errno says why. Any
// thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hashrange {

// A descriptor that is closed at the end of its scope. Closing keeps errno.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

enum class FileKind : std::uint8_t { kFile, kFolder, kLink, kPipe, kNullDevice, kOther };

struct FileFacts {
  FileKind kind = FileKind::kOther;
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
  std::uint32_t mode = 0;  // the twelve bits of rights: 0755
  bool group_may_write = false;
  bool others_may_write = false;
  bool is_sticky = false;
  std::uint64_t names = 0;  // how many the file has
  // Two files with the same numbers are one.
  std::uint64_t file_number = 0;
  std::uint64_t device_number = 0;
};

std::optional<FileFacts> FactsOf(int descriptor);
std::optional<FileFacts> FactsIn(int folder, const std::string& name);

// Returns whether users other than the owner have the right to read the file to which a path leads.
bool OthersMayRead(const std::string& path);

// The user whose rights the program has.
std::uint32_t EffectiveUser();

// ---- opening ----

// A place: a folder that is used only to find names in it.
Descriptor OpenRootPlace();
Descriptor OpenCurrentPlace();
// Opens what the name is, of any kind, as a place.
Descriptor OpenPlaceIn(int folder, const std::string& name);
// Opens the folder to which the name leads: a link is followed.
Descriptor FollowPlaceIn(int folder, const std::string& name);

// Makes a file that was not there and opens it for writing. Nobody but the program's user may read
// or write it, whatever the umask.
Descriptor CreateFileIn(int folder, const std::string& name);
// Opens for reading and writing, without waiting for the other side of a pipe.
Descriptor OpenFileIn(int folder, const std::string& name);
// Opens for appending.
Descriptor OpenStreamIn(int folder, const std::string& name);
// The same for a path, whose links are followed.
Descriptor OpenStream(const std::string& path);

// Whether opening a pipe for reading waits for its writer.
enum class PipeWaits : bool { kNo, kYes };
// Opens a path for reading, or to change a file that is there; links are followed.
Descriptor OpenForReading(const std::string& path, PipeWaits waits);
Descriptor OpenForWriting(const std::string& path);

// ---- reading, writing, names ----

inline constexpr int kStdin = 0, kStdout = 1, kStderr = 2;

// Returns how many bytes were read; 0 at the end.
std::optional<std::size_t> ReadSome(int descriptor, std::span<char> room);
// Returns whether all of the text was written.
bool WriteAll(int descriptor, std::string_view text);
// Turns a descriptor into a file of the C library, which closes it; null when it fails.
std::FILE* ReadableFile(Descriptor descriptor);
// Returns the size of an open file in bytes.
std::optional<std::int64_t> SizeOfFile(int descriptor);
// Cuts an open file to a size, and goes on writing at its end.
bool CutOpenFile(int descriptor, std::int64_t size_bytes);
bool FlushFile(int descriptor);
// Flushes the names in a folder. A file system without such a flush is no failure.
bool FlushFolder(int folder);

// Makes a folder, which nobody but the program's user may use, whatever the umask. errno is EEXIST
// when the name is taken.
bool MakeFolderIn(int folder, const std::string& name);
bool RenameIn(int folder, const std::string& from, const std::string& to);
bool RemoveFileIn(int folder, const std::string& name);
bool RemoveFolderIn(int folder, const std::string& name);
// Returns whether the program may make files in the folder.
bool MayMakeFilesIn(int folder);

// Returns where an open link (OpenPlaceIn) leads. errno is ELOOP when the text is too long.
std::optional<std::string> TargetOfLink(int link);
// Returns the path that the system has for an open file or folder.
std::optional<std::string> PathOfOpen(int descriptor);
// Returns whether the names in an open folder belong to the system's own file system of
// processes, whose links are what the process has opened.
bool IsOfProcesses(int folder);

// Returns the names of the files and folders in a folder, in no order. Throws std::bad_alloc only.
std::optional<std::vector<std::string>> NamesInFolder(const std::string& path);

// ---- locks and room ----

// Locks an open file for this descriptor alone. Returns false when another one has it locked.
bool LockFile(int descriptor);
// Returns whether another process holds a lock of records (fcntl) on the open file.
bool IsLockedByOther(int descriptor);
// Returns how many bytes this program may still write to the file system of the folder.
std::optional<std::uint64_t> FreeBytes(const std::string& folder);

}  // namespace hashrange
