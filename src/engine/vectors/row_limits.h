// Which rows cannot be among the best K of a search, by what is computed of a row more quickly than
// its exact score. Both limits are safe: a row whose exact score is better than `worst_score`, that
// of the K-th best row so far, is never left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/vectors/row_block.h"
#include "value/schema.h"

namespace hashrange {

// What the limits depend on beside the worst score.
struct QueryMeasures {
  DistanceFunction function;
  std::size_t stride;
  double norm;             // the query's length
  double coarse_scale;     // CoarseQuery::scale
  double coarse_residual;  // CoarseQuery::residual
};

// A limit by the coarse copies of the row and of the query.
class CoarseLimit {
 public:
  // Leaves out no row.
  CoarseLimit() = default;
  CoarseLimit(const QueryMeasures& query, double worst_score);

  // `dot_product`: of the two copies. What is not a number is less than nothing.
  bool LeavesOut(const RowMeasures& row, std::int32_t dot_product) const {
    const double norm = row.norm;
    return row.scale * (scale_ * dot_product) + residual_ * row.residual +
               norm * (norm_ + square_ * norm) <
           base_;
  }

 private:
  double base_ = -std::numeric_limits<double>::infinity();
  double scale_ = 0;
  double residual_ = 0;
  double norm_ = 0;
  double square_ = 0;
};

// A limit by the similarity in float: the dot product, or minus the square of the distance.
class FloatLimit {
 public:
  // Leaves out no row.
  FloatLimit() = default;
  FloatLimit(const QueryMeasures& query, double worst_score);

  // A similarity that is infinite or no number says nothing.
  bool LeavesOut(const RowMeasures& row, float similarity) const {
    return similarity >= -std::numeric_limits<float>::max() &&
           similarity < base_ + slope_ * static_cast<double>(row.norm);
  }

 private:
  double base_ = -std::numeric_limits<double>::infinity();
  double slope_ = 0;
};

}  // namespace hashrange
