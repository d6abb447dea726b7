// Values of the instances of a population: by all generators, and in templates and conditions.
#include "lab/language/data/population.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/language/data/shop_file.h"

namespace hashrange {
namespace {

using namespace lab_data_test;  // NOLINT: the builders

TEST(PopulationValues, DistinctValuesDifferWithinAParent) {
  struct Case {
    std::string name;
    LabGenerator generator;
    double children;
    std::size_t most;  // different values
  };
  const LabGenerator flag = {.kind = LabGenerator::Kind::kFlag, .probability = 0.01};
  for (const Case& c : std::vector<Case>{
           {"zipf ref to few", RefTo(kProductSku, 1.5), 12, 12},
           {"zipf ref to as many", RefTo(kProductSku, 1.5), 40, 40},
           {"zipf ref to too few", RefTo(kProductSku, 0.99), 60, 40},
           {"uniform ref", RefTo(kProductSku, 0), 39, 39},
           {"choice", Choice({{"a", 1000}, {"b", 1}, {"c", 1}, {"never", 0}}), 5, 3},
           {"number", NumberOf(Drawn(LabDistribution::Kind::kUniform, 1, 5), 0), 9, 5},
           {"flag", flag, 3, 2},
           {"text", TextOf(1, 2), 20, 20},
           {"uuid", Made(LabGenerator::Kind::kUuid), 5, 5}}) {
    LabFile file = ShopFile(10);
    file.entities[kLine].count = Fixed(c.children);
    file.entities[kLine].attributes = {Attribute("value", c.generator)};
    file.entities[kOrder].count = Fixed(3);
    const Population population(file, 1);
    for (std::uint64_t order = 0; order < 30; ++order) {
      std::vector<InstanceId> children;
      population.AppendChildren({kOrder, order}, kLine, children);
      ASSERT_EQ(children.size(), c.most) << c.name;
      std::set<std::string> values;
      for (const InstanceId& child : children) values.insert(population.Value(child, {kLine, 0}));
      ASSERT_EQ(values.size(), c.most) << c.name << ", order " << order;
    }
  }
}

TEST(PopulationValues, ChildrenThatAreCreatedLaterAreDistinctToo) {
  const LabFile file = ShopFile();
  Population population(file, 1);
  const InstanceId order{kOrder, 5};
  for (int i = 0; i < 20; ++i) population.Create(kLine, order, kStart);
  std::vector<InstanceId> lines;
  population.AppendChildren(order, kLine, lines);
  ASSERT_GT(lines.size(), 20U);
  std::set<std::string> skus;
  for (const InstanceId& line : lines) skus.insert(population.Value(line, kSku));
  EXPECT_EQ(skus.size(), lines.size());
}

TEST(PopulationValues, ReferencesFollowTheRanksAndAgreeWithTheirCopies) {
  const LabFile file = ShopFile(2000);
  const Population population(file, 1);
  std::vector<int> lines_of(40);
  for (std::uint64_t number = 0; number < population.Count(kLine); ++number) {
    const InstanceId line{kLine, number};
    const InstanceId product = population.ReferredBy(line, kSku.attribute);
    ASSERT_EQ(product.entity, kProduct);
    ASSERT_EQ(population.Value(line, kSku), population.Value(product, kProductSku));
    ASSERT_EQ(population.Value(line, kLineTitle), population.Value(product, kTitle));
    ASSERT_EQ(population.ReferredBy(line, kLineTitle.attribute), product);
    ++lines_of[product.number];
  }
  // `distinct` flattens the shares, but keeps their order.
  const auto of_rank = [&](std::uint64_t rank) {
    return lines_of[population.NumberOfRank(kProduct, rank)];
  };
  EXPECT_GT(of_rank(0), of_rank(3));
  EXPECT_GT(of_rank(3), of_rank(12));
  EXPECT_GT(of_rank(12), of_rank(39));
}

TEST(PopulationValues, SequencesCountFromTheirFirstNumber) {
  LabFile file = ShopFile();
  EXPECT_EQ(Population(file, 1).Value({kCustomer, 0}, kCustomerId), "00000001");
  file.entities[kCustomer].attributes[0].generator.first_number = 1000;
  EXPECT_EQ(Population(file, 1).Value({kCustomer, 0}, kCustomerId), "00001000");
  EXPECT_EQ(Population(file, 1).Value({kCustomer, 9}, kCustomerId), "00001009");
  file.entities[kCustomer].attributes[0].generator.first_number = 0;
  EXPECT_EQ(Population(file, 1).Value({kCustomer, 0}, kCustomerId), "00000000");
}

TEST(PopulationValues, AReferenceToNothingIsAbsent) {
  const LabFile file = ShopFile(20, 0);
  const Population population(file, 1);
  EXPECT_EQ(population.Count(kLine), 0U);  // no two could be distinct
  LabFile any = ShopFile(20, 0);
  any.entities[kLine].distinct = kLabNone;
  const Population lines(any, 1);
  EXPECT_FALSE(lines.Has({kLine, 0}, kSku));
  EXPECT_FALSE(lines.Has({kLine, 0}, kLineTitle));
  EXPECT_EQ(lines.ReferredBy({kLine, 0}, kSku.attribute).entity, kLabNone);
}

TEST(PopulationValues, SharesOfChoicesFlagsAndPresenceHold) {
  const LabFile file = ShopFile(20'000, 20'000);
  const Population population(file, 1);
  std::map<std::string, double> statuses;
  for (std::uint64_t number = 0; number < 200'000; ++number) {
    statuses[population.Value({kOrder, number}, kStatus)] += 1 / 200'000.0;
  }
  EXPECT_NEAR(statuses["OPEN"], 0.03, 0.002);
  EXPECT_NEAR(statuses["PAID"], 0.07, 0.003);
  EXPECT_NEAR(statuses["SHIPPED"], 0.9, 0.003);
  double fragile = 0;
  double nicknames = 0;
  for (std::uint64_t number = 0; number < 20'000; ++number) {
    fragile += population.Value({kProduct, number}, kIsFragile) == "true" ? 1 : 0;
    nicknames += population.Has({kCustomer, number}, kNickname) ? 1 : 0;
  }
  EXPECT_NEAR(fragile / 20'000, 0.3, 0.015);
  EXPECT_NEAR(nicknames / 20'000, 0.1, 0.01);
}

TEST(PopulationValues, TimesLieWhereTheyShould) {
  const LabFile file = ShopFile();
  Population population(file, 1);
  for (std::uint64_t number = 0; number < population.Count(kOrder); ++number) {
    const InstanceId order{kOrder, number};
    const std::string created = population.Value(order, kCreatedAt);
    ASSERT_GE(created, "2025-01-01T00:00:00.000Z");
    ASSERT_LE(created, "2026-01-01T00:00:00.000Z");
    const std::int64_t shipped = std::stoll(population.Value(order, kShippedAt));
    ASSERT_GE(shipped, kStart / 1000 - 365 * 86'400);
    ASSERT_LE(shipped, kStart / 1000 + 3 * 86'400);
  }
  // 2026-01-01T01:02:03.004Z
  const InstanceId order = population.Create(kOrder, {kCustomer, 1}, kStart + 3'723'004);
  EXPECT_EQ(population.Value(order, kCreatedAt), "2026-01-01T01:02:03.004Z");
  EXPECT_EQ(population.Value(order, kOrderId).substr(0, 10), "01KDVH6XQW");
  EXPECT_GE(std::stoll(population.Value(order, kShippedAt)), (kStart + 3'723'004) / 1000);
}

TEST(PopulationValues, WhatIsAheadOfACreationCountsFromIt) {
  LabFile file = ShopFile();
  file.entities[kProduct].attributes[1].generator = TimeIn(-kDayMs, 2 * kDayMs);
  file.entities[kProduct].attributes[1].generator.time_form = LabGenerator::TimeForm::kMilliseconds;
  Population population(file, 1);
  const std::int64_t now = kStart + 10 * kDayMs;
  for (int i = 0; i < 50; ++i) {
    const InstanceId product = population.Create(kProduct, {}, static_cast<std::uint64_t>(now));
    const std::int64_t time = std::stoll(population.Value(product, kTitle));
    ASSERT_GE(time, now);
    ASSERT_LE(time, now + 2 * kDayMs);
  }
}

TEST(PopulationValues, GeneratedUpdatesDifferByTheirDraw) {
  const LabFile file = ShopFile();
  Population population(file, 1);
  const InstanceId product{kProduct, 3};
  const auto generated = [&](const LabGenerator& generator, std::uint64_t draw) {
    std::string out;
    population.AppendGenerated(product, 1, generator, draw, kStart + 1, out);
    return out;
  };
  EXPECT_EQ(generated(TextOf(10, 10), 1), generated(TextOf(10, 10), 1));
  EXPECT_NE(generated(TextOf(10, 10), 1), generated(TextOf(10, 10), 2));
  EXPECT_EQ(generated(Constant("PAID"), 1), "PAID");
  EXPECT_EQ(generated(TimeIn(-kDayMs, 0), 1), "2026-01-01T00:00:00.001Z");
  population.Change(product, kBrand.attribute, "Zenith");
  EXPECT_EQ(generated(Template({Part("by ", kBrand)}), 1), "by Zenith");
}

TEST(PopulationValues, ConditionsCompareByType) {
  const LabFile file = ShopFile();
  Population population(file, 1);
  const InstanceId product{kProduct, 0};
  population.Change(product, kStock.attribute, "9");
  using Op = LabCondition::Op;
  const auto matches = [&](LabAttributeRef attribute, Op op, std::vector<std::string> values) {
    return population.Matches(product,
                              {{.attribute = attribute, .op = op, .values = std::move(values)}});
  };
  EXPECT_TRUE(matches(kStock, Op::kLess, {"10"}));
  EXPECT_FALSE(matches(kStock, Op::kAtLeast, {"10"}));
  EXPECT_TRUE(matches(kStock, Op::kEqual, {"9.0"}));
  EXPECT_TRUE(matches(kStock, Op::kGreater, {"-1"}));
  EXPECT_TRUE(matches(kStock, Op::kAtMost, {"9"}));
  EXPECT_FALSE(matches(kStock, Op::kNotEqual, {"9"}));
  EXPECT_TRUE(matches(kBrand, Op::kIn, {"Zenith", "Acme"}));
  EXPECT_FALSE(matches(kBrand, Op::kIn, {"Zenith"}));
  EXPECT_TRUE(matches(kBrand, Op::kLess, {"B"}));
  population.Remove(product, kBrand.attribute);
  EXPECT_FALSE(matches(kBrand, Op::kNotEqual, {"B"}));
  EXPECT_TRUE(population.Matches(product, {}));
}

TEST(PopulationValues, TemplatesHaveFormsAndNeedAllAttributes) {
  const LabFile file = ShopFile();
  Population population(file, 1);
  LabTemplate text;
  text.parts = {Part("ORDER#", kCreatedAt, LabTemplatePart::Form::kDay), Part("#", kCustomerId),
                Part("!", {})};
  std::string out = ">";
  EXPECT_TRUE(AppendTemplate(population, {kOrder, 2}, text, out));
  EXPECT_EQ(out, ">ORDER#2025-02-08#00000001!");
  population.Remove({kOrder, 2}, kCreatedAt.attribute);
  EXPECT_FALSE(AppendTemplate(population, {kOrder, 2}, text, out));
}

}  // namespace
}  // namespace hashrange
