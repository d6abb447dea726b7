// FileBounds: which files a seed reads and a dump writes: any that this program may, or those below
// some folders alone. Within bounds links are followed as long as they stay inside; what is opened
// is looked at once more after it was, so that nobody gains by exchanging a folder for a link
// meanwhile. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hashrange {

class FileBounds {
 public:
  FileBounds() = default;  // any file
  // `folders`: absolute, without links, as ResolveFolder gives them. None: no file at all.
  explicit FileBounds(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  bool are_set() const { return folders_.has_value(); }

  // `path` as an absolute one without links, as far as it exists. None when it is outside.
  std::optional<std::filesystem::path> Resolve(const std::filesystem::path& path) const;

  // Descriptors; −1, and the reason in errno, which is EACCES for what is outside.
  int OpenForReading(const std::filesystem::path& path) const;
  // Makes the file, or empties it. Within bounds it is a new file, whatever was there before.
  int Create(const std::filesystem::path& path) const;

  // False, and errno, when it cannot be made, as one that is there already.
  bool MakeFolder(const std::filesystem::path& path) const;
  // Of a file, or an empty folder. False, and errno, when it is still there.
  bool Remove(const std::filesystem::path& path) const;
  // Within one folder.
  bool Rename(const std::filesystem::path& from, const std::filesystem::path& to) const;

 private:
  bool Contains(const std::filesystem::path& resolved) const;
  bool ContainsOpened(int descriptor) const;
  int OpenParentFolder(const std::filesystem::path& path) const;

  std::optional<std::vector<std::string>> folders_;  // none: any file
};

// The folder as an absolute path without links. None: there is no such folder.
std::optional<std::string> ResolveFolder(const std::string& folder);

}  // namespace hashrange
