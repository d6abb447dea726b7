#include "lab/import/import_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "lab/import/lab_import.h"

namespace hashrange {
namespace {

Error CannotRead(const std::string& name, const std::error_code& why) {
  return ValidationError("cannot read " + name + ": " + why.message());
}

constexpr std::string_view kStdinName = "-";

std::string MegabytesText(std::size_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

// Returns the text, of which one byte more than a measurement may have is read.
std::string ReadSome(std::istream& stream) {
  std::string text;
  char block[1 << 16];
  while (text.size() <= kMostMeasurementBytes && stream) {
    stream.read(block, sizeof(block));
    text.append(block, static_cast<std::size_t>(stream.gcount()));
  }
  return text;
}

Result<std::string> ReadSomeOf(const std::string& name) {
  if (name == kStdinName) return ReadSome(std::cin);
  errno = 0;
  std::ifstream stream(name, std::ios::binary);
  if (!stream) return CannotRead(name, {errno, std::generic_category()});
  std::string text = ReadSome(stream);
  if (stream.bad()) return CannotRead(name, {errno, std::generic_category()});
  return text;
}

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
  HR_ASSIGN(std::string text, ReadSomeOf(name));
  if (text.size() > kMostMeasurementBytes) {
    file.why_no_json = "it has more than " + MegabytesText(kMostMeasurementBytes);
    return file;
  }
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
