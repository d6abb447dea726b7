// Nearest: the K rows with the best scores for a query, exactly, in one pass over the rows.
//
//   Nearest nearest(function, query, k);
//   for (…) nearest.Add(block, next, accepts);
//   for (const Neighbour& neighbour : nearest.Best()) …
//
// The K best rows so far are a heap by their exact scores, which are computed in double. A further
// row passes three steps, each of which leaves out most of the rows that it is given: those that
// would not be among the best even with the greatest error of that step (row_limits.cc proves the
// bounds). So the answer is that of a scan in double.
//
//   1. the dot product of its coarse copy and that of the query, in integers: a read of a quarter
//      of the bytes, which is what limits the whole search
//   2. its similarity in float: the dot product, or minus the square of the distance. It tells rows
//      apart that are nearer to each other than their coarse copies show
//   3. its exact score, which decides
#pragma once

#include <absl/functional/function_ref.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/vectors/row_block.h"
#include "engine/vectors/row_kernels.h"
#include "engine/vectors/row_limits.h"
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

  // Shows a block, which is not used after the call. `next` is the block of the next call, or an
  // empty one; the search starts to fetch what it reads of it first. `accepts(row)` says whether
  // the search may return the row; it is asked only for rows that are better than the K-th best row
  // so far. Cost: a read of the coarse copies, and of the rows that these do not leave out; 1 ns
  // for each element of a row that may be among the best.
  void Add(const RowBlock& block, const RowBlock& next,
           absl::FunctionRef<bool(std::size_t row)> accepts);

  // Returns the best K of the accepted rows, or all of them if they are fewer: the best first, by
  // the scores before their rounding to float; equal ones in the order of block and row. Nothing
  // may be called after it.
  std::vector<Neighbour> Best();

 private:
  // The kernels sum up to this many rows at a time. What must be scored exactly is then still in
  // the nearest cache.
  static constexpr std::size_t kRowsAtOnce = 16;
  struct RowList {
    // The rows from `begin` on, kRowsAtOnce at most, of a block that has `count`.
    static RowList From(std::size_t begin, std::size_t count) {
      RowList list;
      const std::size_t end = std::min(begin + kRowsAtOnce, count);
      for (std::size_t row = begin; row < end; ++row) list.Add(row);
      return list;
    }
    void Add(std::size_t row) { rows[count++] = static_cast<std::uint32_t>(row); }
    std::uint32_t rows[kRowsAtOnce];
    std::size_t count = 0;
  };
  struct alignas(64) Line {
    float elements[kRowUnit];
  };

  const float* query() const { return query_.data()->elements; }
  RowList LeftByCoarse(const RowBlock& block, const RowBlock& next, std::size_t begin) const;
  void AddRows(std::uint32_t number, const RowBlock& block, const RowList& rows,
               absl::FunctionRef<bool(std::size_t row)> accepts);
  void Consider(Neighbour neighbour, const float* row,
                absl::FunctionRef<bool(std::size_t row)> accepts);
  bool IsBetter(const Neighbour& a, const Neighbour& b) const;

  DistanceFunction function_;
  std::size_t dimensions_;
  std::size_t stride_;
  std::size_t k_;
  std::vector<Line> query_;
  double query_norm_;
  CoarseQuery coarse_query_;
  RowKernel kernel_;
  CoarseKernel coarse_kernel_;
  std::vector<Neighbour> best_;  // a heap with exact scores; the worst one is first
  FloatLimit limit_;
  CoarseLimit coarse_limit_;
  std::uint32_t blocks_ = 0;
  std::uint32_t next_coarse_block_ = 0;  // of blocks before it, the coarse copies are not read
};

}  // namespace hashrange
