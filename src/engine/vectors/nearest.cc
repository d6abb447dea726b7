#include "engine/vectors/nearest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/vectors/distance.h"

namespace hashrange {
namespace {

// After a block of which most rows were left, this many blocks are not looked at in their coarse
// copies: then a search of rows that are nearly the same takes little longer than a read of them.
constexpr std::uint32_t kBlocksPassed = 7;

void FetchMeasures(const RowMeasures* begin, std::size_t count) {
  const char* const bytes = reinterpret_cast<const char*>(begin);
  for (std::size_t i = 0; i < count * sizeof(RowMeasures); i += kCacheLineBytes) {
    __builtin_prefetch(bytes + i);
  }
}

}  // namespace

Nearest::Nearest(DistanceFunction function, std::span<const float> query, int k, InstructionSet set)
    : function_(function),
      dimensions_(query.size()),
      stride_(RowStride(static_cast<int>(query.size()))),
      k_(static_cast<std::size_t>(std::max(k, 0))),
      query_(stride_ / kRowUnit),
      query_norm_(std::sqrt(
          ExactScore(DistanceFunction::kDotProduct, query.data(), query.data(), query.size()))),
      coarse_query_(query),
      kernel_(function == DistanceFunction::kEuclidean ? KernelsOf(set).minus_squared_distance
                                                       : KernelsOf(set).dot_product),
      coarse_kernel_(KernelsOf(set).coarse_dot_product) {
  for (std::size_t i = 0; i < query.size(); ++i) {
    query_[i / kRowUnit].elements[i % kRowUnit] = query[i];
  }
}

void Nearest::Add(const RowBlock& block, const RowBlock& next,
                  absl::FunctionRef<bool(std::size_t row)> accepts) {
  const std::uint32_t number = blocks_++;
  if (k_ == 0) return;
  const bool reads_coarse = number >= next_coarse_block_;
  std::size_t left = 0;
  for (std::size_t begin = 0; begin < block.count; begin += kRowsAtOnce) {
    const RowList rows =
        reads_coarse ? LeftByCoarse(block, next, begin) : RowList::From(begin, block.count);
    left += rows.count;
    if (rows.count > 0) AddRows(number, block, rows, accepts);
  }
  if (reads_coarse && 4 * left > 3 * block.count) next_coarse_block_ = number + 1 + kBlocksPassed;
}

// Returns which of the block's rows from `begin` on, kRowsAtOnce at most, may be among the best.
Nearest::RowList Nearest::LeftByCoarse(const RowBlock& block, const RowBlock& next,
                                       std::size_t begin) const {
  const std::size_t count = std::min(kRowsAtOnce, block.count - begin);
  const RowBlock& ahead = begin < next.count ? next : block;
  std::int32_t products[kRowsAtOnce];
  coarse_kernel_({.rows = block.coarse + begin * stride_,
                  .count = count,
                  .stride = stride_,
                  .query = coarse_query_.lines.data()->elements,
                  .ahead = ahead.coarse + begin * stride_},
                 products);
  FetchMeasures(ahead.measures + begin, count);
  RowList left;
  for (std::size_t i = 0; i < count; ++i) {
    if (!coarse_limit_.LeavesOut(block.measures[begin + i], products[i])) left.Add(begin + i);
  }
  return left;
}

void Nearest::AddRows(std::uint32_t number, const RowBlock& block, const RowList& rows,
                      absl::FunctionRef<bool(std::size_t row)> accepts) {
  const float* floats[kRowsAtOnce];
  for (std::size_t i = 0; i < rows.count; ++i) floats[i] = block.rows + rows.rows[i] * stride_;
  float similarities[kRowsAtOnce];
  kernel_({.rows = floats, .count = rows.count, .stride = stride_, .query = query()}, similarities);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t row = rows.rows[i];
    if (limit_.LeavesOut(block.measures[row], similarities[i])) continue;
    Consider({.score = 0, .block = number, .row = static_cast<std::uint32_t>(row)}, floats[i],
             accepts);
  }
}

void Nearest::Consider(Neighbour neighbour, const float* row,
                       absl::FunctionRef<bool(std::size_t row)> accepts) {
  neighbour.score = ExactScore(function_, row, query(), dimensions_);
  const auto better = [this](const Neighbour& a, const Neighbour& b) { return IsBetter(a, b); };
  const bool is_full = best_.size() == k_;
  if (is_full && !better(neighbour, best_.front())) return;
  if (!accepts(neighbour.row)) return;
  if (is_full) {
    std::pop_heap(best_.begin(), best_.end(), better);
    best_.pop_back();
  }
  best_.push_back(neighbour);
  std::push_heap(best_.begin(), best_.end(), better);
  if (best_.size() < k_) return;
  const QueryMeasures query{.function = function_,
                            .stride = stride_,
                            .norm = query_norm_,
                            .coarse_scale = coarse_query_.scale,
                            .coarse_residual = coarse_query_.residual};
  limit_ = FloatLimit(query, best_.front().score);
  coarse_limit_ = CoarseLimit(query, best_.front().score);
}

std::vector<Neighbour> Nearest::Best() {
  std::sort_heap(best_.begin(), best_.end(),
                 [this](const Neighbour& a, const Neighbour& b) { return IsBetter(a, b); });
  for (Neighbour& neighbour : best_) neighbour.score = AnsweredScore(neighbour.score);
  return std::move(best_);
}

bool Nearest::IsBetter(const Neighbour& a, const Neighbour& b) const {
  if (a.score != b.score) {
    return function_ == DistanceFunction::kDotProduct ? a.score > b.score : a.score < b.score;
  }
  return a.block != b.block ? a.block < b.block : a.row < b.row;
}

}  // namespace hashrange
