#include <algorithm>

#include "control/files/csv.h"

namespace hashrange {

bool CsvReader::IsAtLineEnd() const {
  return at_ == end_ || *at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n'));
}

void CsvReader::SkipEmptyLines() {
  while (at_ != end_ && IsAtLineEnd()) {
    if (*at_ == '\n') ++line_;
    ++at_;
  }
}

Result<bool> CsvReader::Next(std::vector<std::span<char>>* cells) {
  cells->clear();
  SkipEmptyLines();
  record_line_ = line_;
  if (at_ == end_) return false;
  for (bool has_more = true; has_more;) {
    auto cell = at_ != end_ && *at_ == '"' ? ReadQuoted() : ReadBare();
    if (!cell.ok()) return std::move(cell).error();
    cells->push_back(*cell);
    HR_ASSIGN(has_more, EndCell());
  }
  return true;
}

Result<std::span<char>> CsvReader::ReadQuoted() {
  char* const begin = ++at_;
  char* out = begin;
  for (;;) {
    if (at_ == end_) return ValidationError("a quote is not closed");
    const char c = *at_++;
    if (c == '\n') ++line_;
    if (c != '"') {
      *out++ = c;
    } else if (at_ != end_ && *at_ == '"') {
      *out++ = *at_++;
    } else {
      return std::span<char>(begin, out);
    }
  }
}

Result<std::span<char>> CsvReader::ReadBare() {
  char* const begin = at_;
  for (; !IsAtLineEnd() && *at_ != ','; ++at_) {
    if (*at_ == '"') {
      return ValidationError("a quote stands in a cell that does not begin with one");
    }
  }
  return std::span<char>(begin, at_);
}

Result<bool> CsvReader::EndCell() {
  if (at_ != end_ && *at_ == ',') {
    ++at_;
    return true;
  }
  if (!IsAtLineEnd()) return ValidationError("something stands behind a closing quote");
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_) {
    ++at_;
    ++line_;
  }
  return false;
}

}  // namespace hashrange
