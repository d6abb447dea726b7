// How vectors are stored for a search.
//
// A row is one vector: its elements as floats, then zeros, RowStride() floats in all. Beside each
// row is its coarse copy: its elements in units of the row's scale, rounded to integers of 8 bits,
// then zeros, RowStride() bytes in all. A search reads the coarse copies of all rows, which are a
// quarter of the bytes, and of the rows only few.
//
//   rows ────► │ row 0: elements, zeros │ row 1: elements, zeros │ … │ row count - 1 │
//   coarse ──► │ copy of row 0 │ copy of row 1 │ … │
//   measures ► │ of row 0 │ of row 1 │ … │
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hashrange {

// What a processor fetches at once.
inline constexpr std::size_t kCacheLineBytes = 64;

// A row takes a multiple of this many floats, which are 64 bytes, and its coarse copy a multiple of
// this many bytes.
inline constexpr std::size_t kRowUnit = 16;

// The distance from one row to the next in floats, and from one coarse copy to the next in bytes.
constexpr std::size_t RowStride(int dimensions) {
  return (static_cast<std::size_t>(dimensions) + kRowUnit - 1) / kRowUnit * kRowUnit;
}

// A row is `scale` times its coarse copy, and a rest that the coarse copy leaves out. Lengths are
// Euclidean.
struct RowMeasures {
  float norm;      // The row's length, rounded to float. NaN if it is greater than any float.
                   // Zero only for a vector of zeros.
  float scale;     // Finite, and not negative.
  float residual;  // At least the length of the rest; not much more.

  friend bool operator==(const RowMeasures&, const RowMeasures&) = default;
};

// Rows of one stride, whose elements are finite. The first row begins at a multiple of 64 bytes.
struct RowBlock {
  const float* rows = nullptr;
  const std::int8_t* coarse = nullptr;
  const RowMeasures* measures = nullptr;
  std::size_t count = 0;
};

// Writes the coarse copy of a row, and returns the measures of both. RowStride(dimensions) floats
// are read, and as many bytes are written.
RowMeasures MakeCoarse(const float* elements, int dimensions, std::int8_t* coarse);

// The greatest magnitude of an element of a coarse copy.
inline constexpr int kGreatestCoarse = 127;

// A query in the form in which it meets coarse copies: its elements in units of `scale`, rounded to
// integers. These have 16 bits, and are so small that no sum of products with a coarse copy exceeds
// 32 bits. Zeros follow.
struct CoarseQuery {
  explicit CoarseQuery(std::span<const float> query);

  static constexpr std::size_t kLineElements = 32;
  struct alignas(64) Line {
    std::int16_t elements[kLineElements] = {};
  };
  std::vector<Line> lines;
  double scale = 0;  // not negative
  // The length of what `scale` times the elements leaves out, rounded up but for 2^-50 of the
  // query's length.
  double residual = 0;
};

}  // namespace hashrange
