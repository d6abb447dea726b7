#include "control/files/record_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hashrange {
namespace {

// Returns the end of the last line that ends outside quotes.
std::size_t EndOfCsvRecords(std::string_view text) {
  std::size_t end = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == '\n' && !is_quoted) end = i + 1;
  }
  return end;
}

std::uint64_t CountLines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::size_t RecordReader::EndOfRecords(std::string_view text) const {
  if (is_csv_ && text.find('"') != std::string_view::npos) return EndOfCsvRecords(text);
  return text.rfind('\n') + 1;  // npos + 1 is 0
}

Result<bool> RecordReader::ReadMore(OutputBuffer& to, std::size_t bytes) {
  const std::size_t least = is_at_start_ ? kByteOrderMark.size() : 0;
  const std::size_t wanted = to.size() + std::max(bytes, least);
  while (to.size() < wanted && !is_at_end_) {
    char* const room = to.Reserve(wanted - to.size() + 1);
    HR_ASSIGN(const std::size_t read, source_->Read({room, wanted - to.size()}));
    to.EndAt(room + read);
    is_at_end_ = read == 0;
  }
  if (is_at_start_ && to.view().starts_with(kByteOrderMark)) {
    const std::string rest(to.view().substr(kByteOrderMark.size()));
    to.Clear();
    to.Append(rest);
  }
  is_at_start_ = false;
  return !is_at_end_;
}

Result<bool> RecordReader::Next(RecordBlock* block) {
  OutputBuffer& bytes = block->bytes;
  bytes.Clear();
  bytes.Append(unfinished_);
  unfinished_.clear();
  block->first_line = line_;
  block->places.clear();
  std::size_t end = 0;
  while (end == 0) {
    // A record that is longer than a block is read in steps of doubling size.
    const std::size_t step = std::max(block_bytes_, bytes.size()) - bytes.size() % block_bytes_;
    HR_ASSIGN(const bool has_more, ReadMore(bytes, step));
    end = EndOfRecords(bytes.view());
    if (end == 0 && bytes.size() > kMaxRecordBytes) {
      return ValidationError(is_csv_ ? "a record is longer than 16 MB: is a quote not closed?"
                                     : "a line is longer than 16 MB");
    }
    if (!has_more) end = bytes.size();
    if (!has_more && end == 0) return false;
  }
  unfinished_ = bytes.view().substr(end);
  bytes.Truncate(end);
  bytes.Reserve(1);  // the byte behind the block, which parsing in place may overwrite
  line_ += CountLines(bytes.view());
  return true;
}

}  // namespace hashrange
