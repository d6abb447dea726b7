#include "engine/vectors/row_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hashrange {
namespace {

// Makes up for the rounding of sums of up to 4,096 squares in double, and of their roots.
constexpr double kRoundedUp = 1 + 0x1p-39;

// Four sums, which do not wait for each other.
struct FourSums {
  double Total() const { return (sums[0] + sums[1]) + (sums[2] + sums[3]); }
  double sums[4] = {};
};

// A row, with its zeros: a multiple of four.
using Row = std::span<const float>;

struct Extent {
  double length;
  float greatest;  // of the elements' magnitudes
};

Extent ExtentOf(Row row) {
  FourSums squares;
  float greatest[4] = {};
  for (std::size_t i = 0; i < row.size(); i += 4) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double element = row[i + j];
      squares.sums[j] += element * element;
      greatest[j] = std::max(greatest[j], std::abs(row[i + j]));
    }
  }
  return {std::sqrt(squares.Total()), *std::max_element(greatest, greatest + 4)};
}

// Writes the elements in units of `scale`, which is not 0, and returns at least the length of what
// that leaves out. The difference of an element and a multiple of a float has so few bits that it
// is exact in double. A double of the magnitude of kRounding has no bits for fractions.
double WriteInUnits(Row row, double scale, std::int8_t* written) {
  constexpr double kRounding = 0x1.8p52, kMost = kGreatestCoarse;
  const double inverse = 1 / scale;
  FourSums squares;
  for (std::size_t i = 0; i < row.size(); i += 4) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double element = row[i + j];
      const double units =
          std::max(-kMost, std::min(kMost, element * inverse)) + kRounding - kRounding;
      const double left_out = element - scale * units;
      squares.sums[j] += left_out * left_out;
      written[i + j] = static_cast<std::int8_t>(static_cast<int>(units));
    }
  }
  return std::sqrt(squares.Total()) * kRoundedUp;
}

// Returns a float that is not less.
float RoundedUp(double value) {
  const auto rounded = static_cast<float>(value);
  return rounded < value ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                         : rounded;
}

}  // namespace

// A scale is rounded to float. Where it is less than the smallest normal float, it may be so much
// too small that elements exceed the units, or zero; then the residual is great.
RowMeasures MakeCoarse(const float* elements, int dimensions, std::int8_t* coarse) {
  const Row row(elements, RowStride(dimensions));
  const auto [length, greatest] = ExtentOf(row);
  const float scale = greatest / kGreatestCoarse;
  double residual = length * kRoundedUp;
  if (scale == 0) {
    std::fill_n(coarse, row.size(), std::int8_t{0});
  } else {
    residual = WriteInUnits(row, scale, coarse);
  }
  return {.norm = length <= std::numeric_limits<float>::max()
                      ? static_cast<float>(length)
                      : std::numeric_limits<float>::quiet_NaN(),
          .scale = scale,
          .residual = RoundedUp(residual)};
}

CoarseQuery::CoarseQuery(std::span<const float> query)
    : lines((query.size() + kLineElements - 1) / kLineElements) {
  const int greatest = std::min<int>(std::numeric_limits<std::int16_t>::max(),
                                     std::numeric_limits<std::int32_t>::max() /
                                         (kGreatestCoarse * static_cast<int>(query.size())));
  for (const float element : query) scale = std::max(scale, std::abs(double{element}) / greatest);
  if (scale == 0) return;
  double sum = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const double units = std::round(query[i] / scale);
    const double left_out = query[i] - scale * units;
    lines[i / kLineElements].elements[i % kLineElements] = static_cast<std::int16_t>(units);
    sum += left_out * left_out;
  }
  residual = std::sqrt(sum) * kRoundedUp;
}

}  // namespace hashrange
