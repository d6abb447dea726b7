#include "store/stored_value.h"

#include <cstddef>

#include "base/text/text_encodings.h"
#include "value/number.h"

namespace hashrange {
namespace {

constexpr unsigned kZero = 0x80;
constexpr unsigned kPositiveBase = 0xc1;
constexpr unsigned kNegativeBase = 0x3e;
constexpr char kNegativeEnd = 0x66;
constexpr std::size_t kMaxDigitBytes = 20;
constexpr int kMaxSignificantDecimals = 38;
constexpr int kLeastExponent = -130;
constexpr int kGreatestExponent = 125;

bool IsMember(AttributeType type, std::string_view bytes) {
  if (type == AttributeType::kN) return IsStoredNumber(bytes);
  return type == AttributeType::kB || IsValidUtf8(bytes);
}

}  // namespace

bool IsStoredNumber(std::string_view bytes) {
  if (bytes.empty()) return false;
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (bytes.size() == 1) return lead == kZero;
  const bool is_negative = lead < kZero;
  if (is_negative && bytes.back() != kNegativeEnd) return false;
  const std::string_view digits = bytes.substr(1, bytes.size() - (is_negative ? 2 : 1));
  if (digits.empty() || digits.size() > kMaxDigitBytes) return false;
  const auto digit = [&](std::size_t i) {
    const int byte = static_cast<unsigned char>(digits[i]);
    return is_negative ? 0x65 - byte : byte - 1;
  };
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digit(i) < 0 || digit(i) > 99) return false;
  }
  const int first = digit(0);
  const int last = digit(digits.size() - 1);
  if (first == 0 || last == 0) return false;
  const int decimals =
      static_cast<int>(2 * digits.size()) - (first < 10 ? 1 : 0) - (last % 10 == 0 ? 1 : 0);
  if (decimals > kMaxSignificantDecimals) return false;
  const int hundreds =
      is_negative ? static_cast<int>(kNegativeBase) - lead : lead - static_cast<int>(kPositiveBase);
  const int exponent = 2 * hundreds + (first < 10 ? 0 : 1);
  return exponent >= kLeastExponent && exponent <= kGreatestExponent;
}

bool CheckedReader::ReadVarint(std::uint32_t* value) {
  *value = 0;
  for (int shift = 0; shift < 35 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<std::uint32_t>(static_cast<unsigned char>(rest_.front()));
    rest_.remove_prefix(1);
    if (shift == 28 && byte > 15) return false;
    *value |= (byte & 0x7f) << shift;
    // A longer form than needed ends with a byte 0.
    if (byte < 0x80) return byte != 0 || shift == 0;
  }
  return false;
}

bool CheckedReader::ReadBytes(std::size_t size, std::string_view* bytes) {
  if (size > rest_.size()) return false;
  *bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool CheckedReader::ReadSizedBytes(std::string_view* bytes) {
  std::uint32_t size = 0;
  return ReadVarint(&size) && ReadBytes(size, bytes);
}

bool CheckedReader::ReadName(std::string_view* name) {
  return ReadSizedBytes(name) && IsValidUtf8(*name);
}

bool CheckedReader::ReadLongValue(std::string_view* bytes) {
  std::string_view length;
  if (!ReadBytes(4, &length)) return false;
  const char* at = length.data();
  return ReadBytes(ReadLittle32(at), bytes);
}

bool CheckedReader::ReadValueAt(ValueView* value, int depth) {
  std::string_view type_byte;
  if (depth > kMaxStoredDepth || !ReadBytes(1, &type_byte)) return false;
  const auto tag = static_cast<unsigned char>(type_byte.front());
  if (tag >= kAttributeTypes) return false;
  const auto type = static_cast<AttributeType>(tag);
  std::string_view bytes;
  switch (type) {
    case AttributeType::kS:
      if (!ReadSizedBytes(&bytes) || !IsValidUtf8(bytes)) return false;
      break;
    case AttributeType::kB:
      if (!ReadSizedBytes(&bytes)) return false;
      break;
    case AttributeType::kN: {
      std::string_view size;
      if (!ReadBytes(1, &size)) return false;
      if (!ReadBytes(static_cast<unsigned char>(size.front()), &bytes)) return false;
      if (!IsStoredNumber(bytes)) return false;
      break;
    }
    case AttributeType::kBool:
      if (!ReadBytes(1, &bytes) || static_cast<unsigned char>(bytes.front()) > 1) return false;
      break;
    case AttributeType::kNull:
      break;
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      if (!ReadLongValue(&bytes) || !CheckedReader(bytes).ReadMembers(MemberTypeOf(type))) {
        return false;
      }
      break;
    case AttributeType::kL:
      if (!ReadLongValue(&bytes) || !CheckedReader(bytes).ReadElements(depth)) return false;
      break;
    case AttributeType::kM:
      if (!ReadLongValue(&bytes) || !CheckedReader(bytes).ReadEntries(depth)) return false;
      break;
  }
  *value = ValueView(type, bytes);
  return true;
}

bool CheckedReader::ReadMembers(AttributeType member) {
  std::uint32_t left = 0;
  if (!ReadVarint(&left) || left == 0) return false;
  std::string_view before;
  for (bool is_first = true; left > 0; --left, is_first = false) {
    std::string_view bytes;
    if (!ReadSizedBytes(&bytes) || !IsMember(member, bytes)) return false;
    if (!is_first && bytes <= before) return false;
    before = bytes;
  }
  return done();
}

bool CheckedReader::ReadElements(int depth) {
  std::uint32_t left = 0;
  if (!ReadVarint(&left)) return false;
  for (ValueView element; left > 0; --left) {
    if (!ReadValueAt(&element, depth + 1)) return false;
  }
  return done();
}

bool CheckedReader::ReadEntries(int depth) {
  std::uint32_t left = 0;
  if (!ReadVarint(&left)) return false;
  std::string_view before;
  for (bool is_first = true; left > 0; --left, is_first = false) {
    std::string_view name;
    ValueView value;
    if (!ReadName(&name) || !ReadValueAt(&value, depth + 1)) return false;
    if (!is_first && name <= before) return false;
    before = name;
  }
  return done();
}

}  // namespace hashrange
