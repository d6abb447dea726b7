#include "mcp/lab_argument.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "lab/file/lab_reader.h"

namespace hashrange {
namespace {

constexpr std::uintmax_t kMostBytes = 16 << 20;

Result<std::string> ReadLabText(const std::string& path) {
  std::error_code why;
  if (std::filesystem::exists(path, why) && !std::filesystem::is_regular_file(path, why)) {
    return ValidationError("cannot read " + path + ": it is no file");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, why);
  if (why) return ValidationError("cannot read " + path + ": " + why.message());
  if (size > kMostBytes) return ValidationError(path + " is longer than 16 MiB");
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) {
    return ValidationError("cannot read " + path);
  }
  return text;
}

}  // namespace

Status CheckIsStored(const std::string& path) {
  namespace files = std::filesystem;
  std::error_code why;
  const files::file_status status = files::status(path, why);
  if (status.type() == files::file_type::not_found || status.type() == files::file_type::none) {
    return ValidationError("cannot read " + path + ": " + why.message());
  }
  if (files::is_regular_file(status)) return {};
  if (!files::is_directory(status)) {
    return ValidationError("cannot read " + path + ": it is no file and no folder");
  }
  files::directory_iterator entry(path, why);
  for (; !why && entry != files::directory_iterator(); entry.increment(why)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown) || entry->is_directory(unknown)) continue;
    return ValidationError("cannot read " + entry->path().string() +
                           ": it is no file and no folder");
  }
  if (why) return ValidationError("cannot read " + path + ": " + why.message());
  return {};
}

Result<LabFile> ReadLabArgument(const ToolArguments& arguments) {
  const auto path = arguments.Text(kLabPathArgument.name);
  const auto text = arguments.Text(kLabTextArgument.name);
  if (path.has_value() == text.has_value()) {
    return ValidationError("give either \"path\" or \"lab\", the text of a lab file");
  }
  if (text) return ReadLabFile(*text, "lab");
  HR_ASSIGN(const std::string read, ReadLabText(std::string(*path)));
  return ReadLabFile(read, std::string(*path));
}

}  // namespace hashrange
