#include "control/files/value_reader.h"

#include <algorithm>
#include <utility>

#include "control/files/json_scan.h"

namespace hashrange {
namespace {

using Outcome = ScannedValue::Outcome;

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
  while (bytes.size() < wanted && !is_at_end_) {
    char* const room = bytes.Reserve(wanted - bytes.size() + 1);
    HR_ASSIGN(const std::size_t read, source_->Read({room, wanted - bytes.size()}));
    bytes.EndAt(room + read);
    is_at_end_ = read == 0;
  }
  text_ = bytes.view();
  if (is_at_start_ && text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  is_at_start_ = false;
  return {};
}

std::uint64_t ValueReader::LineAt(std::size_t at) {
  const std::string_view passed = text_.substr(counted_at_, at - counted_at_);
  line_ += static_cast<std::uint64_t>(std::count(passed.begin(), passed.end(), '\n'));
  counted_at_ = at;
  return line_;
}

Error ValueReader::ErrorAt(std::size_t at, std::string sentence) {
  LineAt(at);
  return ValidationError(std::move(sentence));
}

}  // namespace hashrange
