// A model of partitions under random accesses and times: whatever happens, each position is in one
// partition, nothing that was served is lost, and the same seed gives the same partitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "simulation/partitions/partition_map_checks.h"
#include "simulation/partitions/physical_partitions.h"
#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

// Small partitions that are cut within seconds.
PartitionParameters SmallPartitions() {
  PartitionParameters parameters;
  parameters.read_units = 30;
  parameters.write_units = 10;
  parameters.average_ms = 2000;
  parameters.split_after_ms = 4000;
  parameters.least_split_delay_ms = 0;
  parameters.greatest_split_delay_ms = 3000;
  return parameters;
}

class RandomLoad {
 public:
  explicit RandomLoad(std::uint64_t seed)
      : random_(seed), set_(parameters_, SampleKey(), seed, kStartMs) {
    set_.GrowTo(1 + random_.Next() % 5, "throughput");
  }

  void Step();
  PartitionMap Map() const {
    PartitionMap map;
    set_.Describe(&map);
    return map;
  }
  PhysicalPartitions& set() { return set_; }
  double taken() const { return taken_; }
  int refused() const { return refused_; }

 private:
  // A few partition keys are hot. Each has many sort keys, or one, or rising ones.
  OwnedPosition AnyPosition();
  Draw AnyDraw();
  void Access();
  void AccessSpan();
  void PassTime();

  const PartitionParameters parameters_ = SmallPartitions();
  Random random_;
  PhysicalPartitions set_;
  std::int64_t now_ms_ = kStartMs;
  std::uint64_t rising_ = 0;
  double taken_ = 0;
  int refused_ = 0;
};

std::string SortKey(std::uint64_t number) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

OwnedPosition RandomLoad::AnyPosition() {
  constexpr std::uint64_t kHot = 0x4000000000000000;
  switch (random_.Next() % 6) {
    case 0:
    case 1:
      return {kHot, SortKey(random_.Next())};
    case 2:
      return {kHot + 1, SortKey(random_.Next() % 3)};
    case 3:
      return {0xC000000000000000, SortKey(++rising_)};
    case 4:
      return {random_.Next() % 2 == 0 ? 0 : UINT64_MAX, SortKey(random_.Next())};
    default:
      return {random_.Next(), "a"};
  }
}

Draw RandomLoad::AnyDraw() {
  constexpr Draw kDraws[] = {kAnyWrite, kAnyWrite, kAnyStrongRead, kAnyEventualRead};
  return kDraws[random_.Next() % 4];
}

void RandomLoad::Access() {
  const OwnedPosition position = AnyPosition();
  const Draw draw = AnyDraw();
  const double units = static_cast<double>(1 + random_.Next() % 8) / 2;
  if (!set_.IsOpen(draw, position)) {
    set_.AddRefused(draw, position, units);
    ++refused_;
    return;
  }
  set_.TakeInAdvance(draw, position, 0.5);
  set_.TakeInAdvance(draw, position, -0.5);
  set_.Take(draw, position.span(), units);
  taken_ += units;
}

void RandomLoad::AccessSpan() {
  const OwnedPosition a = AnyPosition();
  const OwnedPosition b =
      random_.Next() % 2 == 0 ? AnyPosition() : OwnedPosition(a.hash, SortKey(random_.Next()));
  const Position first = std::min<Position>(a, b);
  const Position last = std::max<Position>(a, b);
  set_.Take(AnyDraw(), {first, last}, 3);
  taken_ += 3;
}

void RandomLoad::PassTime() {
  switch (random_.Next() % 2000) {
    case 0:
      now_ms_ += 4 * 3'600'000;
      break;
    case 1:
      now_ms_ -= 3'600'000;
      break;
    case 2:
      now_ms_ += 20'000;
      break;
    default:
      now_ms_ += static_cast<std::int64_t>(random_.Next() % 30);
  }
  set_.Advance(now_ms_);
}

void RandomLoad::Step() {
  PassTime();
  if (random_.Next() % 20 == 0) return AccessSpan();
  if (random_.Next() % 3000 == 0) set_.GrowTo(set_.size() + random_.Next() % 3, "throughput");
  if (random_.Next() % 3000 == 0) set_.SetLocalIndex(random_.Next() % 2 == 0);
  Access();
}

TEST(PhysicalPartitionsModel, EachPositionIsInOnePartitionAndNothingIsLost) {
  std::size_t cuts = 0;
  std::size_t cuts_in_collections = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RandomLoad load(seed);
    for (int step = 0; step < 20'000; ++step) {
      load.Step();
      if (step % 100 != 0) continue;
      const PartitionMap map = load.Map();
      ASSERT_EQ(RangeComplaint(map), "") << "seed " << seed << ", step " << step;
      ASSERT_EQ(ParentComplaint(map), "") << "seed " << seed << ", step " << step;
      ASSERT_NEAR(UnitsOfPartitions(map), load.taken(), 1e-3);
      ASSERT_NEAR(UnitsOfSlices(map), load.taken(), 1e-3);
      ASSERT_EQ(CurrentPartitions(map).size(), load.set().size());
    }
    for (const PartitionMeasure& each : load.Map().partitions) {
      cuts += each.cause == "heat" ? 1 : 0;
      cuts_in_collections += each.first_key.empty() ? 0 : 1;
    }
    EXPECT_GT(load.refused(), 0);
  }
  // The load does cut partitions; otherwise the checks above would say little.
  EXPECT_GT(cuts, 50u);
  EXPECT_GT(cuts_in_collections, 10u);
}

TEST(PhysicalPartitionsModel, SameSeedGivesTheSamePartitions) {
  RandomLoad a(3);
  RandomLoad b(3);
  RandomLoad other(4);
  for (int step = 0; step < 20'000; ++step) {
    for (RandomLoad* each : {&a, &b, &other}) each->Step();
  }
  EXPECT_EQ(TextOfMap(a.Map()), TextOfMap(b.Map()));
  EXPECT_NE(TextOfMap(a.Map()), TextOfMap(other.Map()));
}

// What a position is served from is the partition whose range has it.
TEST(PhysicalPartitionsModel, AccessCountsInThePartitionOfItsRange) {
  RandomLoad load(5);
  for (int step = 0; step < 20'000; ++step) load.Step();
  const std::vector<PartitionMeasure> before = CurrentPartitions(load.Map());
  ASSERT_GT(before.size(), 5u);
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t hash = random.Next() % 2 == 0 ? 0x4000000000000000 : random.Next();
    const std::string sort_key = SortKey(random.Next());
    const OwnedPosition position(hash, sort_key);
    const std::string hash_text = SortKey(hash);
    const std::string key_text = "PK=pk" + std::to_string(hash) + ", SK=" + sort_key;
    const auto has = [&](const PartitionMeasure& each) {
      const bool is_after_first =
          std::tie(each.first_hash, each.first_key) <= std::tie(hash_text, key_text);
      const bool is_before_last =
          hash_text < each.last_hash ||
          (hash_text == each.last_hash && (each.last_key.empty() || key_text < each.last_key));
      return is_after_first && is_before_last;
    };
    const auto units_of_owner = [&] {
      const std::vector<PartitionMeasure> current = CurrentPartitions(load.Map());
      EXPECT_EQ(std::ranges::count_if(current, has), 1);
      return std::ranges::find_if(current, has)->write_units;
    };
    const double units = units_of_owner();
    load.set().Take(kAnyWrite, position.span(), 1);
    EXPECT_NEAR(units_of_owner(), units + 1, 1e-6);
  }
}

}  // namespace
}  // namespace hashrange::test
