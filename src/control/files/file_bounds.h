// FileBounds says which files a seed may read and a dump may write: any file that this program may
// access, or only files below some folders. With bounds, links are followed as long as they stay
// inside. A file is checked once more after it was opened: a folder that was replaced by a link in
// between gives no access. Any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file_path.h"

namespace hashrange {

class FileBounds {
 public:
  FileBounds() = default;  // any file
  // `folders` are absolute paths without links, as ResolveFolder returns them. With an empty list
  // no file is allowed.
  explicit FileBounds(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  bool are_set() const { return folders_.has_value(); }

  // Returns `path` as an absolute path, without links as far as it exists; nullopt when it cannot
  // be resolved. With bounds also nullopt when it is outside of the bounds, or contains a link that
  // leads to nothing.
  std::optional<fs::path> Resolve(const fs::path& path) const;

  // Opens a file. Returns the descriptor; on failure −1, with the reason in errno: EACCES for a
  // path outside of the bounds.
  int OpenForReading(const fs::path& path) const;

  // Returns whether an open file or folder is inside of the bounds, whatever path it was opened by.
  // Otherwise errno is EACCES.
  bool AllowsOpened(int descriptor) const;

 private:
  bool Contains(const fs::path& resolved) const;

  std::optional<std::vector<std::string>> folders_;  // nullopt: any file
};

// Returns the folder as an absolute path without links; nullopt: there is no such folder.
std::optional<std::string> ResolveFolder(const std::string& folder);

}  // namespace hashrange
