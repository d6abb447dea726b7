#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hashrange {
namespace {

Result<std::unique_ptr<int>> Half(int value) {
  if (value % 2 != 0) return ValidationError("odd: " + std::to_string(value));
  return std::make_unique<int>(value / 2);
}

Status CheckPositive(int value) {
  if (value <= 0) return ValidationError("not positive");
  return {};
}

Result<int> Quarter(int value) {
  HR_RETURN_IF_ERROR(CheckPositive(value));
  HR_ASSIGN(const std::unique_ptr<int> half, Half(value));
  std::unique_ptr<int> quarter;
  HR_ASSIGN(quarter, Half(*half));
  return *quarter;
}

Status CheckQuarter(int value) {
  HR_ASSIGN([[maybe_unused]] const int quarter, Quarter(value));
  return {};
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> value = Quarter(12);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 3);

  const Result<int> error = Quarter(6);
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().code, ErrorCode::kValidationException);
  EXPECT_EQ(error.error().message, "odd: 3");
}

TEST(Result, MacrosReturnTheFirstError) {
  EXPECT_EQ(Quarter(-3).error().message, "not positive");
  EXPECT_EQ(Quarter(3).error().message, "odd: 3");
  EXPECT_TRUE(CheckQuarter(8).ok());
  EXPECT_EQ(CheckQuarter(2).error().message, "odd: 1");
}

}  // namespace
}  // namespace hashrange
