// Nearest: the K rows with the best scores for a query, exactly, in one pass over the rows.
//
//   Nearest nearest(function, query, k);
//   for (const RowBlock& block : blocks) nearest.Add(block, accepts);
//   for (const Neighbour& neighbour : nearest.Best()) …
//
// The K best rows so far are a heap by their exact scores, which are computed in double. Of each
// further row, the similarity (the dot product, or minus the square of the distance) is computed in
// float first, which is limited by the memory only. A row is left out if it would not be among the
// best even with the greatest error that the sum in float can have (nearest.cc proves the bounds).
// For the few other rows, the exact score decides. So the answer is that of a scan in double.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/vectors/distance.h"
#include "engine/vectors/row_kernels.h"
#include "value/schema.h"

namespace hashrange {

// A row, by the number of its block in the order of Nearest::Add() and its number in the block.
struct Neighbour {
  double score;  // a value of float, as AnsweredScore() gives it
  std::uint32_t block;
  std::uint32_t row;
};

// One thread at a time may use it.
class Nearest {
 public:
  // The elements of the query are finite, and it has at least one. The rows of all blocks have its
  // number of dimensions. Another set than the widest one serves tests and measurements.
  Nearest(DistanceFunction function, std::span<const float> query, int k,
          InstructionSet set = WidestInstructionSet());

  // Shows a block, which is not used after the call. `accepts(row)` says whether the search may
  // return the row; it is asked only for rows that are better than the K-th best row so far.
  // Cost: a read of the rows, and 1 ns for each element of a row that may be among the best.
  void Add(const RowBlock& block, absl::FunctionRef<bool(std::size_t row)> accepts);

  // Returns the best K of the accepted rows, or all of them if they are fewer: the best first, by
  // the scores before their rounding to float; equal ones in the order of block and row. Nothing
  // may be called after it.
  std::vector<Neighbour> Best();

 private:
  // A row is left out if -FLT_MAX <= s < base + slope * norm, where s is its similarity in float.
  struct Limit {
    double base;
    double slope;
  };
  struct alignas(64) Line {
    float elements[kRowUnit];
  };

  const float* query() const { return query_.data()->elements; }
  Limit LimitFor(double worst_score) const;
  Limit CosineLimit(double worst_score) const;
  Limit EuclideanLimit(double worst_score) const;
  Limit DotProductLimit(double worst_score) const;
  void Consider(Neighbour neighbour, const float* row,
                absl::FunctionRef<bool(std::size_t row)> accepts);
  bool IsBetter(const Neighbour& a, const Neighbour& b) const;

  DistanceFunction function_;
  std::size_t dimensions_;
  std::size_t stride_;
  std::size_t k_;
  std::vector<Line> query_;
  double query_norm_;
  RowKernel kernel_;
  std::vector<Neighbour> best_;  // a heap with exact scores; the worst one is first
  Limit limit_;
  std::uint32_t blocks_ = 0;
};

}  // namespace hashrange
