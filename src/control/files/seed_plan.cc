#include "control/files/seed_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_path.h"
#include "base/memory/arena.h"
#include "base/result.h"
#include "control/files/byte_source.h"
#include "control/files/dump_folder.h"
#include "control/files/file_bounds.h"
#include "control/files/folder.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// The files that ExportTableToPointInTime leaves in a bucket
// (docs/service/16-backup-export-import.md, section C).
struct ExportFolder {
  std::string table_name;  // from the export's summary; empty without a summary
  std::vector<fs::path> files;
};

constexpr std::size_t kMaxExportManifestBytes = 64 << 20;
constexpr const char* kFilesManifest = "manifest-files.json";
constexpr const char* kSummary = "manifest-summary.json";

Result<std::string> ReadManifestFile(const fs::path& path, const FileBounds& bounds) {
  auto text = ReadWholeFile(path, kMaxExportManifestBytes, bounds);
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

// Returns the export in `folder`, which is AWSDynamoDB/<id> or contains AWSDynamoDB with one
// export; nullopt when it is neither.
// Errors: ValidationException  there are several exports; a manifest cannot be read; a data file is
//                              missing or is not DynamoDB JSON. The message begins with a path.
Result<std::optional<ExportFolder>> FindExport(const fs::path& folder, const FileBounds& bounds) {
  HR_ASSIGN(const fs::path found, FindManifestFolder(folder));
  if (found.empty()) return std::optional<ExportFolder>();
  ExportFolder exported;
  HR_ASSIGN(exported.table_name, ReadTableName(found, bounds));
  HR_ASSIGN(exported.files, FindDataFiles(found, bounds));
  return std::optional<ExportFolder>(std::move(exported));
}

constexpr std::string_view kDefinitionEnding = ".table.json";

SeedFile FileAt(const fs::path& path, const FileBounds& bounds) {
  return {path.string(), path, std::nullopt, bounds};
}

Error MayNotBeRead(const fs::path& folder) {
  return ValidationError(folder.string() + ": it may not be read");
}

bool IsDefinition(std::string_view name) {
  return name.size() > kDefinitionEnding.size() && name.ends_with(kDefinitionEnding);
}

std::string LabelOf(const fs::path& folder) {
  const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  return name.string();
}

// Reads the folder of one table, which may be an export. Returns false when nothing in the folder
// belongs to a table.
Result<bool> ReadTableFolder(const fs::path& folder, const FileBounds& bounds, SeedTable* table) {
  if (bounds.are_set() && !bounds.Resolve(folder)) return MayNotBeRead(folder);
  if (PathExists(folder / kTableFile)) table->definition = FileAt(folder / kTableFile, bounds);
  HR_ASSIGN(const std::optional<ExportFolder> exported, FindExport(folder, bounds));
  if (exported) {
    for (const fs::path& file : exported->files)
      table->items.push_back({FileAt(file, bounds), false});
    if (!exported->table_name.empty()) table->label = exported->table_name;
    return true;
  }
  HR_ASSIGN(const std::vector<std::string> names, EntryNamesIn(folder));
  for (const std::string& name : names) {
    if (name == kTableFile || name.starts_with('.') || IsFolder(folder / name)) continue;
    const auto data = ParseDataFileName(name);
    if (data) table->items.push_back({FileAt(folder / name, bounds), data->is_csv});
  }
  return table->definition || !table->items.empty();
}

Result<SeedPlan> PlanDump(const fs::path& folder, const FileBounds& bounds) {
  SeedPlan plan;
  plan.is_folder_of_tables = true;
  HR_ASSIGN(const DumpManifest manifest, ReadManifest(folder / kDumpManifest, bounds));
  for (const std::string& name : manifest.tables) {
    const fs::path table_folder = folder / name;
    if (bounds.are_set() && !bounds.Resolve(table_folder)) return MayNotBeRead(table_folder);
    SeedTable table{.label = name};
    for (const std::string file : kDumpFilesOfTable) {
      if (!PathExists(table_folder / file)) continue;
      SeedFile found = FileAt(table_folder / file, bounds);
      if (file == kTableFile) {
        table.definition = std::move(found);
      } else {
        table.items.push_back({std::move(found), false});
      }
    }
    if (!table.definition) {
      return ValidationError(table_folder.string() + ": the table of the dump is not there");
    }
    plan.tables.push_back(std::move(table));
  }
  return plan;
}

// Adds an entry of a folder of tables to `tables`: a table's folder, or a file of a table.
Status AddEntry(const fs::path& path, const std::string& name, const FileBounds& bounds,
                std::map<std::string, SeedTable>* tables) {
  if (name.starts_with('.')) return {};
  if (IsFolder(path)) {
    SeedTable found{.label = name};
    HR_ASSIGN(const bool holds_table, ReadTableFolder(path, bounds, &found));
    if (!holds_table) return {};
    SeedTable& table = (*tables)[name];
    table.label = found.label;
    if (found.definition) table.definition = found.definition;
    std::ranges::move(found.items, std::back_inserter(table.items));
    return {};
  }
  if (IsDefinition(name)) {
    const std::string label = name.substr(0, name.size() - kDefinitionEnding.size());
    SeedTable& table = (*tables)[label];
    if (table.label.empty()) table.label = label;
    table.definition = FileAt(path, bounds);
  } else if (const auto data = ParseDataFileName(name)) {
    const std::string label(data->stem);
    SeedTable& table = (*tables)[label];
    if (table.label.empty()) table.label = label;
    table.items.push_back({FileAt(path, bounds), data->is_csv});
  }
  return {};
}

Result<SeedPlan> PlanFolder(const fs::path& folder, const FileBounds& bounds) {
  if (PathExists(folder / kUnfinishedManifest)) {
    return ValidationError(folder.string() + ": a dump into this folder was not finished");
  }
  if (PathExists(folder / kDumpManifest)) return PlanDump(folder, bounds);
  SeedPlan plan;
  HR_ASSIGN(const std::optional<ExportFolder> exported, FindExport(folder, bounds));
  if (exported || PathExists(folder / kTableFile)) {
    SeedTable table{.label = LabelOf(folder)};
    HR_RETURN_IF_ERROR(ReadTableFolder(folder, bounds, &table));
    plan.tables.push_back(std::move(table));
    return plan;
  }
  plan.is_folder_of_tables = true;
  HR_ASSIGN(const std::vector<std::string> names, EntryNamesIn(folder));
  std::map<std::string, SeedTable> tables;
  for (const std::string& name : names) {
    HR_RETURN_IF_ERROR(AddEntry(folder / name, name, bounds, &tables));
  }
  for (auto& [label, table] : tables) plan.tables.push_back(std::move(table));
  if (plan.tables.empty()) {
    return ValidationError(folder.string() +
                           ": there is nothing to load: a table's definition is <table>.table.json "
                           "or <table>/table.json, its items are <table>.json, .jsonl, .ndjson or "
                           ".csv, or files of these kinds in <table>/, each with .gz or without");
  }
  return plan;
}

Result<SeedPlan> PlanFile(const fs::path& path, const FileBounds& bounds) {
  const std::string name = path.filename().string();
  SeedPlan plan;
  if (IsDefinition(name)) {
    SeedTable table{.label = name.substr(0, name.size() - kDefinitionEnding.size())};
    table.definition = FileAt(path, bounds);
    plan.tables.push_back(std::move(table));
    return plan;
  }
  const auto data = ParseDataFileName(name);
  SeedTable table{.label = std::string(data ? data->stem : std::string_view(name))};
  table.items.push_back({FileAt(path, bounds), data && data->is_csv});
  plan.tables.push_back(std::move(table));
  return plan;
}

}  // namespace

Result<SeedPlan> PlanSeed(const fs::path& path, const FileBounds& bounds) {
  if (!PathExists(path)) {
    return Error{ErrorCode::kResourceNotFoundException,
                 path.string() + ": there is no such file or folder", nullptr};
  }
  return IsFolder(path) ? PlanFolder(path, bounds) : PlanFile(path, bounds);
}

}  // namespace hashrange
