// Rows as the storage of an index has them, for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/vectors/row_block.h"

namespace hashrange {

class VectorRows {
 public:
  // Blocks have up to `rows_per_block` rows.
  VectorRows(std::size_t dimensions, std::size_t rows_per_block)
      : dimensions_(dimensions),
        stride_(RowStride(static_cast<int>(dimensions))),
        rows_per_block_(rows_per_block) {}

  void Append(std::span<const float> elements) {
    lines_.resize(lines_.size() + stride_ / kRowUnit);
    std::copy(elements.begin(), elements.end(), data() + count_ * stride_);
    coarse_.resize(coarse_.size() + stride_);
    measures_.push_back(
        MakeCoarse(row(count_), static_cast<int>(dimensions_), coarse_.data() + count_ * stride_));
    ++count_;
  }

  std::size_t count() const { return count_; }
  const float* row(std::size_t i) const { return lines_.data()->elements + i * stride_; }
  std::uint32_t block_of(std::size_t i) const {
    return static_cast<std::uint32_t>(i / rows_per_block_);
  }
  std::uint32_t row_in_block(std::size_t i) const {
    return static_cast<std::uint32_t>(i % rows_per_block_);
  }

  // Valid until the next Append().
  std::vector<RowBlock> blocks() const {
    std::vector<RowBlock> blocks;
    for (std::size_t i = 0; i < count_; i += rows_per_block_) {
      blocks.push_back({.rows = row(i),
                        .coarse = coarse_.data() + i * stride_,
                        .measures = measures_.data() + i,
                        .count = std::min(rows_per_block_, count_ - i)});
    }
    return blocks;
  }

 private:
  struct alignas(64) Line {
    float elements[kRowUnit] = {};
  };

  float* data() { return lines_.data()->elements; }

  std::size_t dimensions_;
  std::size_t stride_;
  std::size_t rows_per_block_;
  std::size_t count_ = 0;
  std::vector<Line> lines_;
  std::vector<std::int8_t> coarse_;
  std::vector<RowMeasures> measures_;
};

}  // namespace hashrange
