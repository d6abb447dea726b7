#include "store/files/format_file.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text/parse_whole.h"
#include "store/files/file_names.h"

namespace hashrange {
namespace {

constexpr std::string_view kFormatFileStart = "hashrange data\nformat ";
constexpr std::string_view kNewLine = "new\n";

// Names that say nothing about a directory: the directories themselves, what a file system keeps in
// its root, and our own files but the one that counts.
bool IsOfNoAccount(std::string_view name) {
  return name == "." || name == ".." || name == "lost+found" ||
         (name.starts_with(kFormatFileName) && name != kFormatFileName);
}

// Returns whether the file says that there is no LevelDB yet.
Result<bool> ReadFormat(Disk& disk, const std::string& directory) {
  const std::string path = PathIn(directory, kFormatFileName);
  std::string text;
  const leveldb::Status status = leveldb::ReadFileToString(&disk, path, &text);
  if (!status.ok()) return ValidationError("cannot read " + path + ": " + status.ToString());
  const bool is_new = text.ends_with("\n" + std::string(kNewLine));
  if (is_new) text.resize(text.size() - kNewLine.size());
  if (!text.starts_with(kFormatFileStart) || !text.ends_with('\n')) {
    return InternalError(path + " is damaged");
  }
  text.pop_back();
  const int format = ParseWhole<int>(text.substr(kFormatFileStart.size())).value_or(0);
  if (format < 1) return InternalError(path + " is damaged");
  if (format > kStoreFormat) {
    return ValidationError(directory + " has format " + std::to_string(format) +
                           ", which a newer version of Hashrange has written; this version reads " +
                           "format " + std::to_string(kStoreFormat));
  }
  return is_new;
}

}  // namespace

Result<DirectoryContent> InspectDirectory(Disk& disk, const std::string& directory) {
  std::vector<std::string> names;
  const leveldb::Status status = disk.GetChildren(directory, &names);
  if (status.IsNotFound()) return DirectoryContent::kNone;
  if (!status.ok()) return ValidationError("cannot read " + directory + ": " + status.ToString());
  std::erase_if(names, IsOfNoAccount);
  if (names.empty()) return DirectoryContent::kEmpty;
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!has(kFormatFileName)) {
    return ValidationError(directory + " is not a data directory of Hashrange, or an unfinished " +
                           "one: it has files, but no file " + std::string(kFormatFileName));
  }
  HR_ASSIGN(const bool is_new, ReadFormat(disk, directory));
  if (has(kCurrentFileName)) return DirectoryContent::kData;
  for (const std::string& name : names) {
    const auto parsed = ParseStoreFileName(name);
    // LevelDB makes these after CURRENT.
    if (!parsed || parsed->kind == StoreFileKind::kManifest) continue;
    if (parsed->kind != StoreFileKind::kTemporary) {
      return InternalError(PathIn(directory, kCurrentFileName) + " is missing");
    }
  }
  if (is_new) return DirectoryContent::kNew;
  return InternalError(directory + " has lost its data: it has nothing but the file " +
                       std::string(kFormatFileName));
}

Status WriteFormatFile(Disk& disk, const std::string& directory, bool is_new) {
  const std::string path = PathIn(directory, kFormatFileName);
  std::string text = std::string(kFormatFileStart) + std::to_string(kStoreFormat) + "\n";
  if (is_new) text += kNewLine;
  std::string stored;
  if (leveldb::ReadFileToString(&disk, path, &stored).ok() && stored == text) return {};
  return ToStatus(ReplaceFile(disk, path, text), "cannot write " + path);
}

}  // namespace hashrange
