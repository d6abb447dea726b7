// The units of calls are held against those that a database charges in lab/run/explain_run_test.cc.
#include "lab/plan/unit_estimate.h"

#include <gtest/gtest.h>

#include <utility>

namespace hashrange {
namespace {

TEST(ItemSizes, OfNumbersCountDigits) {
  const std::pair<const char*, std::size_t> kSizes[] = {
      {"0", 1},     {"1", 2},       {"12", 2},    {"123", 3},       {"123456", 4},
      {"100", 2},   {"1010", 3},    {"0.15", 2},  {"0.0000001", 2}, {"1.5", 3},
      {"1.234", 4}, {"3.14159", 5}, {"100.5", 4}, {"-42", 3}};
  for (const auto& [number, bytes] : kSizes) {
    EXPECT_EQ(SizeOfNumberText(number), bytes) << number;
  }
}

}  // namespace
}  // namespace hashrange
