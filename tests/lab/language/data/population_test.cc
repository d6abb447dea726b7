#include "lab/language/data/population.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/language/data/instance_rows.h"
#include "lab/language/data/shop_file.h"

namespace hashrange {
namespace {

using namespace lab_data_test;  // NOLINT: the builders

TEST(Population, ValuesStayTheSame) {
  // Other values would change the figures of every lab, so these rows must never need an update.
  const LabFile file = ShopFile();
  const Population population(file, 1);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Row(population, {kCustomer, 3}),
            (Texts{"00000004", "00000004@example.com", "2025-04-13T08:16:46.115Z",
                   "catch forest high l", "absent"}));
  EXPECT_EQ(Row(population, {kOrder, 2}),
            (Texts{"01JKJ79WY52W0GZZM3GPCMAGQE", "2025-02-08T07:27:37.413Z", "OPEN", "285.08",
                   "1739221251", "00000001@example.com"}));
  EXPECT_EQ(Row(population, {kLine, 1}),
            (Texts{"00002", "1", "machine cup land hard good forget left chan"}));
  EXPECT_EQ(Row(population, {kProduct, 1}),
            (Texts{"00002", "machine cup land hard good forget left chan", "471",
                   "196d252d-cae9-4e64-8a43-a842f7524cd4", "true", "Acme"}));
  EXPECT_EQ(population.Count(kOrder), 2000U);
  EXPECT_EQ(population.Count(kLine), 6299U);
}

TEST(Population, ValuesDoNotDependOnTheOrderOfQuestions) {
  const LabFile file = ShopFile();
  const Population forward(file, 1);
  std::map<std::pair<int, std::uint64_t>, std::vector<std::string>> rows;
  for (int entity = 0; entity < 4; ++entity) {
    for (std::uint64_t number = 0; number < forward.Count(entity); ++number) {
      rows[{entity, number}] = Row(forward, {entity, number});
    }
  }
  const Population random(file, 1);
  DrawSequence draws(17);
  for (int i = 0; i < 20'000; ++i) {
    const int entity = static_cast<int>(draws.Below(4));
    const InstanceId id{entity, draws.Below(random.Count(entity))};
    ASSERT_EQ(Row(random, id), (rows[{entity, id.number}]));
  }
}

TEST(Population, AnotherSeedGivesOtherValues) {
  LabFile file = ShopFile();
  const Population seven(file, 1);
  const std::string total = seven.Value({kOrder, 2}, kTotal);
  LabFile other = ShopFile();
  other.seed = 8;
  EXPECT_NE(Population(other, 1).Value({kOrder, 2}, kTotal), total);
}

TEST(Population, ChildrenAndParentsAgree) {
  const LabFile file = ShopFile();
  const Population population(file, 1);
  for (const auto& [parent_entity, entity] : {std::pair{kCustomer, kOrder}, {kOrder, kLine}}) {
    std::uint64_t next = 0;
    for (std::uint64_t number = 0; number < population.Count(parent_entity); ++number) {
      std::vector<InstanceId> children;
      population.AppendChildren({parent_entity, number}, entity, children);
      for (const InstanceId& child : children) {
        ASSERT_EQ(child, (InstanceId{entity, next++}));
        ASSERT_EQ(population.ParentOf(child), (InstanceId{parent_entity, number}));
      }
    }
    EXPECT_EQ(next, population.Count(entity));
  }
  const InstanceId line{kLine, 4321};
  EXPECT_EQ(population.AncestorOf(line, kLine), line);
  EXPECT_EQ(population.AncestorOf(line, kCustomer), population.ParentOf(population.ParentOf(line)));
  EXPECT_EQ(population.ParentOf({kCustomer, 0}).entity, kLabNone);
  EXPECT_EQ(population.AncestorOf(line, kProduct).entity, kLabNone);
}

TEST(Population, CountsFollowTheirDistributions) {
  const LabFile file = ShopFile(2000);
  const Population population(file, 3);
  EXPECT_EQ(population.InitialCount(kCustomer), 6000U);
  EXPECT_EQ(population.InitialCount(kProduct), 120U);
  EXPECT_EQ(population.InitialCount(kOrder), 60'000U);  // exactly the mean of 10
  std::vector<std::size_t> orders_by_rank;
  for (std::uint64_t rank = 0; rank < 6000; ++rank) {
    std::vector<InstanceId> orders;
    population.AppendChildren({kCustomer, population.NumberOfRank(kCustomer, rank)}, kOrder,
                              orders);
    orders_by_rank.push_back(orders.size());
  }
  EXPECT_EQ(orders_by_rank.front(), 100U);
  EXPECT_EQ(*std::max_element(orders_by_rank.begin(), orders_by_rank.end()), 100U);
  EXPECT_LT(orders_by_rank.back(), 4U);
  // Sizes fall by (rank + 1)^−0.9 where they are not clamped.
  EXPECT_NEAR(static_cast<double>(orders_by_rank[999]) / static_cast<double>(orders_by_rank[3999]),
              std::pow(4, 0.9), 0.7);
  std::map<std::size_t, int> lines;
  for (std::uint64_t number = 0; number < 60'000; ++number) {
    std::vector<InstanceId> of_order;
    population.AppendChildren({kOrder, number}, kLine, of_order);
    ++lines[of_order.size()];
  }
  // Poisson of mean 3; the orders without lines have one.
  EXPECT_EQ(lines.count(0), 0U);
  EXPECT_NEAR(lines[1] / 60'000.0, 4 * std::exp(-3), 0.006);
  EXPECT_NEAR(lines[3] / 60'000.0, 4.5 * std::exp(-3), 0.006);
}

TEST(Population, TooManyInstancesAreAnError) {
  LabFile file = ShopFile();
  EXPECT_TRUE(Population(file, 1).Check().ok());
  file.entities[kLine].count = Fixed(3e6);
  file.entities[kLine].distinct = kLabNone;
  file.name = "my.yaml";
  file.entities[kLine].place = {7, 3};
  EXPECT_EQ(Population(file, 1).Check().error().message,
            "my.yaml:7:3: there would be more than 2000000000 instances of Line. Give it, or its "
            "parents, a smaller `count`, or run at a smaller scale.");
  file.entities[kCustomer].count = Fixed(3e9);
  EXPECT_FALSE(Population(file, 1).Check().ok());
}

// A population that stores everything, to compare with.
struct NaiveInstance {
  bool exists = true;
  InstanceId parent = {};
  std::vector<std::string> row = {};
};
using NaivePopulation = std::vector<std::vector<NaiveInstance>>;  // by entity and number

TEST(Population, AgreesWithNaiveMapsAfterManyChanges) {
  const LabFile file = ShopFile(30, 20);
  Population population(file, 1);
  NaivePopulation naive(4);
  const auto note_new = [&](InstanceId id) {
    auto& stored = naive[static_cast<std::size_t>(id.entity)];
    ASSERT_EQ(stored.size(), id.number);
    stored.push_back({true, population.ParentOf(id), Row(population, id)});
  };
  for (int entity = 0; entity < 4; ++entity) {
    for (std::uint64_t i = 0; i < population.Count(entity); ++i) note_new({entity, i});
  }
  DrawSequence draws(4);
  for (int step = 0; step < 3000; ++step) {
    const int entity = static_cast<int>(draws.Below(4));
    const InstanceId id{entity, draws.Below(population.Count(entity))};
    const int attribute =
        static_cast<int>(draws.Below(static_cast<std::uint64_t>(AttributesOf(file, entity))));
    auto& stored = naive[static_cast<std::size_t>(entity)][id.number];
    auto& value = stored.row[static_cast<std::size_t>(attribute)];
    switch (draws.Below(6)) {
      case 5:
        population.Restore(id);
        stored.exists = true;
        break;
      case 0:
        population.Delete(id);
        stored.exists = false;
        break;
      case 1:
        value = "changed " + std::to_string(step);
        population.Change(id, attribute, value);
        break;
      case 2:
        value = "absent";
        population.Remove(id, attribute);
        break;
      case 3: {
        std::vector<InstanceId> created;
        if (entity == kCustomer) population.CreateChildren(id, kOrder, kStart, created);
        if (entity == kOrder) population.CreateChildren(id, kLine, kStart, created);
        for (const InstanceId& child : created) note_new(child);
        break;
      }
      case 4:
        note_new(population.Create(entity, population.ParentOf(id), kStart + step));
        break;
    }
  }
  for (int entity = 0; entity < 4; ++entity) {
    const auto& all = naive[static_cast<std::size_t>(entity)];
    ASSERT_EQ(population.Count(entity), all.size());
    std::map<std::uint64_t, std::vector<InstanceId>> children;
    std::uint64_t live = 0;
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(population.Exists({entity, i}), all[i].exists);
      ASSERT_EQ(population.ParentOf({entity, i}), all[i].parent);
      ASSERT_EQ(Row(population, {entity, i}), all[i].row);
      if (!all[i].exists) continue;
      ++live;
      children[all[i].parent.number].push_back({entity, i});
    }
    EXPECT_EQ(population.LiveCount(entity), live);
    EXPECT_FALSE(population.Exists({entity, all.size()}));
    const int parent_entity = file.entities[static_cast<std::size_t>(entity)].parent;
    if (parent_entity == kLabNone) continue;
    for (std::uint64_t parent = 0; parent < population.Count(parent_entity); ++parent) {
      std::vector<InstanceId> found;
      population.AppendChildren({parent_entity, parent}, entity, found);
      ASSERT_EQ(found, children[parent]);
    }
  }
}

TEST(Population, CreatedChildrenHaveTheMeanOfTheDistribution) {
  const LabFile file = ShopFile();
  Population population(file, 1);
  std::vector<InstanceId> orders;
  for (int i = 0; i < 3000; ++i) {
    const InstanceId customer = population.Create(kCustomer, {}, kStart);
    population.CreateChildren(customer, kOrder, kStart, orders);
  }
  EXPECT_NEAR(static_cast<double>(orders.size()) / 3000, 10, 0.9);
}

}  // namespace
}  // namespace hashrange
