#include "base/duration.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(Duration, ADurationIsAWholeNumberAndAUnit) {
  const struct {
    std::string_view text;
    std::int64_t ms;
  } rows[] = {{"0", 0},
              {"500ms", 500},
              {"2s", 2000},
              {"5m", 300'000},
              {"2h", 7'200'000},
              {"2d", 172'800'000},
              {"0s", 0},
              {"007s", 7000},
              {"253402300799999ms", kLongestDurationMs},
              {"2932896d", 253'402'214'400'000}};
  for (const auto& row : rows) EXPECT_EQ(ParseDuration(row.text), row.ms) << row.text;
}

TEST(Duration, AnythingElseIsNoDuration) {
  for (const std::string_view text : {"",
                                      " ",
                                      "s",
                                      "ms",
                                      "-1s",
                                      "+1s",
                                      "1.5s",
                                      "1 s",
                                      " 1s",
                                      "1s ",
                                      "1S",
                                      "1w",
                                      "1sec",
                                      "1e3",
                                      "0x10",
                                      "2d2h",
                                      "253402300800000ms",
                                      "250",
                                      "1",
                                      "00000000000000000",
                                      "2932897d",
                                      "999999999999999d",
                                      "9999999999999999",
                                      "99999999999999999999999999s",
                                      "١s",
                                      "P2D"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hashrange
