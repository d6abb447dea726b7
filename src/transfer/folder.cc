#include "transfer/folder.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace hashrange {

Result<std::vector<std::string>> NamesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  while (!error && entries != std::filesystem::directory_iterator()) {
    names.push_back(entries->path().filename().string());
    entries.increment(error);
  }
  if (error) {
    return About(folder.string(), ValidationError("it cannot be read: " + error.message()));
  }
  std::ranges::sort(names);
  return names;
}

bool IsFolder(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool IsThere(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

Error About(std::string_view file, Error error) {
  error.message = std::string(file).append(": ").append(error.message);
  return error;
}

}  // namespace hashrange
