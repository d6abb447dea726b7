#include "wire/strict_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/library_gaps.h"
#include "base/text/float_text.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the text in quotes, as messages print it.
std::string QuotedForMessage(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        out.push_back('\\');
        out.push_back(c);
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\r':
        out.append("\\r");
        break;
      case '\t':
        out.append("\\t");
        break;
      default:
        out.push_back(c);
    }
  }
  return out.append("\"");
}

// Reads one text from its beginning to its end. Each function returns the first error.
class StrictReader {
 public:
  explicit StrictReader(std::string_view text) : text_(text) {}

  Status ReadRequest(const Shape& input);

 private:
  // The nesting levels that a text may have; unknown members are not counted.
  static constexpr int kMaxLevels = 127;

  // ---- the position ----

  // Skips blanks. Returns the next byte, which is not read yet; 0 at the end.
  char Peek();
  bool at_end() const { return at_ == text_.size(); }
  // Each returns an error with its place: the last byte that was read, or the byte behind it.
  Status ErrorHere(std::string_view what) const { return ErrorAt(at_, what); }
  Status ErrorAtNext(std::string_view what) const {
    return ErrorAt(std::min(at_ + 1, text_.size()), what);
  }
  Status ErrorAt(std::size_t end, std::string_view what,
                 ErrorCode code = ErrorCode::kSerializationException) const;

  // ---- values of any type ----

  Status ReadText(std::string* text);
  Status ReadEscape(std::string* text);
  Status ReadSurrogates(std::string* text);
  Status ReadHexDigits(std::uint32_t* unit);
  Status ReadWord(std::string_view word);
  Status ReadNumber(std::string_view* number);
  Status ReadDigits();
  Status SkipValue();

  // Returns the error for the next value, which is not of the type `expected`.
  Status WrongType(std::string_view expected);

  // ---- values of a type ----

  Status ReadValue(const Shape& shape);
  Status ReadString();
  Status ReadInteger();
  Status ReadBoolean();
  Status ReadAttribute();
  Status ReadTaggedValue(AttributeType type);
  // Each reads the brackets and calls `read` for each element or, after its name, each member.
  template <typename Read>
  Status ReadArray(Read read);
  template <typename Read>
  Status ReadObject(Read read);

  std::string_view text_;
  std::size_t at_ = 0;  // how many bytes were read
  int levels_ = 0;
  std::string name_;  // of the member that is read
};

char StrictReader::Peek() {
  while (!at_end() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
  return at_end() ? '\0' : text_[at_];
}

Status StrictReader::ErrorAt(std::size_t end, std::string_view what, ErrorCode code) const {
  const std::string_view before = text_.substr(0, end);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column = last_break == std::string_view::npos ? end : end - last_break - 1;
  return Error{code,
               std::string(what)
                   .append(" at line ")
                   .append(std::to_string(line))
                   .append(" column ")
                   .append(std::to_string(column)),
               nullptr};
}

Status StrictReader::ReadHexDigits(std::uint32_t* unit) {
  if (text_.size() - at_ < 4) {
    at_ = text_.size();
    return ErrorHere("EOF while parsing a string");
  }
  const char* const digits = text_.data() + at_;
  at_ += 4;
  if (std::from_chars(digits, digits + 4, *unit, 16).ptr != digits + 4) {
    return ErrorHere("invalid escape");
  }
  return {};
}

// Reads what follows the `\u` of an escape, and the escape of the second half of a surrogate pair.
Status StrictReader::ReadSurrogates(std::string* text) {
  std::uint32_t unit = 0;
  HR_RETURN_IF_ERROR(ReadHexDigits(&unit));
  if (unit >= 0xDC00 && unit <= 0xDFFF) {
    return ErrorHere("lone leading surrogate in hex escape");
  }
  if (unit >= 0xD800 && unit <= 0xDBFF) {
    for (const char wanted : {'\\', 'u'}) {
      if (at_end()) return ErrorHere("EOF while parsing a string");
      if (text_[at_++] != wanted) return ErrorHere("unexpected end of hex escape");
    }
    std::uint32_t low = 0;
    HR_RETURN_IF_ERROR(ReadHexDigits(&low));
    if (low < 0xDC00 || low > 0xDFFF) return ErrorHere("lone leading surrogate in hex escape");
    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  }
  const auto add = [&](std::uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  if (unit < 0x80) {
    add(unit);
    return {};
  }
  const int more = unit < 0x800 ? 1 : unit < 0x10000 ? 2 : 3;
  static constexpr std::uint32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
  add(kLead[more] | unit >> (6 * more));
  for (int i = more - 1; i >= 0; --i) add(0x80 | (unit >> (6 * i) & 0x3F));
  return {};
}

// Reads what follows the backslash of an escape.
Status StrictReader::ReadEscape(std::string* text) {
  static constexpr std::string_view kEscapes = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (at_end()) return ErrorHere("EOF while parsing a string");
  const char escape = text_[at_++];
  if (escape == 'u') return ReadSurrogates(text);
  const std::size_t found = kEscapes.find(escape);
  if (found == std::string_view::npos) return ErrorHere("invalid escape");
  text->push_back(kMeanings[found]);
  return {};
}

// Reads a string, of which the quote is the next byte.
Status StrictReader::ReadText(std::string* text) {
  text->clear();
  ++at_;
  while (!at_end()) {
    const char c = text_[at_++];
    if (c == '"') return {};
    if (static_cast<unsigned char>(c) < 0x20) {
      return ErrorHere("control character (\\u0000-\\u001F) found while parsing a string");
    }
    if (c == '\\') {
      HR_RETURN_IF_ERROR(ReadEscape(text));
    } else {
      text->push_back(c);
    }
  }
  return ErrorHere("EOF while parsing a string");
}

Status StrictReader::ReadWord(std::string_view word) {
  for (const char c : word) {
    if (at_end()) return ErrorHere("EOF while parsing a value");
    if (text_[at_++] != c) return ErrorHere("expected ident");
  }
  return {};
}

// Reads one digit or more.
Status StrictReader::ReadDigits() {
  if (at_end()) return ErrorHere("EOF while parsing a value");
  if (!IsDigit(text_[at_])) return ErrorAtNext("invalid number");
  while (!at_end() && IsDigit(text_[at_])) ++at_;
  return {};
}

Status StrictReader::ReadNumber(std::string_view* number) {
  const std::size_t begin = at_;
  if (text_[at_] == '-') ++at_;
  const bool starts_with_zero = !at_end() && text_[at_] == '0';
  const std::size_t first_digit = at_;
  HR_RETURN_IF_ERROR(ReadDigits());
  if (starts_with_zero && at_ > first_digit + 1) {
    at_ = first_digit + 1;
    return ErrorAtNext("invalid number");
  }
  if (!at_end() && text_[at_] == '.') {
    ++at_;
    HR_RETURN_IF_ERROR(ReadDigits());
  }
  if (!at_end() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (!at_end() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    HR_RETURN_IF_ERROR(ReadDigits());
  }
  *number = text_.substr(begin, at_ - begin);
  return {};
}

// A number of a text. Integers that do not fit 64 bits are decimals.
struct StrictNumber {
  std::string printed;                  // as messages print it
  std::optional<std::int64_t> integer;  // set if it is an integer below 2^63
  bool is_decimal = false;
  bool is_finite = true;
};

StrictNumber NumberOf(std::string_view text) {
  StrictNumber number;
  const char* const end = text.data() + text.size();
  if (text.find_first_of(".eE") == std::string_view::npos && text != "-0") {
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    if (std::from_chars(text.data(), end, integer).ec == std::errc()) number.integer = integer;
    if (number.integer || std::from_chars(text.data(), end, natural).ec == std::errc()) {
      number.printed = "integer `" + std::string(text) + "`";
      return number;
    }
  }
  double decimal = 0;
  const bool is_far = FromChars(text.data(), end, decimal).ec != std::errc();
  // FromChars gives no value for a number that is too large or too small.
  if (is_far) decimal = std::strtod(std::string(text).c_str(), nullptr);
  number.is_decimal = true;
  number.is_finite = std::isfinite(decimal);
  if (number.is_finite) number.printed = "floating point `" + FloatText(decimal) + "`";
  return number;
}

Status StrictReader::WrongType(std::string_view expected) {
  const char c = Peek();
  std::string found;
  if (at_end()) return ErrorAtNext("EOF while parsing a value");
  if (c == 'n') {
    HR_RETURN_IF_ERROR(ReadWord("null"));
    found = "null";
  } else if (c == 't' || c == 'f') {
    const std::string_view word = c == 't' ? "true" : "false";
    HR_RETURN_IF_ERROR(ReadWord(word));
    found = "boolean `" + std::string(word) + "`";
  } else if (c == '-' || IsDigit(c)) {
    std::string_view text;
    HR_RETURN_IF_ERROR(ReadNumber(&text));
    const StrictNumber number = NumberOf(text);
    if (!number.is_finite) return ErrorHere("number out of range");
    found = number.printed;
  } else if (c == '"') {
    std::string text;
    HR_RETURN_IF_ERROR(ReadText(&text));
    found = "string " + QuotedForMessage(text);
  } else if (c == '[' || c == '{') {
    found = c == '[' ? "sequence" : "map";
  } else {
    return ErrorAtNext("expected value");
  }
  return ErrorHere("invalid type: " + found + ", expected " + std::string(expected));
}

template <typename Read>
Status StrictReader::ReadArray(Read read) {
  if (levels_ == kMaxLevels) return ErrorAtNext("recursion limit exceeded");
  ++levels_;
  ++at_;
  for (bool is_first = true;; is_first = false) {
    char c = Peek();
    if (at_end()) return ErrorAtNext("EOF while parsing a list");
    if (c == ']') break;
    if (!is_first) {
      if (c != ',') return ErrorAtNext("expected `,` or `]`");
      ++at_;
      c = Peek();
      if (at_end()) return ErrorAtNext("EOF while parsing a value");
      if (c == ']') return ErrorAtNext("trailing comma");
    }
    HR_RETURN_IF_ERROR(read());
  }
  ++at_;
  --levels_;
  return {};
}

template <typename Read>
Status StrictReader::ReadObject(Read read) {
  if (levels_ == kMaxLevels) return ErrorAtNext("recursion limit exceeded");
  ++levels_;
  ++at_;
  for (bool is_first = true;; is_first = false) {
    char c = Peek();
    if (at_end()) return ErrorAtNext("EOF while parsing an object");
    if (c == '}') break;
    if (!is_first) {
      if (c != ',') return ErrorAtNext("expected `,` or `}`");
      ++at_;
      c = Peek();
      if (at_end()) return ErrorAtNext("EOF while parsing a value");
      if (c == '}') return ErrorAtNext("trailing comma");
    }
    if (c != '"') return ErrorAtNext("key must be a string");
    HR_RETURN_IF_ERROR(ReadText(&name_));
    // A repeated member is reported at its name, before the colon.
    HR_RETURN_IF_ERROR(read([this]() -> Status {
      const char next = Peek();
      if (at_end()) return ErrorAtNext("EOF while parsing an object");
      if (next != ':') return ErrorAtNext("expected `:`");
      ++at_;
      return {};
    }));
  }
  ++at_;
  --levels_;
  return {};
}

// Skips a value of any type and depth.
Status StrictReader::SkipValue() {
  std::string open;  // the brackets that are open
  std::string text;
  bool wants_value = true;
  for (;;) {
    const char c = Peek();
    if (at_end()) return ErrorAtNext("EOF while parsing a value");
    if (!wants_value) {
      if (c == open.back() + 2) {  // ']' and '}' are two behind '[' and '{'
        ++at_;
        open.pop_back();
        if (open.empty()) return {};
        continue;
      }
      if (c != ',')
        return ErrorAtNext(open.back() == '[' ? "expected `,` or `]`" : "expected `,` or `}`");
      ++at_;
    }
    if (!open.empty() && open.back() == '{') {
      if (Peek() != '"') return ErrorAtNext("key must be a string");
      HR_RETURN_IF_ERROR(ReadText(&text));
      if (Peek() != ':') return ErrorAtNext("expected `:`");
      ++at_;
    }
    const char first = Peek();
    if (first == '[' || first == '{') {
      ++at_;
      open.push_back(first);
      wants_value = Peek() != first + 2;
      continue;
    }
    if (first == '"') {
      HR_RETURN_IF_ERROR(ReadText(&text));
    } else if (first == '-' || IsDigit(first)) {
      std::string_view number;
      HR_RETURN_IF_ERROR(ReadNumber(&number));
    } else if (first == 'n' || first == 't' || first == 'f') {
      HR_RETURN_IF_ERROR(ReadWord(first == 'n' ? "null" : first == 't' ? "true" : "false"));
    } else {
      return ErrorAtNext("expected value");
    }
    if (open.empty()) return {};
    wants_value = false;
  }
}

Status StrictReader::ReadString() {
  if (Peek() != '"') return WrongType("a string");
  return ReadText(&name_);
}

Status StrictReader::ReadBoolean() {
  const char c = Peek();
  if (c != 't' && c != 'f') return WrongType("a boolean");
  return ReadWord(c == 't' ? "true" : "false");
}

Status StrictReader::ReadInteger() {
  const char c = Peek();
  if (c != '-' && !IsDigit(c)) return WrongType("i32");
  const std::size_t begin = at_;
  std::string_view text;
  HR_RETURN_IF_ERROR(ReadNumber(&text));
  const StrictNumber number = NumberOf(text);
  if (!number.is_finite || number.is_decimal) {
    at_ = begin;
    return WrongType("i32");
  }
  if (number.integer && *number.integer >= INT32_MIN && *number.integer <= INT32_MAX) return {};
  return ErrorHere("invalid value: " + number.printed + ", expected i32");
}

Status StrictReader::ReadTaggedValue(AttributeType type) {
  switch (type) {
    case AttributeType::kBool:
    case AttributeType::kNull:
      return ReadBoolean();
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      if (Peek() != '[') return WrongType("a sequence");
      return ReadArray([this] { return ReadString(); });
    case AttributeType::kL:
      if (Peek() != '[') return WrongType("a sequence");
      return ReadArray([this] { return ReadAttribute(); });
    case AttributeType::kM:
      if (Peek() != '{') return WrongType("a map");
      return ReadObject([this](auto read_colon) -> Status {
        HR_RETURN_IF_ERROR(read_colon());
        return ReadAttribute();
      });
    default:
      return ReadString();
  }
}

Status StrictReader::ReadAttribute() {
  if (Peek() != '{') return WrongType("a map");
  return ReadObject([this](auto read_colon) -> Status {
    const std::optional<AttributeType> type = TypeOfTag(name_);
    HR_RETURN_IF_ERROR(read_colon());
    return type ? ReadTaggedValue(*type) : SkipValue();
  });
}

Status StrictReader::ReadValue(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kInteger:
      return ReadInteger();
    case ShapeKind::kList:
      if (Peek() != '[') return WrongType("a sequence");
      return ReadArray([&] { return ReadValue(*shape.element); });
    case ShapeKind::kMap:
      if (Peek() != '{') return WrongType("a map");
      return ReadObject([&](auto read_colon) -> Status {
        HR_RETURN_IF_ERROR(read_colon());
        return ReadValue(*shape.element);
      });
    case ShapeKind::kAttributeValue:
      return ReadAttribute();
    default:  // the input of SearchVectors has no other kinds
      return ReadString();
  }
}

Status StrictReader::ReadRequest(const Shape& input) {
  if (Peek() != '{') return WrongType("struct " + std::string(input.name));
  std::vector<bool> is_given(input.members.size());
  const auto read_member = [&](auto read_colon) -> Status {
    const auto member = std::ranges::find(input.members, name_, &ShapeMember::name);
    const auto i = static_cast<std::size_t>(member - input.members.begin());
    if (i == input.members.size()) {
      HR_RETURN_IF_ERROR(read_colon());
      return SkipValue();
    }
    if (is_given[i]) {
      Peek();
      return ErrorHere("duplicate field `" + name_ + "`");
    }
    is_given[i] = true;
    HR_RETURN_IF_ERROR(read_colon());
    if (Peek() == 'n' && !member->is_required) return ReadWord("null");
    return ReadValue(*member->shape);
  };
  HR_RETURN_IF_ERROR(ReadObject(read_member));
  for (std::size_t i = 0; i < is_given.size(); ++i) {
    if (is_given[i] || !input.members[i].is_required) continue;
    return ErrorAt(at_, "missing field `" + std::string(input.members[i].name) + "`",
                   ErrorCode::kValidationException);
  }
  Peek();
  return at_end() ? Status() : ErrorAtNext("trailing characters");
}

}  // namespace

Status CheckStrictText(const Shape& input, std::string_view text) {
  return StrictReader(text).ReadRequest(input);
}

}  // namespace hashrange
