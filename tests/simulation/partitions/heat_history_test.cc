#include "simulation/partitions/heat_history.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace hashrange {
namespace {

constexpr std::int64_t kBeginMs = 1'700'000'000'500;

TEST(HeatSlices, SlicesAreSecondsFromTheBeginning) {
  const HeatSlices slices(kBeginMs);
  EXPECT_EQ(slices.slice_ms(), 1000);
  EXPECT_EQ(slices.SliceOf(kBeginMs + 999), 0u);
  EXPECT_EQ(slices.SliceOf(kBeginMs + 1000), 1u);
  EXPECT_EQ(slices.BeginOf(1), kBeginMs + 1000);
}

TEST(HeatSlices, TimeBeforeTheBeginningIsInTheFirstSlice) {
  const HeatSlices slices(kBeginMs);
  EXPECT_EQ(slices.SliceOf(kBeginMs - 1'000'000), 0u);
  EXPECT_EQ(slices.MergesUntil(kBeginMs - 1'000'000), 0);
}

TEST(HeatSlices, SlicesAreMergedWhenThereAreTooMany) {
  HeatSlices slices(kBeginMs);
  EXPECT_EQ(slices.MergesUntil(kBeginMs + 119'999), 0);
  EXPECT_EQ(slices.MergesUntil(kBeginMs + 120'000), 1);
  EXPECT_EQ(slices.MergesUntil(kBeginMs + 239'999), 1);
  EXPECT_EQ(slices.MergesUntil(kBeginMs + 240'000), 2);
  slices.Merge();
  EXPECT_EQ(slices.SliceOf(kBeginMs + 120'000), 60u);
  EXPECT_EQ(slices.MergesUntil(kBeginMs + 239'999), 0);
}

TEST(HeatSlices, AnyTimeFits) {
  HeatSlices slices(0);
  for (int merges = slices.MergesUntil(INT64_MAX); merges > 0; --merges) slices.Merge();
  EXPECT_LT(slices.SliceOf(INT64_MAX), HeatSlices::kMaxSlices);
}

TEST(HeatHistory, EachTwoSlotsBecomeOne) {
  HeatHistory history;
  for (std::size_t slice = 0; slice < 5; ++slice) {
    HeatSlot& slot = history.SlotOf(slice);
    slot.units = {1.0 * static_cast<double>(slice + 1), 10.0 * static_cast<double>(slice + 1)};
    slot.throttled = {100.0 * static_cast<double>(slice + 1), 1};
  }
  history.Merge();
  ASSERT_EQ(history.slots().size(), 3u);
  EXPECT_EQ(history.slots()[0].units, (std::array<double, 2>{3, 30}));
  EXPECT_EQ(history.slots()[1].units, (std::array<double, 2>{7, 70}));
  EXPECT_EQ(history.slots()[2].units, (std::array<double, 2>{5, 50}));
  EXPECT_EQ(history.slots()[1].throttled, (std::array<double, 2>{700, 2}));
}

TEST(HeatHistory, EmptyHistoryMergesToAnEmptyOne) {
  HeatHistory history;
  history.Merge();
  EXPECT_TRUE(history.slots().empty());
}

TEST(HeatHistory, MergesLoseNothing) {
  Random random(1);
  HeatSlices slices(kBeginMs);
  HeatHistory history;
  double added = 0;
  for (std::int64_t now_ms = kBeginMs; now_ms < kBeginMs + 100'000'000;) {
    for (int merges = slices.MergesUntil(now_ms); merges > 0; --merges) {
      slices.Merge();
      history.Merge();
    }
    history.SlotOf(slices.SliceOf(now_ms)).units[1] += 1;
    added += 1;
    now_ms += static_cast<std::int64_t>(random.Next() % 200'000);
  }
  double kept = 0;
  for (const HeatSlot& slot : history.slots()) kept += slot.units[1];
  EXPECT_EQ(kept, added);
  EXPECT_LE(history.slots().size(), HeatSlices::kMaxSlices);
}

TEST(HeatHistory, SlotIsEmptyUnlessSomethingHappened) {
  EXPECT_TRUE(HeatSlot{}.empty());
  EXPECT_FALSE((HeatSlot{{0, 0.5}, {0, 0}}.empty()));
  EXPECT_FALSE((HeatSlot{{0, 0}, {1, 0}}.empty()));
}

}  // namespace
}  // namespace hashrange
