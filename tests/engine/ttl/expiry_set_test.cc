#include "engine/ttl/expiry_set.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/ttl/ttl_fixture.h"

namespace hashrange::test {
namespace {

std::optional<std::int64_t> ExpiryOf(const std::string& number) {
  Number parsed;
  EXPECT_EQ(Number::Parse(number, &parsed), NumberError::kNone) << number;
  Arena arena(1 << 10);
  return ExpiryEpochMs(MakeNumber(parsed, arena));
}

TEST(Expiry, IsTheNumberOfSecondsToTheMillisecondBelow) {
  const struct {
    const char* number;
    std::optional<std::int64_t> epoch_ms;
  } kRows[] = {{"1700000000", 1'700'000'000'000},
               {"1700000000.5", 1'700'000'000'500},
               {"1700000000.0625", 1'700'000'000'062},
               {"1700000000.9999", 1'700'000'000'999},
               {"0.00099", 0},
               {"0", 0},
               {"7", 7'000},
               {"1e9", 1'000'000'000'000},
               {"17E8", 1'700'000'000'000},
               {"0.0000017e15", 1'700'000'000'000},
               {"99999999999999.9999", 99'999'999'999'999'999},
               {"100000000000000", std::nullopt},
               {"9.9e125", std::nullopt},
               {"1e-130", 0},
               {"-1", std::nullopt},
               {"-1e-130", std::nullopt},
               {"-9.9e125", std::nullopt},
               {"12345678901234567890123456789012345678", std::nullopt}};
  for (const auto& [number, epoch_ms] : kRows) EXPECT_EQ(ExpiryOf(number), epoch_ms) << number;
}

TEST(Expiry, OnlyNumbersHaveAnExpiry) {
  for (const AttributeType type : {AttributeType::kS, AttributeType::kB, AttributeType::kNS}) {
    EXPECT_EQ(ExpiryEpochMs(ValueView(type, "1700000000")), std::nullopt);
  }
  EXPECT_EQ(ExpiryEpochMs(ValueView(AttributeType::kNull, "")), std::nullopt);
  EXPECT_EQ(ExpiryEpochMs(ValueView(AttributeType::kBool, "\1")), std::nullopt);
}

TEST(Expiry, IsDueFromTheNextMillisecondForFiveYears) {
  constexpr std::int64_t kNow = 1'700'000'000'000;
  EXPECT_FALSE(IsDue(kNow + 1, kNow));
  EXPECT_FALSE(IsDue(kNow, kNow));
  EXPECT_TRUE(IsDue(kNow - 1, kNow));
  EXPECT_TRUE(IsDue(kNow - kLongestPastMs, kNow));
  EXPECT_FALSE(IsDue(kNow - kLongestPastMs - 1, kNow));
  EXPECT_EQ(kLongestPastMs, 157'680'000'000);
}

TEST(ExpirySet, AVersionAndWhatItBecomesShareAnAttachedSet) {
  auto version = NewQuietTable("t");
  EXPECT_EQ(AttachExpirySet(version.get()), nullptr);
  version->settings.ttl_attribute = "ttl";
  version->phase.next = TableRef::Adopt(std::make_unique<TableVersion>(*version).release());
  const auto set = AttachExpirySet(version.get());
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(set->attribute(), "ttl");
  EXPECT_EQ(version->settings.expiries, set);
  EXPECT_EQ(version->phase.next->settings.expiries, set);
}

}  // namespace
}  // namespace hashrange::test
