#include "transfer/block_source.h"

#include <string>
#include <string_view>
#include <utility>

#include "transfer/folder.h"
#include "transfer/item_line.h"

namespace hashrange {
namespace {

// The first line that is not empty; nothing when there is none.
std::string_view FirstLine(std::string_view text) {
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
  while (!error_) {
    if (!reader_ && !OpenNext()) return false;
    if (reader_ && ReadBlock(block)) return true;
  }
  return false;
}

// False when there is none, or with an error.
bool BlockSource::OpenNext() {
  if (next_file_ == files_.size()) return false;
  const SeedItems& items = files_[next_file_++].items;
  const std::optional<std::string>& text = items.file.text;
  auto source = text ? Result(SourceOf(*text)) : OpenFile(items.file.path, items.file.bounds);
  if (!source.ok()) {
    RefuseLocked({{next_file_ - 1, 0}, std::move(source).error()});
    return false;
  }
  format_ = forced_format_;
  if (!format_ && items.is_csv) format_ = DataFormat::kCsv;
  header_ = nullptr;
  reader_ = std::make_unique<RecordReader>(std::move(source).value(), format_ == DataFormat::kCsv,
                                           block_bytes_);
  return true;
}

// False at the end of the file, which is closed then, or with an error.
bool BlockSource::ReadBlock(LoadBlock* block) {
  block->file_number = next_file_ - 1;
  block->line = reader_->line();
  block->file = &files_[next_file_ - 1];
  const auto has_block = reader_->Next(&block->records);
  if (!has_block.ok()) {
    RefuseLocked({block->place(), has_block.error()});
    return false;
  }
  block->begin = 0;
  if (const Status begun = BeginFile(block); !begun.ok()) {
    RefuseLocked({block->place(), begun.error()});
    return false;
  }
  block->format = format_.value_or(DataFormat::kDynamoDb);
  block->header = header_;
  if (!*has_block) reader_ = nullptr;
  return *has_block;
}

// What has to be known of a file before its first item.
Status BlockSource::BeginFile(LoadBlock* block) {
  if (format_ == DataFormat::kCsv) return header_ ? Status() : ReadHeader(block);
  if (format_) return {};
  const std::string_view line = FirstLine(block->records.bytes.view());
  if (!line.empty()) format_ = FormatOfLine(line, block->file->version->key);
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

void BlockSource::Refuse(LoadError error) {
  std::lock_guard lock(mutex_);
  RefuseLocked(std::move(error));
}

void BlockSource::RefuseLocked(LoadError error) {
  reader_ = nullptr;
  if (!error_ || error.place < error_->place) error_ = std::move(error);
}

Status BlockSource::status() const {
  std::lock_guard lock(mutex_);
  if (!error_) return {};
  return About(NameOf(error_->place), error_->error);
}

std::string BlockSource::NameOf(SourcePlace place) const {
  const std::string& name = files_[place.file()].items.file.name;
  return place.line() == 0 ? name : name + ":" + std::to_string(place.line());
}

}  // namespace hashrange
