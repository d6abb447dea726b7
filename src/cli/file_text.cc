#include "cli/file_text.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace hashrange {

Result<std::string> ReadFileText(const std::string& name) {
  const auto complaint = [&name](const std::error_code& why) {
    return ValidationError("cannot read " + name + ": " + why.message());
  };
  std::error_code none;
  // A directory can be opened as a file, and has no content then.
  if (std::filesystem::is_directory(name, none)) {
    return complaint(std::make_error_code(std::errc::is_a_directory));
  }
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  if (!file) return complaint({errno, std::generic_category()});
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return complaint({errno, std::generic_category()});
  return text;
}

}  // namespace hashrange
