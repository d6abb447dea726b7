#include "control/files/file_bounds.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/output_folder.h"
#include "platform/files.h"

namespace hashrange {
namespace {

// Returns whether a resolved path still contains a link. Such a link leads to nothing that exists.
bool HasLink(fs::path path) {
  std::error_code error;
  for (; path.has_relative_path(); path = path.parent_path()) {
    if (fs::is_symlink(fs::symlink_status(path, error))) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> ResolveFolder(const std::string& folder) {
  std::error_code error;
  const fs::path resolved = fs::canonical(folder, error);
  if (error || !fs::is_directory(resolved, error)) return std::nullopt;
  return resolved.string();
}

bool FileBounds::Contains(const fs::path& resolved) const {
  const std::string below = resolved.string();
  return std::ranges::any_of(*folders_, [&below](const std::string& folder) {
    return below.starts_with(folder) &&
           (below.size() == folder.size() || folder.ends_with('/') || below[folder.size()] == '/');
  });
}

std::optional<fs::path> FileBounds::Resolve(const fs::path& path) const {
  std::error_code error;
  fs::path resolved = fs::absolute(path, error);
  if (error) return std::nullopt;
  resolved = fs::weakly_canonical(resolved, error);
  if (error) return std::nullopt;
  if (!resolved.has_filename()) resolved = resolved.parent_path();
  if (are_set() && (!Contains(resolved) || HasLink(resolved))) return std::nullopt;
  return resolved;
}

bool FileBounds::AllowsOpened(int descriptor) const {
  if (!are_set()) return true;
  const auto opened = PathOfOpen(descriptor);
  if (opened && Contains(*opened)) return true;
  errno = EACCES;
  return false;
}

int FileBounds::OpenForReading(const fs::path& path) const {
  // Opening or reading some files of the system would wait otherwise.
  Descriptor file = hashrange::OpenForReading(path.string(), PipeWaits::kNo);
  return file.is_open() && AllowsOpened(file.number()) ? file.Release() : -1;
}

}  // namespace hashrange
