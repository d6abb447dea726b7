#include "remote/copy/folder_sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "control/files/gzip.h"
#include "control/files/item_line.h"
#include "control/files/manifest.h"
#include "control/files/record_reader.h"
#include "control/files/seed_plan.h"
#include "wire/attribute_json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = 256 << 10;

Error FileError(const fs::path& path, const std::string& why) {
  return {ErrorCode::kInternalServerError, path.string() + ": " + why, nullptr};
}
Error CannotWrite(const fs::path& path, int error_number) {
  return FileError(path, "it cannot be written: " + std::generic_category().message(error_number));
}

std::string PartialOf(std::string_view name) { return std::string(name) + ".partial"; }

// Renames a file unless an earlier run has done so.
Status Name(const OutputFolder& folder, const std::string& file) {
  const bool is_named = !folder.Has(PartialOf(file)) && folder.Has(file);
  return is_named ? Status() : folder.Rename(PartialOf(file), file);
}

DumpManifest ManifestOf(const CopyState& state) {
  DumpManifest manifest;
  for (const TableState& table : state.tables) manifest.tables.push_back(table.target);
  return manifest;
}

std::string LinesOf(const ScannedItems& items, bool compresses) {
  OutputBuffer lines;
  for (const ScannedItem& item : items.items) {
    JsonWriter json(lines);
    json.BeginObject();
    json.Name("Item");
    WriteAttributes(item.attributes, json);
    json.EndObject();
    lines.Append('\n');
  }
  if (!compresses) return std::string(lines.view());
  OutputBuffer compressed;
  GzipCompressor compressor;
  compressor.Add(lines.view(), compressed);
  compressor.Finish(compressed);
  return std::string(compressed.view());
}

// Adds the items of a block of lines.
Status AddLines(RecordBlock& block, Arena& arena, ItemDigest* digest) {
  for (std::size_t at = 0; at < block.bytes.size();) {
    const std::size_t end = std::min(block.bytes.view().find('\n', at), block.bytes.size());
    arena.Reset();
    HR_ASSIGN(const JsonValue json,
              ReadItemLine({block.bytes.data() + at, end - at}, DataFormat::kDynamoDb, arena));
    HR_ASSIGN(const ScannedItem item, ReadCheckedItem(json, arena));
    digest->AddItem(item.attributes);
    at = end + 1;
  }
  return {};
}

}  // namespace

Status FolderCopy::Begin() const {
  if (PathExists(path_)) {
    if (!IsFolder(path_)) return ValidationError(path_.string() + ": it is no folder");
    HR_ASSIGN(const std::vector<std::string> names, EntryNamesIn(path_));
    if (!names.empty()) {
      return ValidationError(path_.string() +
                             ": the folder is not empty, and a copy overwrites nothing: name a new "
                             "folder");
    }
  }
  const auto made = OutputFolder::Make(path_);
  return made.ok() ? Status() : Status(made.error());
}

Status FolderCopy::WriteManifest(const CopyState& state) const {
  HR_ASSIGN(const OutputFolder folder, OutputFolder::Open(path_));
  if (folder.Has(kDumpManifest)) return {};
  return folder.WriteFile(kUnfinishedManifest, ManifestText(ManifestOf(state)));
}

Status FolderCopy::WriteDefinition(const std::string& table, const std::string& definition) const {
  HR_ASSIGN(const OutputFolder folder, OutputFolder::Open(path_));
  HR_ASSIGN(const OutputFolder table_folder, folder.MakeFolder(table));
  return table_folder.WriteFile(kTableFile, definition);
}

std::string FolderCopy::items_file() const { return compresses_ ? "items.json.gz" : "items.json"; }

Status FolderCopy::Finish(const CopyState& state) const {
  HR_ASSIGN(const OutputFolder folder, OutputFolder::Open(path_));
  for (const TableState& table : state.tables) {
    HR_ASSIGN(const OutputFolder table_folder, folder.OpenFolder(table.target));
    HR_RETURN_IF_ERROR(Name(table_folder, items_file()));
  }
  if (folder.Has(kDumpManifest)) return {};
  HR_RETURN_IF_ERROR(WriteManifest(state));
  return Name(folder, kDumpManifest);
}

Result<std::unique_ptr<FolderSink>> FolderSink::Open(const FolderCopy& folder, CopyStateFile& state,
                                                     std::size_t table) {
  const CopyState now = state.Get();
  const TableState& copied = now.tables[table];
  const std::string name = PartialOf(folder.items_file());
  const fs::path file = folder.path() / copied.target / name;
  HR_ASSIGN(const OutputFolder table_folder, OutputFolder::Open(file.parent_path()));
  auto opened = table_folder.OpenFile(name);
  if (!opened.ok() && opened.error().code == ErrorCode::kResourceNotFoundException) {
    opened = table_folder.Create(name);
  }
  HR_ASSIGN(Descriptor made, std::move(opened));
  const int descriptor = made.number();
  std::unique_ptr<FolderSink> sink(
      new FolderSink(file, now.compresses, state, std::move(made), copied.file_bytes));
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end < copied.file_bytes) {
    return FileError(file, "it has " + std::to_string(end) + " bytes, and the copy had written " +
                               std::to_string(copied.file_bytes));
  }
  if ((end > copied.file_bytes && ::ftruncate(descriptor, copied.file_bytes) != 0) ||
      ::lseek(descriptor, copied.file_bytes, SEEK_SET) < 0) {
    return CannotWrite(file, errno);
  }
  return sink;
}

Status FolderSink::Write(const ScannedItems& items, const WrittenPage& page) {
  const std::string lines = LinesOf(items, compresses_);
  std::lock_guard lock(mutex_);
  if (is_broken_) return CannotWrite(file_, EIO);
  if (!WriteAll(descriptor_.number(), lines)) {
    const int why = errno;
    // A part of the page may be there: it is cut off now, or else when the copy continues.
    is_broken_ = ::ftruncate(descriptor_.number(), bytes_) != 0 ||
                 ::lseek(descriptor_.number(), bytes_, SEEK_SET) < 0;
    return CannotWrite(file_, why);
  }
  bytes_ += static_cast<std::int64_t>(lines.size());
  return state_.Update([&](CopyState& state) { NotePage(page, bytes_, state); });
}

Result<ItemDigest> FolderSink::ReadBack() {
  HR_ASSIGN(auto source, OpenFile(file_));
  RecordReader reader(std::move(source), false, kReadBytes);
  RecordBlock block;
  Arena arena;
  ItemDigest digest;
  for (;;) {
    const auto has_block = reader.Next(&block);
    if (!has_block.ok()) return WithFileName(file_.string(), has_block.error());
    if (!*has_block) return digest;
    const Status added = AddLines(block, arena, &digest);
    if (!added.ok()) return WithFileName(file_.string(), added.error());
  }
}

}  // namespace hashrange
