// How vectors are stored for a search, and the exact score of one vector.
//
// A row is one vector: its elements as floats, then zeros, RowStride() floats in all. A block has
// rows one after another. The first row of a block begins at a multiple of 64 bytes, and so does
// every other row.
//
//   rows ─► │ row 0: elements, zeros │ row 1: elements, zeros │ … │ row count - 1 │
//   norms ─►│ norm of row 0 │ norm of row 1 │ … │
#pragma once

#include <cstddef>

#include "value/schema.h"

namespace hashrange {

// A row takes a multiple of this many floats, which are 64 bytes.
inline constexpr std::size_t kRowUnit = 16;

// The distance from one row to the next, in floats.
constexpr std::size_t RowStride(int dimensions) {
  return (static_cast<std::size_t>(dimensions) + kRowUnit - 1) / kRowUnit * kRowUnit;
}

// Rows of one stride, which are finite, and the NormOf() of each row.
struct RowBlock {
  const float* rows = nullptr;
  std::size_t count = 0;
  const float* norms = nullptr;
};

// What RowBlock::norms has for a row: its Euclidean length, rounded to float. NaN if the length is
// greater than any float. Zero only for a vector of zeros.
float NormOf(const float* row, int dimensions);

// Returns the score of two vectors, each with that many elements, before it is rounded to float:
// 1 - cos, the distance, or the dot product. Sums are accumulated in double, in the order of the
// elements, so the score is the same on every machine. Two equal vectors have the cosine distance
// 0, and a vector of zeros has the cosine distance 1 to any vector.
// (docs/service/15-vector-search.md, section 7)
double ExactScore(DistanceFunction function, const float* a, const float* b,
                  std::size_t dimensions);

// Returns the score as answers have it: the nearest float, within the range of finite floats.
// (docs/service/15-vector-search.md, section 7)
double AnsweredScore(double exact_score);

}  // namespace hashrange
