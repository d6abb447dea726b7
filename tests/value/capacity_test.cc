#include "value/capacity.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

// docs/service/08-capacity.md, section 3.
TEST(Capacity, UnitsTurnAtTheServicesBoundaries) {
  const struct {
    std::size_t size_bytes;
    double write_units, read_units;
  } kRows[] = {{0, 1, 1},    {1, 1, 1},    {1024, 1, 1},        {1025, 2, 1},
               {4096, 4, 1}, {4097, 5, 2}, {409'600, 400, 100}, {409'601, 401, 101}};
  for (const auto& [size_bytes, write_units, read_units] : kRows) {
    EXPECT_EQ(WriteUnitsOfSize(size_bytes), write_units) << size_bytes;
    EXPECT_EQ(ReadUnitsOfSize(size_bytes), read_units) << size_bytes;
    EXPECT_EQ(WriteUnitsOfMean(static_cast<double>(size_bytes)), write_units) << size_bytes;
    EXPECT_EQ(ReadUnitsOfMean(static_cast<double>(size_bytes)), read_units) << size_bytes;
  }
  EXPECT_EQ(WriteUnitsOfMean(1024.5), 2);
}

}  // namespace
}  // namespace hashrange
