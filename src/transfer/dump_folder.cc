#include "transfer/dump_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "transfer/folder.h"
#include "transfer/seed_plan.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 5> kFilesOfTable = {kTableFile, "items.json", "items.json.gz",
                                                      "items.jsonl", "items.jsonl.gz"};

fs::path PartialOf(const fs::path& file) { return fs::path(file).concat(".partial"); }

Error CannotWrite(const fs::path& path, int error_number) {
  return ValidationError(
      path.string() + ": it cannot be written: " + std::generic_category().message(error_number));
}

}  // namespace

Result<std::unique_ptr<DumpFolder>> DumpFolder::Open(const fs::path& path, const FileBounds& bounds,
                                                     bool overwrites) {
  std::unique_ptr<DumpFolder> folder(new DumpFolder(path, bounds));
  HR_RETURN_IF_ERROR(folder->Begin(overwrites));
  return folder;
}

Status DumpFolder::Begin(bool overwrites) {
  if (PathExists(path_)) {
    if (!IsFolder(path_)) return ValidationError(path_.string() + ": it is no folder");
    HR_ASSIGN(const std::vector<std::string> names, EntryNamesIn(path_));
    const bool is_dump = std::ranges::count(names, kDumpManifest) > 0;
    const bool is_unfinished = std::ranges::count(names, kUnfinishedManifest) > 0;
    if (is_dump) {
      auto manifest = ReadManifest(path_ / kDumpManifest, bounds_);
      if (!manifest.ok() && !overwrites) return std::move(manifest).error();
      if (manifest.ok()) before_ = std::move(manifest).value();
    } else if (!names.empty() && !is_unfinished && !overwrites) {
      return ValidationError(path_.string() +
                             ": the folder is not empty and holds no dump: to write into it all "
                             "the same, say \"overwrite\":true");
    }
  }
  HR_RETURN_IF_ERROR(MakeFolder(path_));
  files_.push_back(path_ / kDumpManifest);
  return WriteManifest();
}

// Creates the folder and the folders above it.
Status DumpFolder::MakeFolder(const fs::path& folder) {
  if (IsFolder(folder)) return {};
  if (folder.has_relative_path() && folder.parent_path() != folder &&
      !folder.parent_path().empty()) {
    HR_RETURN_IF_ERROR(MakeFolder(folder.parent_path()));
  }
  if (!bounds_.MakeFolder(folder)) {
    return errno == EEXIST && IsFolder(folder) ? Status() : Status(CannotWrite(folder, errno));
  }
  made_folders_.push_back(folder);
  return {};
}

Status DumpFolder::WriteManifest() {
  HR_ASSIGN(const auto sink, ByteSink::Create(path_ / kUnfinishedManifest, false, bounds_));
  HR_RETURN_IF_ERROR(sink->Write(ManifestText(manifest_)));
  return sink->Finish();
}

Result<std::unique_ptr<ByteSink>> DumpFolder::Create(const std::string& table,
                                                     std::string_view file, bool compresses) {
  HR_RETURN_IF_ERROR(MakeFolder(path_ / table));
  if (manifest_.tables.empty() || manifest_.tables.back() != table) {
    manifest_.tables.push_back(table);
  }
  files_.push_back(path_ / table / file);
  return ByteSink::Create(PartialOf(files_.back()), compresses, bounds_);
}

Status DumpFolder::Finish() {
  HR_RETURN_IF_ERROR(WriteManifest());
  is_renaming_ = true;
  bounds_.Remove(path_ / kDumpManifest);
  RemoveStale();
  // The manifest, which is the first of the files, is renamed last.
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
    if (!bounds_.Rename(PartialOf(*file), *file)) return CannotWrite(*file, errno);
  }
  return {};
}

// Removes the files of the earlier dump. Also removes, from the folders of the new dump's tables,
// files with the names of a dump's files: a seed would read them as more items. Other data files in
// these folders, which `overwrites` permits, stay.
void DumpFolder::RemoveStale() const {
  for (const DumpManifest* manifest : {&before_, &manifest_}) {
    for (const std::string& table : manifest->tables) {
      for (const char* file : kFilesOfTable) bounds_.Remove(path_ / table / file);
      bounds_.Remove(path_ / table);  // when it is empty
    }
  }
}

DumpFolder::~DumpFolder() {
  if (is_renaming_) return;
  for (const fs::path& file : files_) bounds_.Remove(PartialOf(file));
  for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder) {
    bounds_.Remove(*folder);
  }
}

}  // namespace hashrange
