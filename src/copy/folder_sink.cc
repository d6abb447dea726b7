#include "copy/folder_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "transfer/byte_sink.h"
#include "transfer/byte_source.h"
#include "transfer/folder.h"
#include "transfer/gzip.h"
#include "transfer/item_line.h"
#include "transfer/manifest.h"
#include "transfer/record_reader.h"
#include "transfer/seed_plan.h"
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

fs::path PartialOf(const fs::path& file) { return fs::path(file).concat(".partial"); }

Status MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? Status(CannotWrite(path, error.value())) : Status();
}

Status WriteWholeFile(const fs::path& path, std::string_view text) {
  HR_ASSIGN(const auto sink, ByteSink::Create(path, false));
  HR_RETURN_IF_ERROR(sink->Write(text));
  return sink->Finish();
}

// Renames a file unless an earlier run has done so.
Status Name(const fs::path& file) {
  std::error_code error;
  fs::rename(PartialOf(file), file, error);
  if (!error || PathExists(file)) return {};
  return CannotWrite(file, error.value());
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
  return MakeFolder(path_);
}

Status FolderCopy::WriteManifest() const {
  if (PathExists(path_ / kDumpManifest)) return {};
  return WriteWholeFile(path_ / kUnfinishedManifest, ManifestText({}));
}

Status FolderCopy::WriteDefinition(const std::string& table, const std::string& definition) const {
  HR_RETURN_IF_ERROR(MakeFolder(path_ / table));
  return WriteWholeFile(path_ / table / kTableFile, definition);
}

fs::path FolderCopy::ItemsFile(const std::string& table) const {
  return path_ / table / (compresses_ ? "items.json.gz" : "items.json");
}

Status FolderCopy::Finish(const CopyState& state) const {
  DumpManifest manifest;
  for (const TableState& table : state.tables) {
    HR_RETURN_IF_ERROR(Name(ItemsFile(table.target)));
    manifest.tables.push_back(table.target);
  }
  if (PathExists(path_ / kDumpManifest)) return {};
  HR_RETURN_IF_ERROR(WriteWholeFile(path_ / kUnfinishedManifest, ManifestText(manifest)));
  return Name(path_ / kDumpManifest);
}

Result<std::unique_ptr<FolderSink>> FolderSink::Open(const FolderCopy& folder, CopyStateFile& state,
                                                     std::size_t table) {
  const CopyState now = state.Get();
  const TableState& copied = now.tables[table];
  const fs::path file = PartialOf(folder.ItemsFile(copied.target));
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return CannotWrite(file, errno);
  std::unique_ptr<FolderSink> sink(
      new FolderSink(file, now.compresses, state, descriptor, copied.file_bytes));
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

FolderSink::~FolderSink() { ::close(descriptor_); }

Status FolderSink::Write(const ScannedItems& items, const WrittenPage& page) {
  const std::string lines = LinesOf(items, compresses_);
  std::string_view left = lines;
  std::lock_guard lock(mutex_);
  if (is_broken_) return CannotWrite(file_, EIO);
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int why = written < 0 ? errno : ENOSPC;
      // A part of the page may be there: it is cut off now, or else when the copy continues.
      is_broken_ =
          ::ftruncate(descriptor_, bytes_) != 0 || ::lseek(descriptor_, bytes_, SEEK_SET) < 0;
      return CannotWrite(file_, why);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
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
