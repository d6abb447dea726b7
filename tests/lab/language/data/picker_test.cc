#include "lab/language/data/picker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "lab/language/data/shop_file.h"

namespace hashrange {
namespace {

using namespace lab_data_test;  // NOLINT: the builders

constexpr int kPicks = 100'000;

LabPick PickOf(LabPick::Kind kind, double exponent = 0.99) {
  return {.kind = kind, .exponent = exponent};
}

LabPick WhereStatus(LabPick::Kind kind, std::string status) {
  LabPick pick = PickOf(kind);
  pick.where = {Is(kStatus, std::move(status))};
  return pick;
}

// How often each number was picked.
std::map<std::uint64_t, int> Picked(Picker& picker, int entity, const LabPick& pick,
                                    const std::map<int, double>& hot = {}, int picks = kPicks) {
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < picks; ++i) {
    const auto id = picker.Pick(entity, pick, 3, static_cast<std::uint64_t>(i), hot);
    if (id) ++counts[id->number];
  }
  return counts;
}

double ZipfShare(std::uint64_t rank, std::uint64_t count, double exponent) {
  double sum = 0;
  for (std::uint64_t k = 1; k <= count; ++k) sum += std::pow(k, -exponent);
  return std::pow(static_cast<double>(rank) + 1, -exponent) / sum;
}

TEST(Picker, UniformPicksAllAlike) {
  const LabFile file = ShopFile(50);
  const Population population(file, 1);
  Picker picker(file, population);
  const auto counts = Picked(picker, kCustomer, PickOf(LabPick::Kind::kUniform));
  ASSERT_EQ(counts.size(), 50U);
  for (const auto& [number, count] : counts) EXPECT_NEAR(count, 2000, 220) << number;
}

TEST(Picker, ZipfFollowsTheRanksThatReferencesHave) {
  const LabFile file = ShopFile(100);
  Population population(file, 1);
  const InstanceId created = population.Create(kCustomer, {}, kStart);
  Picker picker(file, population);
  auto counts = Picked(picker, kCustomer, PickOf(LabPick::Kind::kZipf));
  for (const std::uint64_t rank : {0, 1, 5, 50}) {
    const double expected = kPicks * ZipfShare(rank, 101, 0.99);
    EXPECT_NEAR(counts[population.NumberOfRank(kCustomer, rank)], expected,
                5 * std::sqrt(expected));
  }
  EXPECT_NEAR(counts[created.number], kPicks * ZipfShare(100, 101, 0.99), 80);
}

TEST(Picker, LatestPicksTheNewestMost) {
  const LabFile file = ShopFile(100);
  Population population(file, 1);
  Picker picker(file, population);
  const InstanceId created = population.Create(kCustomer, {}, kStart);
  picker.NoteChange(created);
  auto counts = Picked(picker, kCustomer, PickOf(LabPick::Kind::kLatest, 1.1));
  EXPECT_NEAR(counts[created.number], kPicks * ZipfShare(0, 101, 1.1), 700);
  EXPECT_NEAR(counts[99], kPicks * ZipfShare(1, 101, 1.1), 600);
  EXPECT_NEAR(counts[0], kPicks * ZipfShare(100, 101, 1.1), 80);
}

TEST(Picker, HotInstancesGetTheirShare) {
  const LabFile file = ShopFile(100);
  const Population population(file, 1);
  Picker picker(file, population);
  LabPick pick = PickOf(LabPick::Kind::kHot);
  auto counts = Picked(picker, kCustomer, pick);
  int hot = 0;
  for (std::uint64_t rank = 0; rank < 20; ++rank) {
    hot += counts[population.NumberOfRank(kCustomer, rank)];
  }
  EXPECT_NEAR(hot, 0.8 * kPicks, 700);
  pick.hot_share = 1;
  for (const auto& [number, count] : Picked(picker, kCustomer, pick)) {
    EXPECT_NEAR(count, 1000, 160) << number;
  }
}

TEST(Picker, APhaseMakesOneInstanceHot) {
  const LabFile file = ShopFile(100);
  Population population(file, 1);
  Picker picker(file, population);
  const std::uint64_t first = population.NumberOfRank(kCustomer, 0);
  const std::uint64_t second = population.NumberOfRank(kCustomer, 1);
  const LabPick pick = PickOf(LabPick::Kind::kUniform);
  EXPECT_NEAR(Picked(picker, kCustomer, pick, {{kCustomer, 0.5}})[first], 0.505 * kPicks, 800);
  EXPECT_NEAR(Picked(picker, kCustomer, pick, {{kProduct, 0.5}})[first], 0.01 * kPicks, 200);
  population.Delete({kCustomer, first});
  picker.NoteChange({kCustomer, first});
  auto counts = Picked(picker, kCustomer, pick, {{kCustomer, 0.5}});
  EXPECT_EQ(counts.count(first), 0U);
  EXPECT_NEAR(counts[second], 0.505 * kPicks, 800);
}

TEST(Picker, AChoiceDependsOnPatternAndCallOnly) {
  const LabFile file = ShopFile(1000);
  const Population population(file, 1);
  Picker one(file, population);
  Picker two(file, population);
  const LabPick pick = PickOf(LabPick::Kind::kZipf);
  (void)two.Pick(kCustomer, pick, 9, 9, {});
  int same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(one.Pick(kOrder, pick, 1, i, {}), two.Pick(kOrder, pick, 1, i, {}));
    same += one.Pick(kOrder, pick, 1, i, {}) == one.Pick(kOrder, pick, 2, i, {}) ? 1 : 0;
  }
  EXPECT_LT(same, 100);
}

TEST(Picker, ListIsNotMadeAfterAStop) {
  const LabFile file = ShopFile(1000);
  const Population population(file, 1);
  std::atomic<bool> stop = true;
  Picker picker(file, population, &stop);
  const LabPick pick = WhereStatus(LabPick::Kind::kUniform, "OPEN");
  EXPECT_EQ(picker.Pick(kOrder, pick, 1, 1, {}), std::nullopt);
  stop = false;
  Picker other(file, population, &stop);
  EXPECT_NE(other.Pick(kOrder, pick, 1, 1, {}), std::nullopt);
}

TEST(Picker, DeletedInstancesAreNeverPicked) {
  using Kind = LabPick::Kind;
  for (const Kind kind : {Kind::kUniform, Kind::kZipf, Kind::kLatest, Kind::kHot}) {
    const LabFile file = ShopFile(1000);
    Population population(file, 1);
    Picker picker(file, population);
    for (const std::uint64_t left : {900, 500, 100, 3, 1}) {
      for (std::uint64_t i = 0; population.LiveCount(kCustomer) > left; ++i) {
        const InstanceId id{kCustomer, population.NumberOfRank(kCustomer, i)};
        population.Delete(id);
        picker.NoteChange(id);
      }
      const auto counts = Picked(picker, kCustomer, PickOf(kind), {}, 2000);
      int sum = 0;
      for (const auto& [number, count] : counts) {
        ASSERT_TRUE(population.Exists({kCustomer, number}));
        sum += count;
      }
      ASSERT_EQ(sum, 2000);
    }
    const InstanceId last{kCustomer, population.NumberOfRank(kCustomer, 999)};
    population.Delete(last);
    picker.NoteChange(last);
    EXPECT_FALSE(picker.Pick(kCustomer, PickOf(kind), 1, 1, {}));
  }
}

TEST(Picker, WhereAgreesWithAScanWhileThingsChange) {
  using Kind = LabPick::Kind;
  const LabFile file = ShopFile(60);
  Population population(file, 1);
  Picker picker(file, population);
  DrawSequence draws(8);
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 25; ++i) {
      const InstanceId order{kOrder, draws.Below(population.Count(kOrder))};
      switch (draws.Below(5)) {
        case 4:
          population.Restore(order);
          picker.NoteChange(order);
          break;
        case 0:
          population.Change(order, kStatus.attribute, draws.Below(2) == 0 ? "OPEN" : "PAID");
          picker.NoteChange(order);
          break;
        case 1:
          population.Delete(order);
          picker.NoteChange(order);
          break;
        case 2:
          population.Remove(order, kStatus.attribute);
          picker.NoteChange(order);
          break;
        case 3:
          picker.NoteChange(population.Create(kOrder, {kCustomer, draws.Below(60)}, kStart));
          break;
      }
    }
    std::map<std::uint64_t, int> expected;
    for (std::uint64_t number = 0; number < population.Count(kOrder); ++number) {
      const InstanceId id{kOrder, number};
      if (population.Exists(id) && population.Has(id, kStatus) &&
          population.Value(id, kStatus) == "OPEN") {
        expected[number] = 0;
      }
    }
    for (const Kind kind : {Kind::kUniform, Kind::kZipf, Kind::kLatest, Kind::kHot}) {
      const auto counts = Picked(picker, kOrder, WhereStatus(kind, "OPEN"), {}, 3000);
      for (const auto& [number, count] : counts) ASSERT_TRUE(expected.contains(number));
      EXPECT_TRUE(kind != Kind::kUniform || counts.size() == expected.size());
    }
  }
  EXPECT_FALSE(picker.Pick(kOrder, WhereStatus(Kind::kUniform, "NEVER"), 1, 1, {}));
}

TEST(Picker, LatestWhereStaysInTheOrderOfCreation) {
  const LabFile file = ShopFile(60);
  Population population(file, 1);
  Picker picker(file, population);
  const LabPick pick = WhereStatus(LabPick::Kind::kLatest, "NEW");
  std::vector<InstanceId> orders;
  EXPECT_FALSE(picker.Pick(kOrder, pick, 1, 1, {}));
  for (int i = 0; i < 100; ++i) {
    orders.push_back(population.Create(kOrder, {kCustomer, 1}, kStart));
    population.Change(orders.back(), kStatus.attribute, "NEW");
    picker.NoteChange(orders.back());
  }
  // Each second of the first fifty, then the newest, is no longer new.
  for (std::size_t i = 0; i < 50; i += 2) {
    population.Change(orders[i], kStatus.attribute, "OLD");
    picker.NoteChange(orders[i]);
  }
  population.Change(orders[99], kStatus.attribute, "OLD");
  picker.NoteChange(orders[99]);
  auto counts = Picked(picker, kOrder, pick);
  EXPECT_EQ(counts.size(), 74U);
  EXPECT_GT(counts[orders[98].number], counts[orders[97].number]);
  EXPECT_GT(counts[orders[97].number], counts[orders[94].number]);
  EXPECT_GT(counts[orders[94].number], counts[orders[1].number]);
  EXPECT_GT(counts[orders[98].number], kPicks / 8);
}

TEST(Picker, ConditionsAboutAncestorsFollowTheirChanges) {
  const LabFile file = ShopFile(20);
  Population population(file, 1);
  Picker picker(file, population);
  LabPick pick = PickOf(LabPick::Kind::kUniform);
  pick.where = {Is(kName, "Ann")};
  EXPECT_FALSE(picker.Pick(kLine, pick, 1, 1, {}));
  population.Change({kCustomer, 4}, kName.attribute, "Ann");
  picker.NoteChange({kCustomer, 4});
  const auto counts = Picked(picker, kLine, pick, {}, 5000);
  std::size_t lines = 0;
  for (std::uint64_t number = 0; number < population.Count(kLine); ++number) {
    const bool is_anns = population.AncestorOf({kLine, number}, kCustomer).number == 4;
    lines += is_anns ? 1 : 0;
    ASSERT_EQ(counts.contains(number), is_anns);
  }
  EXPECT_GT(lines, 0U);
}

}  // namespace
}  // namespace hashrange
