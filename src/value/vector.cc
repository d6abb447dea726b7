#include "value/vector.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "base/library_gaps.h"
#include "value/key.h"
#include "value/number.h"

namespace hashrange {
namespace {

// Returns whether the number is smaller than 1E+38, so that it certainly is in the range. The first
// byte of a stored number is its exponent of 100 (value/number.h).
bool IsSurelyInRange(std::string_view stored) {
  constexpr int kExponent = 18;  // below 100^19 = 1E+38
  const auto lead = static_cast<unsigned char>(stored[0]);
  return lead <= 0xc1 + kExponent && lead >= 0x3e - kExponent;
}

}  // namespace

std::optional<float> NearestFloat(std::string_view stored_number) {
  char text[Number::kMaxTextBytes];
  const int size = WriteNumberText(stored_number, text);
  float value = 0;
  const std::from_chars_result result = FromChars(text, text + size, value);
  if (result.ec == std::errc() && std::isfinite(value)) return value;
  // FromChars gives no value for a number that is too large or too small.
  if (!IsSurelyInRange(stored_number)) return std::nullopt;
  return 0.0f;
}

VectorCheck CheckVector(ValueView value, int dimensions) {
  if (value.type != AttributeType::kL) return {VectorProblem::kNotAList, 0, value};
  const std::size_t length = MemberCount(value);
  if (length != static_cast<std::size_t>(dimensions)) {
    return {VectorProblem::kWrongLength, length, value};
  }
  std::size_t at = 0;
  for (ListReader elements(value); !elements.done(); ++at) {
    const ValueView element = elements.Next();
    if (element.type != AttributeType::kN) return {VectorProblem::kNotANumber, at, element};
    if (!IsSurelyInRange(element.bytes()) && !NearestFloat(element.bytes())) {
      return {VectorProblem::kOutOfRange, at, element};
    }
  }
  return {};
}

void ReadVector(ValueView value, std::span<float> out) {
  std::size_t at = 0;
  for (ListReader elements(value); !elements.done(); ++at) {
    out[at] = *NearestFloat(elements.Next().bytes());
  }
}

bool HasVectorEntry(const IndexSchema& index, ItemView item) {
  if (!BelongsTo(index.key, item)) return false;
  for (const KeyPart& filter : index.vector->filters) {
    const auto value = item.Find(filter.name);
    if (value && value->type != filter.type) return false;
  }
  const auto vector = item.Find(index.vector->attribute);
  return vector && CheckVector(*vector, index.vector->dimensions).problem == VectorProblem::kNone;
}

double SearchRequestBytes(int dimensions, double vectors, double returned_bytes) {
  constexpr double kLeastVectors = 4.4;
  const double examined =
      std::round(4 * std::max(kLeastVectors, std::log2(vectors + 1)) * dimensions);
  return std::max(kLeastVectorRequestBytes, examined + returned_bytes);
}

}  // namespace hashrange
