#include "remote/copy/item_sink.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/memory/arena.h"
#include "base/memory/output_buffer.h"
#include "control/files/block_reader.h"
#include "control/files/byte_source.h"
#include "control/files/data_format.h"
#include "control/files/dump_folder.h"
#include "control/files/folder.h"
#include "control/files/gzip.h"
#include "control/files/seed_plan.h"
#include "platform/files.h"
#include "remote/copy/segment_scan.h"
#include "value/capacity.h"
#include "wire/attribute_json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

constexpr std::size_t kMostItems = 25;
// A batch of that many bytes gets no more items. The service takes 16 MB, and the largest item
// has less than 4 MB of JSON: 400 KB of empty strings in a list, {"S":""}, of a byte each.
constexpr std::size_t kMostBytes = 12 << 20;

// Collects PutRequests until a batch is full.
class PutBatch {
 public:
  explicit PutBatch(double most_units) : most_units_(most_units) {}

  // Returns whether the batch has no room for one more item of these units.
  bool IsFullFor(double units) const {
    return items_ == kMostItems || text_.size() >= kMostBytes ||
           (items_ > 0 && most_units_ > 0 && units_ + units > most_units_);
  }
  void Add(const ScannedItem& item, double units) {
    if (items_ > 0) text_.Append(',');
    JsonWriter json(text_);
    json.BeginObject();
    json.BeginObject("PutRequest");
    json.Name("Item");
    WriteAttributes(item.attributes, json);
    json.EndObject();
    json.EndObject();
    ++items_;
    units_ += units;
  }
  bool is_empty() const { return items_ == 0; }
  double units() const { return units_; }
  std::string Requests() const { return "[" + std::string(text_.view()) + "]"; }
  void Clear() {
    text_.Clear();
    items_ = 0;
    units_ = 0;
  }

 private:
  const double most_units_;  // 0: no limit
  OutputBuffer text_;
  std::size_t items_ = 0;
  double units_ = 0;
};

std::string BatchRequest(const std::string& table, const std::string& requests) {
  return JsonObjectText([&](JsonWriter& json) {
    json.BeginObject("RequestItems");
    json.RawMember(table, requests);
    json.EndObject();
    json.StringMember("ReturnConsumedCapacity", "TOTAL");
  });
}

struct BatchAnswer {
  std::string unprocessed;  // a list of PutRequests as JSON; empty: none
  std::size_t unprocessed_count = 0;
  std::optional<double> units;
};

Result<BatchAnswer> ReadBatchAnswer(std::string& text, const std::string& table) {
  Arena arena;
  const auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kRequest, arena);
  if (!json.ok() || (*json)->type != Type::kObject) {
    return InternalError("the answer of BatchWriteItem is no JSON");
  }
  BatchAnswer answer;
  answer.units = ReportedUnits(**json);
  const JsonValue* const unprocessed = (*json)->Find("UnprocessedItems");
  if (!unprocessed) return answer;
  const Error wrong{
      ErrorCode::kInternalServerError,
      "the answer of BatchWriteItem has UnprocessedItems that are not of the table " + table,
      nullptr};
  if (unprocessed->type != Type::kObject) return wrong;
  for (const JsonMember& member : unprocessed->members()) {
    if (member.value.type != Type::kArray) return wrong;
    if (member.value.size == 0) continue;
    if (member.name != table) return wrong;
    answer.unprocessed_count = member.value.size;
    answer.unprocessed = JsonText(member.value);
  }
  return answer;
}

}  // namespace

Status EndpointSink::Send(const std::string& requests, double units) {
  std::string left = requests;
  std::size_t left_count = kMostItems;
  double expected = units;
  BackOff back_off(parts_.caller.patience());
  for (;;) {
    const auto paced_from = std::chrono::steady_clock::now();
    HR_RETURN_IF_ERROR(parts_.writes.Begin(expected));
    back_off.LeaveOut(std::chrono::steady_clock::now() - paced_from);
    auto text = parts_.caller.Call("BatchWriteItem", table_, BatchRequest(table_, left));
    if (!text.ok()) return std::move(text).error();
    HR_ASSIGN(BatchAnswer answer, ReadBatchAnswer(*text, table_));
    parts_.writes.End(expected, answer.units.value_or(expected), parts_.usd_a_write_unit);
    if (answer.unprocessed_count == 0) return {};
    if (answer.unprocessed_count > kMostItems) {
      return InternalError(parts_.caller.name() + " gives back more items than were sent");
    }
    if (answer.unprocessed_count < left_count) back_off.Reset();
    left_count = answer.unprocessed_count;
    if (back_off.IsOver()) {
      return InternalError(parts_.caller.name() + " leaves items of the table " + table_ +
                           " unprocessed: its capacity does not suffice");
    }
    back_off.Wait(parts_.caller.stop());
    left = std::move(answer.unprocessed);
    expected = static_cast<double>(left_count);
  }
}

Status EndpointSink::Write(const ScannedItems& items, const WrittenPage& page) {
  const UnitPace& pace = parts_.writes.pace();
  PutBatch batch(pace.has_limit() ? pace.units_a_second() : 0);
  for (const ScannedItem& item : items.items) {
    const double units = WriteUnitsOfSize(item.size_bytes);
    if (batch.IsFullFor(units)) {
      HR_RETURN_IF_ERROR(Send(batch.Requests(), batch.units()));
      batch.Clear();
    }
    batch.Add(item, units);
  }
  if (!batch.is_empty()) HR_RETURN_IF_ERROR(Send(batch.Requests(), batch.units()));
  return parts_.state.Update([&page](CopyState& state) { NotePage(page, 0, state); });
}

Result<ItemDigest> EndpointSink::ReadBack() {
  ItemDigest sum;
  std::mutex mutex;
  const auto read = [&](std::size_t segment) -> Status {
    const SegmentScan scan{.caller = parts_.caller,
                           .meter = parts_.reads,
                           .usd_a_unit = parts_.usd_a_read_unit,
                           .table = table_,
                           .segment = static_cast<int>(segment),
                           .segments = parts_.segments};
    ItemDigest digest;
    HR_RETURN_IF_ERROR(ScanSegment(scan, [&](const ScannedItems& items) -> Status {
      for (const ScannedItem& item : items.items) digest.AddItem(item.attributes);
      return parts_.state.Update([this](CopyState& state) { state.usd = parts_.spending.usd(); });
    }));
    std::lock_guard lock(mutex);
    sum.Add(digest);
    return {};
  };
  HR_RETURN_IF_ERROR(RunSegments(static_cast<std::size_t>(parts_.segments), parts_.stop, read));
  return sum;
}

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
  const std::int64_t end = SizeOfFile(descriptor).value_or(-1);
  if (end < copied.file_bytes) {
    return FileError(file, "it has " + std::to_string(end) + " bytes, and the copy had written " +
                               std::to_string(copied.file_bytes));
  }
  if (!CutOpenFile(descriptor, copied.file_bytes)) return CannotWrite(file, errno);
  return sink;
}

Status FolderSink::Write(const ScannedItems& items, const WrittenPage& page) {
  const std::string lines = LinesOf(items, compresses_);
  std::lock_guard lock(mutex_);
  if (is_broken_) return CannotWrite(file_, EIO);
  if (!WriteAll(descriptor_.number(), lines)) {
    const int why = errno;
    // A part of the page may be there: it is cut off now, or else when the copy continues.
    is_broken_ = !CutOpenFile(descriptor_.number(), bytes_);
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
