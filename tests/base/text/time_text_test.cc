#include "base/text/time_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

TEST(TimeText, AnInstantIsACalendarTimeOrSeconds) {
  const struct {
    std::string_view text;
    std::int64_t epoch_ms;
  } rows[] = {{"1970-01-01", 0},
              {"2026-01-31", 1'769'817'600'000},
              {"2026-01-31T12:00:00Z", 1'769'860'800'000},
              {"2026-01-31T12:00Z", 1'769'860'800'000},
              {"2026-01-31T12:00:00.5Z", 1'769'860'800'500},
              {"2026-01-31T12:00:00.123456789Z", 1'769'860'800'123},
              {"2026-01-31T14:00:00+02:00", 1'769'860'800'000},
              {"2026-01-31T06:30:00.007-05:30", 1'769'860'800'007},
              {"2024-02-29T23:59:59.999Z", 1'709'251'199'999},
              {"1969-12-31T23:00:00-01:00", 0},
              {"9999-12-31T23:59:59.999Z", kLastEpochMs},
              {"0", 0},
              {"1769860800", 1'769'860'800'000},
              {"1769860800.25", 1'769'860'800'250}};
  for (const auto& row : rows) EXPECT_EQ(ParseInstant(row.text), row.epoch_ms) << row.text;
}

TEST(TimeText, OtherTextsAreNoInstants) {
  const struct {
    std::string_view reason;
    std::vector<std::string_view> texts;
  } rows[] = {
      {"no date and no number", {"", "now", "-1", "1e9", "2026-1-31x"}},
      {"no such day", {"2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32"}},
      {"no such time of day",
       {"2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z"}},
      {"no zone",
       {"2026-01-31T12:00:00", "2026-01-31T12:00:00z", "2026-01-31T12:00:00+0200",
        "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00ZZ", "2026-01-31Z"}},
      {"no time", {"2026-01-31T", "2026-01-31 12:00:00Z"}},
      {"no fraction", {"2026-01-31T12:00:00.Z", "1769860800.", "1769860800.x"}},
      {"too early", {"1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01"}},
      {"too late", {"9999-12-31T23:59:59-00:01", "1769860800000", "12345678901234567890"}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.reason);
    for (const std::string_view text : row.texts) {
      EXPECT_EQ(ParseInstant(text), std::nullopt) << text;
    }
  }
}

TEST(TimeText, AWrittenInstantCanBeRead) {
  EXPECT_EQ(InstantText(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(InstantText(1'769'860'800'007), "2026-01-31T12:00:00.007Z");
  EXPECT_EQ(InstantText(kLastEpochMs), "9999-12-31T23:59:59.999Z");
  for (std::int64_t ms = 1; ms < kLastEpochMs; ms = ms * 3 + 7) {
    EXPECT_EQ(ParseInstant(InstantText(ms)), ms);
  }
}

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
  const struct {
    std::string_view reason;
    std::vector<std::string_view> texts;
  } rows[] = {
      {"no number", {"", " ", "s", "ms", "P2D", "١s"}},
      {"no whole number", {"-1s", "+1s", "1.5s", "1e3", "0x10"}},
      {"blanks", {"1 s", " 1s", "1s "}},
      {"no unit", {"1", "250", "1S", "1w", "1sec", "2d2h"}},
      {"too many digits", {"00000000000000000", "9999999999999999", "99999999999999999999999999s"}},
      {"too long", {"253402300800000ms", "2932897d", "999999999999999d"}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.reason);
    for (const std::string_view text : row.texts) {
      EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
    }
  }
}

}  // namespace
}  // namespace hashrange
