#include "mcp/lab_argument.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "base/file_text.h"
#include "lab/language/lab_reader.h"

namespace hashrange {
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
  HR_ASSIGN(const std::string read,
            ReadFileText(std::string(*path), kMaxFileTextBytes, FileKinds::kFile));
  return ReadLabFile(read, std::string(*path));
}

}  // namespace hashrange
