#include "wire/json_writer.h"

#include <charconv>
#include <cstring>

#include "base/base64.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighBits = 0x8080808080808080;

constexpr std::uint64_t HasZeroByte(std::uint64_t word) { return (word - kOnes) & ~word; }

bool NeedsEscape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

bool AnyNeedsEscape(const char* eight_bytes) {
  std::uint64_t word;
  std::memcpy(&word, eight_bytes, sizeof(word));
  const std::uint64_t control = (word - kOnes * 0x20) & ~word;
  const std::uint64_t quote = HasZeroByte(word ^ (kOnes * '"'));
  const std::uint64_t backslash = HasZeroByte(word ^ (kOnes * '\\'));
  return ((control | quote | backslash) & kHighBits) != 0;
}

// The position of the first byte that needs an escape, or the size.
std::size_t FindEscape(std::string_view text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::size_t at = 0;
  if (text.size() >= kWord) {
    const std::size_t last = text.size() - kWord;
    while (at < last && !AnyNeedsEscape(text.data() + at)) at += kWord;
    // The last eight bytes overlap what has been seen.
    if (at >= last && !AnyNeedsEscape(text.data() + last)) return text.size();
  }
  while (at < text.size() && !NeedsEscape(text[at])) ++at;
  return at;
}

void AppendEscape(char c, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      out.append("\\u00").append(1, kHex[(c >> 4) & 15]).append(1, kHex[c & 15]);
  }
}

char* Put(std::string_view text, char* out) {
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

}  // namespace

char* JsonWriter::Extend(std::size_t bytes) {
  const std::size_t at = out_.size();
  out_.resize(at + bytes);
  return out_.data() + at;
}

void JsonWriter::BeforeValue() {
  if (comma_) out_.push_back(',');
  comma_ = true;
}

void JsonWriter::Open(char c) {
  BeforeValue();
  out_.push_back(c);
  comma_ = false;
}

void JsonWriter::Close(char c) {
  out_.push_back(c);
  comma_ = true;
}

void JsonWriter::Quoted(std::string_view text) {
  out_.push_back('"');
  for (;;) {
    const std::size_t plain = FindEscape(text);
    out_.append(text.substr(0, plain));
    if (plain == text.size()) break;
    AppendEscape(text[plain], out_);
    text.remove_prefix(plain + 1);
  }
  out_.push_back('"');
}

void JsonWriter::Name(std::string_view name) {
  if (FindEscape(name) != name.size()) {
    BeforeValue();
    Quoted(name);
    out_.push_back(':');
  } else {
    char* out = Extend(name.size() + 3 + comma_);
    if (comma_) *out++ = ',';
    *out++ = '"';
    out = Put(name, out);
    *out++ = '"';
    *out = ':';
  }
  comma_ = false;
}

void JsonWriter::String(std::string_view text) { Wrapped({}, text, {}); }

void JsonWriter::Wrapped(std::string_view open, std::string_view text, std::string_view close) {
  if (FindEscape(text) != text.size()) {
    BeforeValue();
    out_.append(open);
    Quoted(text);
    out_.append(close);
    return;
  }
  char* out = Extend(open.size() + text.size() + close.size() + 2 + comma_);
  if (comma_) *out++ = ',';
  out = Put(open, out);
  *out++ = '"';
  out = Put(text, out);
  *out++ = '"';
  Put(close, out);
  comma_ = true;
}

void JsonWriter::Integer(std::int64_t value) {
  char digits[20];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  Raw({digits, static_cast<std::size_t>(end - digits)});
}

void JsonWriter::Bool(bool value) { Raw(value ? "true" : "false"); }

void JsonWriter::Double(double value) {
  // The longest fixed notation: a sign, 309 digits, or "0." and some 340 digits.
  char text[400];
  const char* const end =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed).ptr;
  const std::string_view number(text, static_cast<std::size_t>(end - text));
  Raw(number);
  if (number.find('.') == std::string_view::npos) out_.append(".0");
}

void JsonWriter::Timestamp(std::int64_t epoch_ms) {
  std::int64_t seconds = epoch_ms / 1000;
  std::int64_t ms = epoch_ms % 1000;
  BeforeValue();
  if (epoch_ms < 0) {
    out_.push_back('-');
    seconds = -seconds;
    ms = -ms;
  }
  comma_ = false;
  Integer(seconds);
  char fraction[4] = {'.', static_cast<char>('0' + ms / 100), static_cast<char>('0' + ms / 10 % 10),
                      static_cast<char>('0' + ms % 10)};
  out_.append(fraction, sizeof(fraction));
}

void JsonWriter::Raw(std::string_view json) {
  BeforeValue();
  out_.append(json);
}

void JsonWriter::Base64(std::string_view bytes) {
  BeforeValue();
  char* const out = Extend(Base64Length(bytes.size()) + 2);
  *out = '"';
  EncodeBase64(bytes, out + 1);
  out_.back() = '"';
}

}  // namespace hashrange
