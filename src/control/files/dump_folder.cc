#include "control/files/dump_folder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "control/files/folder.h"
#include "control/files/manifest.h"
#include "control/files/seed_plan.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

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
