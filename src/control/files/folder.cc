#include "control/files/folder.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/stable_sort.h"
#include "platform/files.h"

namespace hashrange {

Result<std::vector<std::string>> EntryNamesIn(const fs::path& folder) {
  auto names = NamesInFolder(folder.string());
  if (!names) {
    const std::string why = std::generic_category().message(errno);
    return WithFileName(folder.string(), ValidationError("it cannot be read: " + why));
  }
  StableSort(*names);
  return std::move(*names);
}

bool IsFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool PathExists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Error WithFileName(std::string_view file, Error error) {
  error.message = std::string(file).append(": ").append(error.message);
  return error;
}

}  // namespace hashrange
