// The exact score of one vector.
#pragma once

#include <cstddef>

#include "value/schema.h"

namespace hashrange {

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
