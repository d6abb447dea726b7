#include "control/files/item_load.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "base/threads.h"
#include "base/workers.h"
#include "control/files/block_reader.h"
#include "control/files/data_format.h"
#include "control/files/folder.h"
#include "control/files/json_tree.h"
#include "engine/map/vector_map.h"
#include "operation/parameter/item_key.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

// This is enough of a file to recognise how its items are written.
constexpr std::size_t kHeadBytes = 64 << 10;

// Returns the first record that is not empty; an empty text when there is none.
std::string_view FirstRecord(const RecordBlock& block) {
  const std::string_view text = block.bytes.view();
  if (!block.places.empty()) return text.substr(block.places[0].begin, block.places[0].size);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

BlockSource::BlockSource(std::vector<LoadFile> files, std::optional<DataFormat> format,
                         std::size_t block_bytes)
    : files_(std::move(files)), forced_format_(format), block_bytes_(block_bytes) {}

bool BlockSource::Next(LoadBlock* block) {
  MutexLock lock(mutex_);
  while (!error_ && !is_stopped_) {
    if (!reader_ && !OpenNext()) return false;
    if (reader_ && ReadBlock(block)) return true;
  }
  return false;
}

// Opens the next file. Returns false when there is no file, or after an error, which is kept.
bool BlockSource::OpenNext() {
  if (next_file_ == files_.size()) return false;
  const LoadFile& file = files_[next_file_++];
  const Status opened = Open(file.items, *file.version);
  if (opened.ok()) return true;
  StopWithErrorLocked({{next_file_ - 1, 0}, opened.error()});
  return false;
}

Status BlockSource::Open(const SeedItems& items, const TableVersion& table) {
  const std::optional<std::string>& text = items.file.text;
  HR_ASSIGN(std::unique_ptr<ByteSource> source,
            text ? Result(OpenText(*text)) : OpenFile(items.file.path, items.file.bounds));
  format_ = forced_format_;
  if (!format_ && items.is_csv) format_ = DataFormat::kCsv;
  header_ = nullptr;
  const bool is_csv = format_ == DataFormat::kCsv;
  if (!is_csv) {
    const std::string& key_name = table.key.hash[0].name;
    const std::string head = PeekHead(&source, kHeadBytes);
    if (!HasItemPerLine(head, key_name)) {
      reader_ = std::make_unique<ValueReader>(std::move(source), key_name, block_bytes_);
      return {};
    }
  }
  reader_ = std::make_unique<RecordReader>(std::move(source), is_csv, block_bytes_);
  return {};
}

// Reads a block. Returns false at the end of the file, which is then closed, or after an error,
// which is kept.
bool BlockSource::ReadBlock(LoadBlock* block) {
  block->file_number = next_file_ - 1;
  block->line = reader_->line();
  block->file = &files_[next_file_ - 1];
  const auto has_block = reader_->Next(&block->records);
  if (!has_block.ok()) {
    block->line = reader_->line();
    StopWithErrorLocked({block->place(), has_block.error()});
    return false;
  }
  block->begin = 0;
  if (const Status begun = BeginFile(block); !begun.ok()) {
    StopWithErrorLocked({block->place(), begun.error()});
    return false;
  }
  block->format = format_.value_or(DataFormat::kDynamoDb);
  block->header = header_;
  if (*has_block) return true;
  if (reader_->is_partial()) partial_files_.push_back(block->file->items.file.name);
  reader_ = nullptr;
  return false;
}

// Reads the header of a CSV, or recognises the format of a file, unless that was done already.
Status BlockSource::BeginFile(LoadBlock* block) {
  if (format_ == DataFormat::kCsv) return header_ ? Status() : ReadHeader(block);
  if (format_) return {};
  const std::string_view record = FirstRecord(block->records);
  if (!record.empty()) format_ = FormatOfLine(record, block->file->version->key);
  return {};
}

Status BlockSource::ReadHeader(LoadBlock* block) {
  OutputBuffer& bytes = block->records.bytes;
  CsvReader reader({bytes.data(), bytes.size()}, block->line);
  std::vector<std::span<char>> cells;
  HR_ASSIGN(const bool has_record, reader.Next(&cells));
  if (!has_record) return ValidationError("there is no header");
  HR_ASSIGN(CsvHeader header, ReadCsvHeader(cells, *block->file->version));
  header_ = std::make_shared<const CsvHeader>(std::move(header));
  block->begin = static_cast<std::size_t>(reader.position() - bytes.data());
  block->line = reader.next_line();
  return {};
}

void BlockSource::StopWithError(LoadError error) {
  MutexLock lock(mutex_);
  StopWithErrorLocked(std::move(error));
}

void BlockSource::Stop() {
  MutexLock lock(mutex_);
  is_stopped_ = true;
}

std::vector<std::string> BlockSource::PartialFiles() const {
  MutexLock lock(mutex_);
  return partial_files_;
}

void BlockSource::StopWithErrorLocked(LoadError error) {
  reader_ = nullptr;
  if (!error_ || error.place < error_->place) error_ = std::move(error);
}

Status BlockSource::status() const {
  MutexLock lock(mutex_);
  if (!error_) return {};
  return WithFileName(PlaceText(error_->place), error_->error);
}

std::string BlockSource::PlaceText(SourcePlace place) const {
  const std::string& name = files_[place.file()].items.file.name;
  return place.line() == 0 ? name : name + ":" + std::to_string(place.line());
}

namespace {

// The counter of stored items is updated after so many items: often enough to follow it, and seldom
// enough to cost nothing.
constexpr std::int64_t kCountedAtOnce = 1024;

void AddToCounter(std::atomic<std::int64_t>* counter, std::int64_t items) {
  if (counter) counter->fetch_add(items, std::memory_order_relaxed);
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Returns the line that begins at `at`, without its line break.
std::span<char> LineAt(OutputBuffer& bytes, std::size_t at) {
  const std::size_t end = bytes.view().find('\n', at);
  return {bytes.data() + at, std::min(end, bytes.size()) - at};
}

// Makes the stored item as PutItem would: by the same shape, the same reader and the same checks.
// `item` is as in a PutItem request: {"PK":{"S":…},…}.
// Errors: as PutItem for its Item, without the words that PutItem puts before the messages
Result<ItemRef> MakeItem(const TableVersion& table, const JsonValue& item, Arena& arena) {
  static const OperationShape& put_item = *FindOperationShape("PutItem");
  const JsonMember request[] = {{"TableName", JsonValue::String(table.name)}, {"Item", item}};
  HR_RETURN_IF_ERROR(BindRequest(put_item, MakeJsonObject(request)));
  HR_ASSIGN(const std::span<const Attribute> attributes,
            ReadAttributes(item, ValidationLayer::kBare, arena));
  HR_RETURN_IF_ERROR(CheckItemSize(attributes));
  HR_RETURN_IF_ERROR(CheckItemFits(table, attributes));
  return Item::Make(table.key, attributes);
}

}  // namespace

ItemLoad::ItemLoad(std::span<const TableVersion* const> tables, std::vector<LoadFile> files,
                   const ItemLoadOptions& options)
    : tables_(tables.begin(), tables.end()),
      threads_(options.threads),
      memory_(options.memory),
      counters_(options.counters),
      source_(std::move(files), options.format, options.block_bytes) {}

Status ItemLoad::Read() {
  read_.resize(static_cast<std::size_t>(threads_));
  RunOnThreads(threads_, [this](int worker) {
    ItemsOfThread& items = read_[static_cast<std::size_t>(worker)];
    try {
      items.tables.resize(tables_.size());
      ReadBlocks(&items);
    } catch (...) {
      source_.Stop();  // the other threads need not go on
      throw;
    }
  });
  return source_.status();
}

void ItemLoad::ReadBlocks(ItemsOfThread* items) {
  Arena arena;
  LoadBlock block;
  while (source_.Next(&block)) {
    const std::int64_t count = items->count;
    const Status admitted = memory_ ? memory_->AdmitGrowth() : Status();
    if (!admitted.ok()) return source_.StopWithError({block.place(), admitted.error()});
    const Status read = ReadRecords(block, items, arena);
    if (!read.ok()) source_.StopWithError({block.place(), read.error()});
    AddToCounter(counters_.read, items->count - count);
  }
}

// While the block is read, its `line` is the line of the current record.
Status ItemLoad::ReadRecords(LoadBlock& block, ItemsOfThread* items, Arena& arena) {
  if (block.format == DataFormat::kCsv) return ReadCsv(block, items, arena);
  return block.records.places.empty() ? ReadLines(block, items, arena)
                                      : ReadValues(block, items, arena);
}

Status ItemLoad::ReadLines(LoadBlock& block, ItemsOfThread* items, Arena& arena) {
  OutputBuffer& bytes = block.records.bytes;
  for (std::size_t at = block.begin; at < bytes.size(); ++block.line) {
    const std::span<char> line = LineAt(bytes, at);
    at += line.size() + 1;
    if (IsBlank({line.data(), line.size()})) continue;
    if (line.size() > kMaxRecordBytes) return ValidationError("the line is longer than 16 MB");
    HR_RETURN_IF_ERROR(ReadJson(block, line, items, arena));
  }
  return {};
}

Status ItemLoad::ReadValues(LoadBlock& block, ItemsOfThread* items, Arena& arena) {
  char* const bytes = block.records.bytes.data();
  for (const RecordPlace& place : block.records.places) {
    block.line = place.line;
    if (place.size > kMaxRecordBytes) return ValidationError("the item is longer than 16 MB");
    HR_RETURN_IF_ERROR(ReadJson(block, {bytes + place.begin, place.size}, items, arena));
  }
  return {};
}

Status ItemLoad::ReadJson(const LoadBlock& block, std::span<char> json, ItemsOfThread* items,
                          Arena& arena) {
  arena.Reset();
  HR_ASSIGN(const JsonValue value, ReadItemLine(json, block.format, arena));
  HR_ASSIGN(ItemRef item, MakeItem(*block.file->version, value, arena));
  Add(block, std::move(item), items);
  return {};
}

Status ItemLoad::ReadCsv(LoadBlock& block, ItemsOfThread* items, Arena& arena) {
  OutputBuffer& bytes = block.records.bytes;
  CsvReader reader({bytes.data() + block.begin, bytes.size() - block.begin}, block.line);
  std::vector<std::span<char>> cells;
  for (;;) {
    const auto has_record = reader.Next(&cells);
    block.line = reader.line();
    HR_RETURN_IF_ERROR(has_record);
    if (!*has_record) return {};
    arena.Reset();
    HR_ASSIGN(const JsonValue json, ReadCsvItem(*block.header, cells, arena));
    HR_ASSIGN(ItemRef item, MakeItem(*block.file->version, json, arena));
    Add(block, std::move(item), items);
  }
}

void ItemLoad::Add(const LoadBlock& block, ItemRef item, ItemsOfThread* items) {
  const std::uint64_t hash = item->hash();
  const auto partition = static_cast<std::size_t>(PartitionSet::NumberOf(hash));
  items->tables[block.file->table][partition].push_back({hash, block.place(), std::move(item)});
  ++items->count;
}

Status ItemLoad::Sort() {
  sorted_.resize(tables_.size());
  const std::size_t jobs = tables_.size() * std::tuple_size_v<Parts>;
  std::atomic<std::size_t> next{0};
  Mutex mutex;
  std::optional<Duplicate> first_duplicate;
  RunOnThreads(threads_, [&](int) {
    for (std::size_t job = next++; job < jobs; job = next++) {
      const std::size_t parts = std::tuple_size_v<Parts>;
      const auto duplicate = SortPart(job / parts, job % parts);
      if (!duplicate) continue;
      MutexLock lock(mutex);
      if (!first_duplicate || duplicate->place < first_duplicate->place) {
        first_duplicate = duplicate;
      }
    }
  });
  read_.clear();
  if (!first_duplicate) return {};
  return ValidationError(source_.PlaceText(first_duplicate->place) +
                         ": the item has the key of that of " +
                         source_.PlaceText(first_duplicate->first));
}

std::optional<ItemLoad::Duplicate> ItemLoad::SortPart(std::size_t table, std::size_t number) {
  Part& part = sorted_[table][number];
  std::size_t count = 0;
  for (const ItemsOfThread& worker : read_) {
    count += worker.tables.empty() ? 0 : worker.tables[table][number].size();
  }
  part.reserve(count);
  for (ItemsOfThread& worker : read_) {
    if (worker.tables.empty()) continue;  // this thread could not be started
    std::ranges::move(worker.tables[table][number], std::back_inserter(part));
    worker.tables[table][number] = Part();
  }
  std::ranges::sort(part, [](const LoadedItem& a, const LoadedItem& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = a.item->key().compare(b.item->key());
    return order != 0 ? order < 0 : a.place < b.place;
  });
  std::optional<Duplicate> first_duplicate;
  for (std::size_t i = 1; i < part.size(); ++i) {
    const LoadedItem& before = part[i - 1];
    const LoadedItem& item = part[i];
    if (before.hash != item.hash || before.item->key() != item.item->key()) continue;
    if (!first_duplicate || item.place < first_duplicate->place) {
      first_duplicate = {item.place, before.place};
    }
  }
  return first_duplicate;
}

std::int64_t ItemLoad::count(std::size_t table) const {
  std::size_t count = 0;
  for (const Part& part : sorted_[table]) count += part.size();
  return static_cast<std::int64_t>(count);
}

void ItemLoad::CheckMemoryForCommit() const {
  // The bytes of a slot and its share of the nodes. Items arrive in order and fill their leaves;
  // index entries do not.
  constexpr std::size_t kItemBytes = 24, kIndexEntryBytes = 48;
  std::size_t bytes = 0;
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    std::size_t of_item = kItemBytes;
    for (const IndexVersion& index : tables_[table]->indexes) {
      of_item += kIndexEntryBytes;
      if (index.schema.is_vector()) of_item += VectorRowBytes(index.schema.vector->dimensions);
    }
    bytes += static_cast<std::size_t>(count(table)) * of_item;
  }
  ::operator delete(::operator new(bytes));
}

PendingSeed ItemLoad::Keep(Catalog& catalog, std::size_t table) const {
  const Parts& parts = sorted_[table];
  std::size_t part = 0, item = 0;
  return catalog.KeepSeed(*tables_[table], [&]() -> const ItemRef* {
    while (part < parts.size() && item == parts[part].size()) {
      ++part;
      item = 0;
    }
    return part < parts.size() ? &parts[part][item++].item : nullptr;
  });
}

Status ItemLoad::Commit(const Target& target, std::size_t table, FindTable find) {
  Parts& parts = sorted_[table];
  std::atomic<std::size_t> next{0};
  Mutex mutex;
  Status status;
  RunOnThreads(threads_, [&](int) {
    for (std::size_t number = next++; number < parts.size(); number = next++) {
      Status committed = CommitPart(target, *tables_[table], parts[number], find);
      parts[number] = Part();
      if (committed.ok()) continue;
      MutexLock lock(mutex);
      status = std::move(committed);
    }
  });
  return status;
}

Status ItemLoad::CommitPart(const Target& target, const TableVersion& checked, Part& part,
                            FindTable find) const {
  if (part.empty()) return {};
  std::int64_t uncounted = 0;
  HR_ASSIGN(TableRef table, find());
  Arena arena;
  for (LoadedItem& loaded : part) {
    if (target.durability) HR_RETURN_IF_ERROR(target.durability->WaitForRoom());
    for (;;) {
      arena.Reset();
      if (table->number != checked.number) {
        const ItemView view(table->key, loaded.item.get());
        HR_RETURN_IF_ERROR(CheckItemFits(*table, view.Attributes(arena)));
      }
      const auto put = [&](ItemView) { return Decision::Put(loaded.item); };
      const ItemWrite write{.address = {table.get(), {loaded.hash, loaded.item->key()}},
                            .function = put,
                            .seed = target.seed};
      WriteOutcome outcome;
      const CommitResult result = target.engine.Commit({&write, 1}, {&outcome, 1}, arena);
      if (result != CommitResult::kStale) break;
      HR_ASSIGN(table, find());
    }
    loaded.item = nullptr;
    if (++uncounted < kCountedAtOnce) continue;
    AddToCounter(counters_.stored, std::exchange(uncounted, 0));
  }
  AddToCounter(counters_.stored, uncounted);
  return {};
}

}  // namespace hashrange
