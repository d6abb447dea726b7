#include "engine/vectors/row_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/vectors/vector_numbers.h"

namespace hashrange {
namespace {

constexpr float kGreatest = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

struct Coarse {
  explicit Coarse(std::vector<float> row) : copy(RowStride(static_cast<int>(row.size())), -1) {
    const int dimensions = static_cast<int>(row.size());
    row.resize(copy.size());
    measures = MakeCoarse(row.data(), dimensions, copy.data());
  }

  std::vector<std::int8_t> copy;
  RowMeasures measures;
};

// The length of what the copies leave out, in the widest float of the machine.
template <typename Element>
long double LeftOut(const std::vector<float>& row, const Element* copy, double scale) {
  long double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const long double left_out =
        static_cast<long double>(row[i]) -
        static_cast<long double>(scale) * static_cast<long double>(copy[i]);
    sum += left_out * left_out;
  }
  return std::sqrt(sum);
}

TEST(RowBlockTest, RowsTakeWholeLines) {
  EXPECT_EQ(RowStride(1), 16U);
  EXPECT_EQ(RowStride(16), 16U);
  EXPECT_EQ(RowStride(17), 32U);
  EXPECT_EQ(RowStride(4096), 4096U);
}

TEST(RowBlockTest, NormIsTheLengthOrNotANumber) {
  EXPECT_EQ(Coarse({3, 4}).measures.norm, 5);
  EXPECT_EQ(Coarse({3}).measures.norm, 3);
  EXPECT_EQ(Coarse({0, -0.0F}).measures.norm, 0);
  EXPECT_EQ(Coarse({kSmallest}).measures.norm, kSmallest);
  EXPECT_EQ(Coarse({kGreatest}).measures.norm, kGreatest);
  EXPECT_TRUE(std::isnan(Coarse({kGreatest, kGreatest}).measures.norm));
}

TEST(RowBlockTest, CoarseCopyHasElementsInUnitsAndThenZeros) {
  const Coarse coarse({254, -254, 3, -3, 0.9F, 0});
  EXPECT_EQ(coarse.copy,
            (std::vector<std::int8_t>{127, -127, 2, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(coarse.measures.scale, 2);
  EXPECT_GE(coarse.measures.residual, std::sqrt(2.81F));
  EXPECT_LE(coarse.measures.residual, std::sqrt(2.82F));
}

TEST(RowBlockTest, ExactCopiesLeaveNothingOut) {
  for (const std::vector<float>& row : {std::vector<float>{127, -5, 0},
                                        {0, 0},
                                        {-1270 * kSmallest, 20 * kSmallest},
                                        {127 * 0x1p100F}}) {
    EXPECT_EQ(Coarse(row).measures.residual, 0) << row[0];
  }
}

// Scales that are less than the smallest normal float are too small, too great, or zero.
TEST(RowBlockTest, TinyElementsAreLeftOutWhereUnitsAreMissing) {
  const Coarse too_small({190 * kSmallest, -1 * kSmallest});
  EXPECT_EQ(too_small.measures, (RowMeasures{190 * kSmallest, kSmallest, 64 * kSmallest}));
  const Coarse zero({63 * kSmallest, 0});
  EXPECT_EQ(zero.measures, (RowMeasures{63 * kSmallest, 0, 64 * kSmallest}));
}

TEST(RowBlockTest, ResidualIsTheLengthOfWhatIsLeftOutRoundedUp) {
  Numbers numbers(3);
  for (const std::size_t dimensions : {1, 3, 16, 100, 4096}) {
    for (int i = 0; i < 200; ++i) {
      const std::vector<float> row = numbers.Vector(dimensions);
      const Coarse coarse(row);
      const long double left_out = LeftOut(row, coarse.copy.data(), coarse.measures.scale);
      ASSERT_GE(coarse.measures.residual, left_out);
      ASSERT_LE(coarse.measures.residual, left_out * (1 + 0x1p-22L) + kSmallest);
      ASSERT_LE(coarse.measures.residual,
                LeftOut(row, coarse.copy.data(), 0) * (1 + 0x1p-22L) + kSmallest);
    }
  }
}

TEST(RowBlockTest, CoarseQueryIsFineAndItsProductsFit) {
  Numbers numbers(4);
  for (const std::size_t dimensions : {1, 3, 16, 17, 513, 4096}) {
    for (int i = 0; i < 200; ++i) {
      const std::vector<float> query = numbers.Vector(dimensions);
      const CoarseQuery coarse(query);
      const std::int16_t* const elements = coarse.lines.data()->elements;
      const long double left_out = LeftOut(query, elements, coarse.scale);
      const long double length = LeftOut(query, elements, 0);
      ASSERT_GE(coarse.residual, left_out * (1 - 0x1p-50L) - length * 0x1p-50L);
      ASSERT_LE(coarse.residual, length / 64);
      std::int64_t sum = 0;
      for (std::size_t j = 0; j < dimensions; ++j) sum += kGreatestCoarse * std::abs(elements[j]);
      ASSERT_LE(sum, std::numeric_limits<std::int32_t>::max());
      ASSERT_TRUE(std::all_of(elements + dimensions, coarse.lines.back().elements + 32,
                              [](std::int16_t padding) { return padding == 0; }));
    }
  }
}

// The greatest sum: all elements have the greatest magnitude.
TEST(RowBlockTest, TheGreatestProductsFit) {
  for (const int dimensions : {1, 516, 517, 4096}) {
    const std::vector<float> query(static_cast<std::size_t>(dimensions), kGreatest);
    const std::int64_t element = CoarseQuery(query).lines[0].elements[0];
    EXPECT_LE(element * kGreatestCoarse * dimensions, std::numeric_limits<std::int32_t>::max());
    EXPECT_GT(element, 4000);
  }
}

TEST(RowBlockTest, QueryOfZerosHasNoUnits) {
  const CoarseQuery coarse(std::vector<float>{0, -0.0F});
  EXPECT_EQ(coarse.scale, 0);
  EXPECT_EQ(coarse.residual, 0);
}

}  // namespace
}  // namespace hashrange
