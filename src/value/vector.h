// Vectors of items: the values of vector attributes, lists of numbers, as vector indexes take them
// (docs/service/15-vector-search.md, sections 6 to 8). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "value/attribute_value.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

// What keeps a value from being the vector of an index.
enum class VectorProblem : std::uint8_t {
  kNone,
  kNotAList,
  kWrongLength,
  kNotANumber,  // the type of an element
  kOutOfRange,  // an element is not a finite 32-bit floating-point number
};

// The outcome of CheckVector.
struct VectorCheck {
  VectorProblem problem = VectorProblem::kNone;
  std::size_t at =
      0;  // kNotANumber, kOutOfRange: the index of the element; kWrongLength: the length
  ValueView element;  // kNotANumber, kOutOfRange
};

// Returns the first problem of a value of the vector attribute: a value that is no list, or a list
// of another length, before the elements in their order.
// Cost: some nanoseconds for each element.
VectorCheck CheckVector(ValueView value, int dimensions);

// Returns the number rounded to the nearest 32-bit floating-point number, or none when that number
// is not finite. A number that is too small for one is 0.
std::optional<float> NearestFloat(std::string_view stored_number);

// Writes the elements of a value without a problem to `out`, which has room for them.
void ReadVector(ValueView value, std::span<float> out);

// Returns whether an item has an entry in a vector index. It has one when it has the HASH attribute
// of the index and a vector, and each filter attribute that it has is of the declared type.
bool HasVectorEntry(const IndexSchema& index, ItemView item);

// Returns the size of a vector in the entries of its index, and also in the size of an item that is
// written or stored: the name and 4 bytes for each dimension.
inline std::size_t VectorSizeBytes(const VectorSchema& vector) {
  return vector.attribute.size() + 4 * static_cast<std::size_t>(vector.dimensions);
}

// Of a search, and of a write for each index: what it is charged at least.
inline constexpr double kLeastVectorRequestBytes = 1024;

// Returns the bytes that a search is charged of an index of which it examines so many vectors and
// returns so many bytes. The service's figure is not reproducible. This one grows as the measured
// and documented figures do: by the dimensions, by the logarithm of the number of vectors, and by
// what is returned (docs/service/15-vector-search.md, section 8).
double SearchRequestBytes(int dimensions, double vectors, double returned_bytes);

}  // namespace hashrange
