#include "base/text/parse_whole.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hashrange {
namespace {

TEST(ParseWhole, TakesATextThatIsANumberAndNothingElse) {
  EXPECT_EQ(ParseWhole<std::uint8_t>("255"), 255);
  EXPECT_EQ(ParseWhole<int>("-7"), -7);
  EXPECT_EQ(ParseWhole<double>("2.5e1"), 25);
  for (const std::string_view text : {"", " 1", "1 ", "+1", "-1", "1x", "256", "0x1"}) {
    EXPECT_EQ(ParseWhole<std::uint8_t>(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hashrange
