#include "control/files/dump_folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "base/memory/arena.h"
#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMaxManifestBytes = 64 << 20;

Result<DumpManifest> ParseManifest(std::string& text) {
  Arena arena;
  auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kRequest, arena);
  if (!json.ok()) return ValidationError("it is no JSON: " + json.error().message);
  const JsonValue* const version = (*json)->Find("version");
  if (!version || version->type != JsonValue::Type::kInteger || version->integer != kVersion) {
    return ValidationError("it is not of version 1");
  }
  const JsonValue* const tables = (*json)->Find("tables");
  if (!tables || tables->type != JsonValue::Type::kArray) {
    return ValidationError("it names no tables");
  }
  DumpManifest manifest;
  for (const JsonValue& name : tables->elements()) {
    if (name.type != JsonValue::Type::kString || !IsTableName(name.string())) {
      return ValidationError("it names a table with no table's name");
    }
    manifest.tables.emplace_back(name.string());
  }
  return manifest;
}

}  // namespace

bool IsTableName(std::string_view name) {
  return name.size() >= 3 && std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '.' || c == '-';
         });
}

Result<DumpManifest> ReadManifest(const fs::path& path, const FileBounds& bounds) {
  auto text = ReadWholeFile(path, kMaxManifestBytes, bounds);
  if (!text.ok()) return WithFileName(path.string(), std::move(text).error());
  auto manifest = ParseManifest(*text);
  if (!manifest.ok()) return WithFileName(path.string(), std::move(manifest).error());
  return manifest;
}

std::string ManifestText(const DumpManifest& manifest) {
  return JsonObjectText([&](JsonWriter& json) {
           json.IntegerMember("version", kVersion);
           json.BeginArray("tables");
           for (const std::string& name : manifest.tables) json.String(name);
           json.EndArray();
         }) +
         "\n";
}

namespace {

Error CannotWrite(const fs::path& path, int error_number) {
  return ValidationError(
      path.string() + ": it cannot be written: " + std::generic_category().message(error_number));
}

}  // namespace

Result<std::unique_ptr<ByteSink>> ByteSink::Create(const OutputFolder& folder,
                                                   const std::string& name, bool compresses) {
  const fs::path path = folder.path() / name;
  HR_ASSIGN(Descriptor made, folder.Replace(name));
  std::FILE* const file = fdopen(made.number(), "wb");
  if (!file) return CannotWrite(path, errno);
  made.Release();
  return std::unique_ptr<ByteSink>(new ByteSink(path, file, compresses));
}

ByteSink::ByteSink(const fs::path& path, std::FILE* file, bool compresses)
    : path_(path), file_(file) {
  if (compresses) compressor_ = std::make_unique<GzipCompressor>();
}

ByteSink::~ByteSink() {
  if (file_) std::fclose(file_);
}

Status ByteSink::Write(std::string_view bytes) {
  if (!compressor_) return WriteThrough(bytes);
  compressed_.Clear();
  compressor_->Add(bytes, compressed_);
  return WriteThrough(compressed_.view());
}

Status ByteSink::WriteThrough(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return {};
  return CannotWrite(path_, errno);
}

Status ByteSink::Finish() {
  if (compressor_) {
    compressed_.Clear();
    compressor_->Finish(compressed_);
    HR_RETURN_IF_ERROR(WriteThrough(compressed_.view()));
  }
  if (std::fclose(std::exchange(file_, nullptr)) == 0) return {};
  return CannotWrite(path_, errno);
}

namespace {

std::string PartialOf(std::string_view file) { return std::string(file) + ".partial"; }

}  // namespace

Result<std::unique_ptr<DumpFolder>> DumpFolder::Open(const fs::path& path,
                                                     DumpFolderOptions options) {
  std::unique_ptr<DumpFolder> folder(new DumpFolder(path, std::move(options)));
  HR_RETURN_IF_ERROR(folder->Begin());
  return folder;
}

Status DumpFolder::Begin() {
  const bool exists = PathExists(path_);
  if (exists && !IsFolder(path_)) return ValidationError(path_.string() + ": it is no folder");
  HR_ASSIGN(folder_, OutputFolder::Make(path_, [this](int descriptor) {
              return options_.bounds.AllowsOpened(descriptor);
            }));
  if (exists) {
    HR_ASSIGN(const std::vector<std::string> names, EntryNamesIn(path_));
    HR_RETURN_IF_ERROR(FindEarlierDumps(names));
  }
  // If this dump is not finished, a later one has to remove its files as well.
  std::set<std::string> tables = earlier_tables_;
  tables.insert(options_.tables.begin(), options_.tables.end());
  return folder_->WriteFile(kUnfinishedManifest,
                            ManifestText({.tables = {tables.begin(), tables.end()}}));
}

// Notes the tables of the dumps in the folder.
Status DumpFolder::FindEarlierDumps(const std::vector<std::string>& names) {
  const bool is_dump = std::ranges::count(names, kDumpManifest) > 0;
  was_unfinished_ = std::ranges::count(names, kUnfinishedManifest) > 0;
  if (!is_dump && !was_unfinished_) {
    if (names.empty() || options_.overwrites) return {};
    return ValidationError(path_.string() +
                           ": the folder is not empty and holds no dump: to write into it all the "
                           "same, say \"overwrite\":true");
  }
  for (const char* name : {kDumpManifest, kUnfinishedManifest}) {
    HR_RETURN_IF_ERROR(folder_->CheckOwner(name));
    if (!folder_->Has(name)) continue;
    auto manifest = ReadManifest(path_ / name, options_.bounds);
    if (manifest.ok()) {
      earlier_tables_.insert(manifest->tables.begin(), manifest->tables.end());
    } else if (name == std::string_view(kDumpManifest)) {
      if (!options_.overwrites) return std::move(manifest).error();
      // A folder with a definition is taken for a table of the dump whose manifest is not readable.
      std::ranges::copy_if(names, std::inserter(earlier_tables_, earlier_tables_.end()),
                           [this](const std::string& table) {
                             return IsTableName(table) && PathExists(path_ / table / kTableFile);
                           });
    }
  }
  return {};
}

Result<std::unique_ptr<ByteSink>> DumpFolder::Create(const std::string& table,
                                                     const std::string& file, bool compresses) {
  const bool is_new = !folder_->Has(table);
  HR_ASSIGN(const OutputFolder folder, folder_->MakeFolder(table));
  if (is_new) made_tables_.push_back(table);
  files_.push_back({table, file});
  return ByteSink::Create(folder, PartialOf(file), compresses);
}

Status DumpFolder::Finish() {
  HR_RETURN_IF_ERROR(folder_->RemoveFile(kDumpManifest));
  is_replacing_ = true;
  HR_RETURN_IF_ERROR(RemoveEarlierFiles());
  for (const TableFile& file : files_) {
    HR_ASSIGN(const OutputFolder folder, folder_->OpenFolder(file.table));
    HR_RETURN_IF_ERROR(folder.Rename(PartialOf(file.name), file.name));
  }
  HR_RETURN_IF_ERROR(
      folder_->WriteFile(kUnfinishedManifest, ManifestText({.tables = options_.tables})));
  return folder_->Rename(kUnfinishedManifest, kDumpManifest);
}

Status DumpFolder::RemoveEarlierFiles() const {
  std::set<std::string> tables = earlier_tables_;
  tables.insert(options_.tables.begin(), options_.tables.end());
  for (const std::string& table : tables) HR_RETURN_IF_ERROR(RemoveEarlierFilesOf(table));
  return {};
}

// Removes the files of earlier dumps in a table's folder, but not the temporary ones of this dump.
Status DumpFolder::RemoveEarlierFilesOf(const std::string& table) const {
  const auto folder = folder_->OpenFolder(table);
  // Where there is no folder of this user, there are no files of a dump.
  if (!folder.ok()) return {};
  for (const char* const name : kDumpFilesOfTable) {
    const bool is_of_this_dump = std::ranges::any_of(
        files_, [&](const TableFile& file) { return file.table == table && file.name == name; });
    HR_RETURN_IF_ERROR(folder->RemoveFile(name));
    if (!is_of_this_dump) HR_RETURN_IF_ERROR(folder->RemoveFile(PartialOf(name)));
  }
  folder_->RemoveFolder(table);  // if it is empty
  return {};
}

DumpFolder::~DumpFolder() {
  if (!folder_ || is_replacing_) return;
  for (const TableFile& file : files_) {
    const auto folder = folder_->OpenFolder(file.table);
    if (folder.ok()) (void)folder->RemoveFile(PartialOf(file.name));
  }
  for (const std::string& table : made_tables_) folder_->RemoveFolder(table);
  // An earlier dump that was not finished is not finished now either.
  if (!was_unfinished_) (void)folder_->RemoveFile(kUnfinishedManifest);
  folder_->Unmake();
}

}  // namespace hashrange
