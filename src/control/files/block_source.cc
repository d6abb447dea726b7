#include "control/files/block_source.h"

#include <string>
#include <string_view>
#include <utility>

#include "control/files/folder.h"
#include "control/files/item_line.h"
#include "control/files/record_reader.h"
#include "control/files/value_reader.h"

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
  std::lock_guard lock(mutex_);
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
  std::lock_guard lock(mutex_);
  StopWithErrorLocked(std::move(error));
}

void BlockSource::Stop() {
  std::lock_guard lock(mutex_);
  is_stopped_ = true;
}

std::vector<std::string> BlockSource::PartialFiles() const {
  std::lock_guard lock(mutex_);
  return partial_files_;
}

void BlockSource::StopWithErrorLocked(LoadError error) {
  reader_ = nullptr;
  if (!error_ || error.place < error_->place) error_ = std::move(error);
}

Status BlockSource::status() const {
  std::lock_guard lock(mutex_);
  if (!error_) return {};
  return WithFileName(PlaceText(error_->place), error_->error);
}

std::string BlockSource::PlaceText(SourcePlace place) const {
  const std::string& name = files_[place.file()].items.file.name;
  return place.line() == 0 ? name : name + ":" + std::to_string(place.line());
}

}  // namespace hashrange
