#include "control/files/folder.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace hashrange {

Result<std::vector<std::string>> EntryNamesIn(const std::filesystem::path& folder) {
  // std::filesystem's iterator ends the program when it runs out of memory.
  errno = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  std::vector<std::string> names;
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) {
    const std::string why = std::generic_category().message(errno);
    return WithFileName(folder.string(), ValidationError("it cannot be read: " + why));
  }
  std::ranges::sort(names);
  return names;
}

bool IsFolder(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool PathExists(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

Error WithFileName(std::string_view file, Error error) {
  error.message = std::string(file).append(": ").append(error.message);
  return error;
}

}  // namespace hashrange
