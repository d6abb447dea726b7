// The names of the files in a data directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

// The file that says that the directory is ours and which format it has, and the file that the
// server which uses the directory holds locked.
inline constexpr std::string_view kFormatFileName = "HASHRANGE";
inline constexpr std::string_view kLockFileName = "HASHRANGE.lock";
// The file that says how far the logs are on the disk (store/files/log_ends.h).
inline constexpr std::string_view kLogEndsFileName = "HASHRANGE.logs";
// LevelDB's file that names the manifest in force.
inline constexpr std::string_view kCurrentFileName = "CURRENT";

// The files of LevelDB that have numbers.
enum class StoreFileKind { kLog, kManifest, kTable, kTemporary };
struct StoreFileName {
  StoreFileKind kind = StoreFileKind::kLog;
  std::uint64_t number = 0;
};

// Returns what the name of a file, or the end of a path, says: "000005.log", "MANIFEST-000002",
// "000007.ldb", "000002.dbtmp". None for any other name.
std::optional<StoreFileName> ParseStoreFileName(std::string_view path);
// Returns the name of a log: "000005.log".
std::string LogFileName(std::uint64_t number);

// Returns the path of a file in the directory.
std::string PathIn(const std::string& directory, std::string_view name);
// Returns the directory of a file; "." if the path has none.
std::string DirectoryOf(const std::string& path);
// Returns the path of a directory without slashes at its end.
std::string WithoutEndSlash(std::string path);

// Returns the part of the path behind its last "/".
std::string_view NameInPath(std::string_view path);

}  // namespace hashrange
