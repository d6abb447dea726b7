#include "wire/json_writer.h"

#include <charconv>

#include "wire/json_text.h"

namespace hashrange {

void JsonWriter::BeforeValue() {
  if (needs_comma_) out_.Append(',');
  needs_comma_ = true;
}

void JsonWriter::Open(char c) {
  BeforeValue();
  out_.Append(c);
  needs_comma_ = false;
}

void JsonWriter::Close(char c) {
  out_.Append(c);
  needs_comma_ = true;
}

void JsonWriter::Name(std::string_view name) {
  String(name);
  out_.Append(':');
  needs_comma_ = false;
}

void JsonWriter::String(std::string_view text) {
  BeforeValue();
  out_.EndAt(PutQuoted(text, out_.Reserve(QuotedRoom(text))));
}

void JsonWriter::Integer(std::int64_t value) {
  constexpr std::size_t kMaxDigits = 20;
  BeforeValue();
  char* const at = out_.Reserve(kMaxDigits);
  out_.EndAt(std::to_chars(at, at + kMaxDigits, value).ptr);
}

void JsonWriter::Bool(bool value) { Raw(value ? "true" : "false"); }

void JsonWriter::Double(double value) {
  // The longest fixed notation has a sign and 309 digits, or a sign, "0." and some 340 digits.
  char text[400];
  const char* const end =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed).ptr;
  const std::string_view number(text, static_cast<std::size_t>(end - text));
  Raw(number);
  if (number.find('.') == std::string_view::npos) out_.Append(".0");
}

void JsonWriter::Timestamp(std::int64_t epoch_ms) {
  std::int64_t seconds = epoch_ms / 1000;
  std::int64_t ms = epoch_ms % 1000;
  BeforeValue();
  if (epoch_ms < 0) {
    out_.Append('-');
    seconds = -seconds;
    ms = -ms;
  }
  needs_comma_ = false;
  Integer(seconds);
  const char fraction[] = {'.', static_cast<char>('0' + ms / 100),
                           static_cast<char>('0' + ms / 10 % 10), static_cast<char>('0' + ms % 10)};
  out_.Append({fraction, sizeof(fraction)});
}

void JsonWriter::Raw(std::string_view json) {
  BeforeValue();
  out_.Append(json);
}

void JsonWriter::StringMember(std::string_view name, std::string_view text) {
  Name(name);
  String(text);
}

void JsonWriter::IntegerMember(std::string_view name, std::int64_t value) {
  Name(name);
  Integer(value);
}

void JsonWriter::BoolMember(std::string_view name, bool value) {
  Name(name);
  Bool(value);
}

void JsonWriter::DoubleMember(std::string_view name, double value) {
  Name(name);
  Double(value);
}

void JsonWriter::TimestampMember(std::string_view name, std::int64_t epoch_ms) {
  Name(name);
  Timestamp(epoch_ms);
}

void JsonWriter::RawMember(std::string_view name, std::string_view json) {
  Name(name);
  Raw(json);
}

}  // namespace hashrange
