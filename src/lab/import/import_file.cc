#include "lab/import/import_file.h"

#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file_text.h"
#include "lab/import/lab_import.h"

namespace hashrange {
namespace {

constexpr std::string_view kStdinName = "-";

std::string MegabytesText(std::size_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

}  // namespace

Result<ImportFile> OpenImportFile(const std::string& name) {
  ImportFile file;
  file.is_stdin = name == kStdinName;
  file.name = file.is_stdin ? "stdin" : name;
  std::error_code error;
  file.is_folder = std::filesystem::is_directory(name, error);
  if (file.is_folder) return file;
  const auto bytes = std::filesystem::file_size(name, error);
  if (!error && bytes > kMostItemBytes) {
    return ValidationError(name + " has more than " + MegabytesText(kMostItemBytes) +
                           "; a part of the items is enough to see the templates of their keys");
  }
  if (!error && bytes > kMaxFileTextBytes) {
    file.why_no_json = "it has more than " + MegabytesText(kMaxFileTextBytes);
    return file;
  }
  HR_ASSIGN(std::string text, file.is_stdin ? ReadStdinText() : ReadFileText(name));
  const std::size_t size = text.size();
  text.push_back('\0');
  file.bytes = size;
  file.text = std::make_unique<std::string>(std::move(text));
  file.arena = std::make_unique<Arena>();
  const auto json =
      ParseJsonData(std::span<char>(file.text->data(), size), JsonDialect::kRequest, *file.arena);
  if (json.ok()) {
    file.json = *json;
  } else {
    file.why_no_json = json.error().message;
  }
  return file;
}

}  // namespace hashrange
