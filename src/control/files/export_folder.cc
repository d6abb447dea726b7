#include "control/files/export_folder.h"

#include <string_view>
#include <utility>

#include "base/arena.h"
#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "wire/json.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxManifestBytes = 64 << 20;
constexpr const char* kFilesManifest = "manifest-files.json";
constexpr const char* kSummary = "manifest-summary.json";

Result<std::string> ReadManifestFile(const fs::path& path, const FileBounds& bounds) {
  auto text = ReadWholeFile(path, kMaxManifestBytes, bounds);
  if (!text.ok()) return WithFileName(path.string(), std::move(text).error());
  return text;
}

Result<std::string_view> ReadTextMember(std::span<char> json, std::string_view name, Arena& arena) {
  auto parsed = ParseJsonData(json, JsonDialect::kRequest, arena);
  if (!parsed.ok()) return ValidationError("it is no JSON: " + parsed.error().message);
  const JsonValue* const member = (*parsed)->Find(name);
  if (!member || member->type != JsonValue::Type::kString) {
    return ValidationError("it has no " + std::string(name));
  }
  return member->string();
}

// Returns the folder of the manifest; an empty path when there is none.
Result<fs::path> FindManifestFolder(const fs::path& folder) {
  if (PathExists(folder / kFilesManifest)) return folder;
  const fs::path exports = folder / "AWSDynamoDB";
  if (!IsFolder(exports)) return fs::path();
  HR_ASSIGN(const std::vector<std::string> names, EntryNamesIn(exports));
  fs::path found;
  for (const std::string& name : names) {
    if (!PathExists(exports / name / kFilesManifest)) continue;
    if (!found.empty()) {
      return ValidationError(exports.string() + ": there are several exports: name one of them");
    }
    found = exports / name;
  }
  return found;
}

Result<fs::path> FindDataFile(const fs::path& folder, std::span<char> line, Arena& arena) {
  HR_ASSIGN(const std::string_view key, ReadTextMember(line, "dataFileS3Key", arena));
  // Only the file's name is used, as the folders in the bucket may be missing here.
  const fs::path file = folder / "data" / fs::path(key).filename();
  if (file.string().ends_with(".ion.gz")) {
    return ValidationError("the export is in Amazon Ion: only DynamoDB JSON is read");
  }
  if (!PathExists(file)) return ValidationError("its data file " + file.string() + " is not there");
  return file;
}

Result<std::vector<fs::path>> FindDataFiles(const fs::path& folder, const FileBounds& bounds) {
  HR_ASSIGN(std::string text, ReadManifestFile(folder / kFilesManifest, bounds));
  std::vector<fs::path> files;
  Arena arena;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::span<char> line(text.data() + at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    arena.Reset();
    auto file = FindDataFile(folder, line, arena);
    if (!file.ok()) {
      return WithFileName((folder / kFilesManifest).string(), std::move(file).error());
    }
    files.push_back(std::move(file).value());
  }
  return files;
}

// Returns the name behind ":table/" in the summary's ARN; empty without a summary.
Result<std::string> ReadTableName(const fs::path& folder, const FileBounds& bounds) {
  if (!PathExists(folder / kSummary)) return std::string();
  HR_ASSIGN(std::string text, ReadManifestFile(folder / kSummary, bounds));
  Arena arena;
  auto arn = ReadTextMember({text.data(), text.size()}, "tableArn", arena);
  if (!arn.ok()) return WithFileName((folder / kSummary).string(), std::move(arn).error());
  return std::string(arn->substr(arn->rfind('/') + 1));
}

}  // namespace

Result<std::optional<ExportFolder>> FindExport(const fs::path& folder, const FileBounds& bounds) {
  HR_ASSIGN(const fs::path found, FindManifestFolder(folder));
  if (found.empty()) return std::optional<ExportFolder>();
  ExportFolder exported;
  HR_ASSIGN(exported.table_name, ReadTableName(found, bounds));
  HR_ASSIGN(exported.files, FindDataFiles(found, bounds));
  return std::optional<ExportFolder>(std::move(exported));
}

}  // namespace hashrange
