#include "engine/vectors/row_kernels.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "engine/vectors/vector_numbers.h"
#include "engine/vectors/vector_rows.h"

namespace hashrange {
namespace {

std::int32_t PlainSum(const std::int8_t* row, const CoarseQuery& query, std::size_t stride) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < stride; ++i) {
    sum += row[i] *
           query.lines[i / CoarseQuery::kLineElements].elements[i % CoarseQuery::kLineElements];
  }
  return sum;
}

void ExpectExactProducts(const std::vector<float>& query, const VectorRows& rows) {
  const CoarseQuery coarse(query);
  const std::size_t stride = RowStride(static_cast<int>(query.size()));
  const RowBlock block = rows.blocks().front();
  for (const InstructionSet set : MachineInstructionSets()) {
    std::vector<std::int32_t> sums((block.count + 3) / 4 * 4);
    KernelsOf(set).coarse_dot_product({.rows = block.coarse,
                                       .count = block.count,
                                       .stride = stride,
                                       .query = coarse.lines.data()->elements,
                                       .ahead = block.coarse},
                                      sums.data());
    for (std::size_t i = 0; i < block.count; ++i) {
      ASSERT_EQ(sums[i], PlainSum(block.coarse + i * stride, coarse, stride))
          << "row " << i << " of " << block.count << ", dimensions " << query.size() << ", set "
          << static_cast<int>(set);
    }
  }
}

TEST(RowKernelsTest, ProductsOfCoarseCopiesAreExact) {
  Numbers numbers(8);
  for (const std::size_t dimensions : {1, 16, 17, 33, 48, 64, 80, 100, 256, 600, 4096}) {
    for (const int count : {1, 2, 3, 4, 5, 16}) {
      VectorRows rows(dimensions, 16);
      for (int i = 0; i < count; ++i) rows.Append(numbers.Vector(dimensions));
      ASSERT_NO_FATAL_FAILURE(ExpectExactProducts(numbers.Vector(dimensions), rows));
    }
  }
}

// All elements have the greatest magnitude.
TEST(RowKernelsTest, TheGreatestProductsAreExact) {
  for (const std::size_t dimensions : {1, 256, 4096}) {
    for (const float sign : {-1.0F, 1.0F}) {
      VectorRows rows(dimensions, 16);
      rows.Append(std::vector<float>(dimensions, sign));
      ASSERT_NO_FATAL_FAILURE(ExpectExactProducts(std::vector<float>(dimensions, 1.0F), rows));
    }
  }
}

}  // namespace
}  // namespace hashrange
