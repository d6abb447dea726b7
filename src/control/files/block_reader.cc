#include "control/files/block_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"

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

// Reads from `source` until `to` has `wanted` bytes. Returns false at the end of the source.
Result<bool> ReadUntil(std::size_t wanted, ByteSource& source, OutputBuffer& to) {
  while (to.size() < wanted) {
    char* const room = to.Reserve(wanted - to.size() + 1);
    HR_ASSIGN(const std::size_t read, source.Read({room, wanted - to.size()}));
    to.EndAt(room + read);
    if (read == 0) return false;
  }
  return true;
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
  if (!is_at_end_) {
    HR_ASSIGN(const bool has_more, ReadUntil(wanted, *source_, to));
    is_at_end_ = !has_more;
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

namespace {

using Outcome = ScannedValue::Outcome;

// Scans find where a JSON value ends: they look only at texts in quotes and at nesting, so the
// value may still be no JSON.

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kNotFound = std::string_view::npos;

// Returns the place of the first byte from `begin` on that is no space; text.size() without one.
std::size_t SkipJsonSpace(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of(kSpace, begin), text.size());
}

// Scans the text in quotes that begins at `begin`.
ScannedValue ScanText(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '"') return {Outcome::kWhole, at + 1};
    if (text[at] == '\n') return {Outcome::kOpenText, at};
    if (text[at] == '\\') ++at;
  }
  return {Outcome::kCut, text.size()};
}

// A function that is called for each member of the scanned object, but not for members of nested
// objects. Its arguments are the name as it is written, with its escapes, and the place where the
// value begins.
using OnMember = absl::FunctionRef<void(std::string_view name, std::size_t value_begin)>;

// Scans an object or array, from its opening bracket on or from behind the value of a member.
class NestedScan {
 public:
  NestedScan(std::string_view text, OnMember member) : text_(text), member_(member) {}

  // `is_in_object`: the scan begins inside of an object, behind a member.
  ScannedValue Run(std::size_t begin, bool is_in_object) {
    int depth = is_in_object ? 1 : 0;
    bool is_object = is_in_object || text_[begin] == '{';
    for (std::size_t at = begin; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') {
        const ScannedValue text = ScanText(text_, at);
        if (text.outcome != Outcome::kWhole) return text;
        if (depth == 1 && is_object) ReportMember(at, text.end);
        at = text.end - 1;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (--depth == 0) return {Outcome::kWhole, at + 1};
      }
    }
    return {Outcome::kCut, text_.size()};
  }

 private:
  // Calls `member_` if the text in quotes is a name: a colon follows it.
  void ReportMember(std::size_t begin, std::size_t end) {
    const std::size_t colon = SkipJsonSpace(text_, end);
    if (colon == text_.size() || text_[colon] != ':') return;
    const std::size_t value = SkipJsonSpace(text_, colon + 1);
    if (value < text_.size()) member_(text_.substr(begin + 1, end - begin - 2), value);
  }

  const std::string_view text_;
  const OnMember member_;
};

// Scans the value whose first byte is text[begin].
// Cost: one pass over the value, in constant memory.
ScannedValue ScanValue(std::string_view text, std::size_t begin, OnMember member) {
  const char first = text[begin];
  if (first == '"') return ScanText(text, begin);
  if (first == '{' || first == '[') return NestedScan(text, member).Run(begin, false);
  const std::size_t end = text.find_first_of(" \t\r\n,]}{[\"", begin + 1);
  if (end == kNotFound) return {Outcome::kCut, text.size()};
  return {Outcome::kWhole, end};
}

ScannedValue ScanValue(std::string_view text, std::size_t begin) {
  return ScanValue(text, begin, [](std::string_view, std::size_t) {});
}

// Scans the rest of an object. text[begin] is behind the value of one of the object's members.
ScannedValue ScanRestOfObject(std::string_view text, std::size_t begin, OnMember member) {
  return NestedScan(text, member).Run(begin, true);
}

// Recognises, by the members of an object, whether the object is the answer of a Scan or a Query.
// An answer has a member Items that is an array. An item may have such an attribute, too, but an
// item also has an attribute with the key's name.
class ScanAnswer {
 public:
  // `text` is the scanned text, `key_name` the name of a key attribute. Both outlive the object.
  ScanAnswer(std::string_view text, std::string_view key_name) : text_(text), key_name_(key_name) {}

  void AddMember(std::string_view name, std::size_t value_begin) {
    const char first = text_[value_begin];
    if (name == key_name_) has_key_ = true;
    if (name == "Items" && first == '[') items_begin_ = value_begin;
    const bool goes_on = name == "LastEvaluatedKey" || name == "NextToken";
    if (goes_on && first != 'n') is_partial_ = true;
  }

  bool is_answer() const { return items_begin_ > 0 && !has_key_; }
  // Where the array of items begins.
  std::size_t items_begin() const { return items_begin_; }
  // Whether the answer says where the next Scan continues, so that items are missing.
  bool is_partial() const { return is_partial_; }

 private:
  const std::string_view text_;
  const std::string_view key_name_;
  std::size_t items_begin_ = 0;
  bool has_key_ = false;
  bool is_partial_ = false;
};

constexpr const char* kOpenTextSentence = "a text in quotes does not end in its line";

}  // namespace

bool HasItemPerLine(std::string_view head, std::string_view key_name) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = SkipJsonSpace(head, 0);
  if (begin == head.size() || (head[begin] != '[' && head[begin] != '{')) return true;
  if (head[begin] == '[') return false;
  ScanAnswer answer(head, key_name);
  const ScannedValue object = ScanValue(head, begin, [&](std::string_view name, std::size_t value) {
    answer.AddMember(name, value);
  });
  // The text is no JSON. Reading it as a line reports the error.
  if (object.outcome == Outcome::kOpenText) return true;
  return !answer.is_answer() && head.substr(begin, object.end - begin).find('\n') == head.npos;
}

Result<bool> ValueReader::Next(RecordBlock* block) {
  OutputBuffer& bytes = block->bytes;
  bytes.Clear();
  bytes.Append(unfinished_);
  block->places.clear();
  block->first_line = line_;
  text_ = bytes.view();
  at_ = counted_at_ = 0;
  for (;;) {
    const std::size_t counted_at = counted_at_;
    const std::uint64_t line = line_;
    const Result<bool> advanced = Advance(block);
    if (advanced.ok() && *advanced) continue;
    if (!block->places.empty()) {
      // The error, or the unfinished value, is found again after the items before it are handed
      // out.
      counted_at_ = counted_at;
      line_ = line;
      break;
    }
    HR_RETURN_IF_ERROR(advanced);
    if (is_at_end_) {
      HR_RETURN_IF_ERROR(CheckEnd());
      return false;
    }
    HR_RETURN_IF_ERROR(ReadMore(bytes));
  }
  line_ = LineAt(at_);
  unfinished_ = text_.substr(at_);
  bytes.Truncate(at_);
  bytes.Reserve(1);  // the byte behind the block, which parsing in place may overwrite
  return true;
}

Result<bool> ValueReader::Advance(RecordBlock* block) {
  at_ = SkipJsonSpace(text_, at_);
  if (at_ == text_.size()) return false;
  const char c = text_[at_];
  if (place_ == Place::kRest) return SkipRestOfAnswer();
  if (place_ != Place::kTop) return AdvanceInArray(c, block);
  if (c == '[') {
    ++at_;
    place_ = Place::kFirstElement;
    return true;
  }
  if (std::string_view(",:]}").find(c) != std::string_view::npos) {
    return ErrorAt(at_, "no item begins here");
  }
  return c == '{' ? TakeObject(block) : TakeValue(ScanValue(text_, at_), block);
}

Result<bool> ValueReader::AdvanceInArray(char c, RecordBlock* block) {
  if (c == ']' && place_ != Place::kElement) {
    ++at_;
    place_ = is_in_answer_ ? Place::kRest : Place::kTop;
    return true;
  }
  if (place_ == Place::kComma) {
    if (c != ',') return ErrorAt(at_, "a comma, or the end of the array, is missing here");
    ++at_;
    place_ = Place::kElement;
    return true;
  }
  if (std::string_view(",:]}").find(c) != std::string_view::npos) {
    return ErrorAt(at_, "an item is missing here");
  }
  return TakeValue(ScanValue(text_, at_), block);
}

// Reads an item, or the beginning of a Scan's answer up to its items. Whether an object is an
// answer is known when all of it was read, or when it is longer than an item may be.
Result<bool> ValueReader::TakeObject(RecordBlock* block) {
  ScanAnswer answer(text_, key_name_);
  const ScannedValue object = ScanValue(
      text_, at_, [&](std::string_view name, std::size_t value) { answer.AddMember(name, value); });
  const bool is_known = object.outcome == Outcome::kWhole || text_.size() - at_ > kMaxRecordBytes;
  if (!is_known || !answer.is_answer()) return TakeValue(object, block);
  at_ = answer.items_begin() + 1;
  place_ = Place::kFirstElement;
  is_in_answer_ = true;
  is_partial_ = answer.is_partial();
  return true;
}

// Skips the text behind the items of a Scan's answer.
Result<bool> ValueReader::SkipRestOfAnswer() {
  ScanAnswer answer(text_, key_name_);
  const ScannedValue rest = ScanRestOfObject(
      text_, at_, [&](std::string_view name, std::size_t value) { answer.AddMember(name, value); });
  if (rest.outcome == Outcome::kOpenText) return ErrorAt(rest.end, kOpenTextSentence);
  if (rest.outcome == Outcome::kCut) return false;
  at_ = rest.end;
  place_ = Place::kTop;
  is_in_answer_ = false;
  is_partial_ = is_partial_ || answer.is_partial();
  return true;
}

Result<bool> ValueReader::TakeValue(const ScannedValue& value, RecordBlock* block) {
  if (value.outcome == Outcome::kOpenText) return ErrorAt(value.end, kOpenTextSentence);
  if (value.outcome == Outcome::kCut) return false;
  block->places.push_back({at_, value.end - at_, LineAt(at_)});
  at_ = value.end;
  if (place_ != Place::kTop) place_ = Place::kComma;
  return true;
}

Status ValueReader::CheckEnd() {
  if (at_ < text_.size()) return ErrorAt(at_, "what begins here has no end");
  if (place_ == Place::kTop) return {};
  return ErrorAt(at_, place_ == Place::kRest ? "the object around the items has no end"
                                             : "the array of the items has no end");
}

Status ValueReader::ReadMore(OutputBuffer& bytes) {
  // Items are handed out before more is read, so no item is in the text that is dropped.
  line_ = LineAt(at_);
  unfinished_ = text_.substr(at_);
  bytes.Clear();
  bytes.Append(unfinished_);
  at_ = counted_at_ = 0;
  if (bytes.size() > kMaxRecordBytes) {
    return ValidationError("what begins here is longer than 16 MB: is a bracket not closed?");
  }
  // A value that is longer than a block is read in steps of doubling size.
  const std::size_t wanted =
      bytes.size() + std::max({block_bytes_, bytes.size(), kByteOrderMark.size()});
  // This is called only before the end of the file.
  HR_ASSIGN(const bool has_more, ReadUntil(wanted, *source_, bytes));
  is_at_end_ = !has_more;
  text_ = bytes.view();
  if (is_at_start_ && text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  is_at_start_ = false;
  return {};
}

std::uint64_t ValueReader::LineAt(std::size_t at) {
  const std::string_view passed = text_.substr(counted_at_, at - counted_at_);
  line_ += CountLines(passed);
  counted_at_ = at;
  return line_;
}

Error ValueReader::ErrorAt(std::size_t at, std::string sentence) {
  LineAt(at);
  return ValidationError(std::move(sentence));
}

}  // namespace hashrange
