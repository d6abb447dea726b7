#include "engine/vectors/distance.h"

namespace hashrange {

float NormOf(const float* row, int dimensions) {
  double sum = 0;
  for (int i = 0; i < dimensions; ++i) sum += double{row[i]} * double{row[i]};
  return static_cast<float>(sum);
}

}  // namespace hashrange
