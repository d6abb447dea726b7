#include "lab/language/lab_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_text.h"
#include "lab/language/lab_facts.h"
#include "lab/language/lab_texts.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

const std::filesystem::path kSource = SourceRoot();

using Kind = LabGenerator::Kind;

class LabReaderShop : public ::testing::Test {
 protected:
  void SetUp() override {
    auto read = ReadLabFile(*ReadFileText(kSource / "tests/lab/language/shop.yaml"), "shop.yaml");
    ASSERT_TRUE(read.ok()) << read.error().message;
    file_ = *std::move(read);
  }

  // Writes "Order.total" for an attribute, "-" for none.
  std::string Name(LabAttributeRef attribute) const {
    if (attribute.entity == kLabNone) return "-";
    return EntityAt(file_, attribute.entity).name + "." + LabAttributeAt(file_, attribute).name;
  }
  std::string Names(const std::vector<LabAttributeRef>& attributes) const {
    std::string names;
    for (const LabAttributeRef attribute : attributes) names += Name(attribute) + " ";
    return names;
  }
  const LabGenerator& Generator(std::size_t entity, std::size_t attribute) const {
    return file_.entities[entity].attributes[attribute].generator;
  }
  // Writes the items of a layout, one a line: entity, attribute=template, and what is restricted.
  std::string Items(const LabLayout& layout) const {
    std::string lines;
    for (const LabItem& item : layout.items) {
      lines += EntityAt(file_, item.entity).name;
      for (const LabItemKey& key : item.keys) lines += " " + key.attribute + "=" + key.text.text;
      if (item.attributes) lines += " only " + Names(*item.attributes);
      lines += "\n";
    }
    return lines;
  }

  LabFile file_;
};

TEST_F(LabReaderShop, Entities) {
  ASSERT_EQ(file_.entities.size(), 4U);
  EXPECT_EQ(file_.seed, 7U);
  EXPECT_EQ(file_.start_epoch_ms, 1'767'225'600'000);
  EXPECT_EQ(file_.warnings, std::vector<std::string>{});
  const LabEntity& customer = file_.entities[0];
  EXPECT_EQ(customer.name, "Customer");
  EXPECT_EQ(customer.parent, kLabNone);
  EXPECT_EQ(customer.count.first, 20000);
  EXPECT_TRUE(customer.identity_is_global);
  EXPECT_EQ(Generator(0, 0).kind, Kind::kSequence);
  EXPECT_EQ(Generator(0, 0).width, 8);
  EXPECT_EQ(Generator(0, 1).text_template.text, "{customer_id}@example.com");
  EXPECT_EQ(Generator(0, 2).kind, Kind::kTime);
  EXPECT_EQ(Generator(0, 2).earliest_ms, -730LL * 86'400'000);
  EXPECT_EQ(Generator(0, 2).latest_ms, 0);
  EXPECT_EQ(Generator(0, 3).distribution.second, 24);
  const LabEntity& order = file_.entities[1];
  EXPECT_EQ(order.parent, 0);
  EXPECT_EQ(order.count.kind, LabDistribution::Kind::kZipf);
  EXPECT_EQ(order.count.first, 0.9);
  EXPECT_EQ(order.count.second, 10);
  EXPECT_EQ(order.count.greatest, 2000);
  EXPECT_EQ(Name(Generator(1, 0).other), "Order.created_at");
  ASSERT_EQ(Generator(1, 2).choices.size(), 3U);
  EXPECT_EQ(Generator(1, 2).choices[2].value, "SHIPPED");
  EXPECT_EQ(Generator(1, 2).choices[2].weight, 90);
  EXPECT_EQ(order.attributes[3].type, LabType::kNumber);
  EXPECT_EQ(Generator(1, 3).decimals, 2);
  EXPECT_EQ(Generator(1, 3).distribution.kind, LabDistribution::Kind::kLognormal);
  const LabEntity& line = file_.entities[2];
  EXPECT_EQ(line.parent, 1);
  EXPECT_EQ(line.distinct, 0);
  EXPECT_FALSE(line.identity_is_global);
  EXPECT_EQ(line.count.kind, LabDistribution::Kind::kPoisson);
  EXPECT_EQ(line.count.least, 1);
  EXPECT_EQ(Generator(2, 0).kind, Kind::kRef);
  EXPECT_EQ(Name(Generator(2, 0).other), "Product.sku");
  EXPECT_EQ(Generator(2, 0).pick_exponent, 0.99);
}

TEST_F(LabReaderShop, Reads) {
  ASSERT_EQ(file_.patterns.size(), 8U);
  const LabPattern& customer = file_.patterns[0];
  EXPECT_EQ(customer.kind, LabPattern::Kind::kGet);
  EXPECT_EQ(Names(customer.by), "Customer.customer_id ");
  EXPECT_EQ(customer.calls_per_second, 400);
  EXPECT_EQ(customer.pick.kind, LabPick::Kind::kZipf);
  const LabPattern& orders = file_.patterns[1];
  EXPECT_EQ(orders.name, "orders of a customer");
  EXPECT_EQ(orders.kind, LabPattern::Kind::kQuery);
  EXPECT_EQ(Names(orders.by), "Customer.customer_id ");
  EXPECT_EQ(Name(orders.order), "Order.created_at");
  EXPECT_TRUE(orders.is_descending);
  EXPECT_EQ(orders.limit, 20);
  EXPECT_EQ(Names(orders.returns), "Order.order_id Order.created_at Order.status Order.total ");
  const LabPattern& lines = file_.patterns[2];
  EXPECT_EQ(lines.entities, (std::vector<int>{1, 2}));
  EXPECT_EQ(lines.pick.kind, LabPick::Kind::kLatest);
  EXPECT_EQ(Names(file_.patterns[3].returns), "Order.order_id Line.quantity ");
  EXPECT_EQ(Names(file_.patterns[4].by), "");
}

TEST_F(LabReaderShop, Writes) {
  const LabPattern& sign_up = file_.patterns[5];
  EXPECT_EQ(sign_up.kind, LabPattern::Kind::kWrite);
  ASSERT_EQ(sign_up.writes.size(), 1U);
  EXPECT_EQ(sign_up.writes[0].unique, std::vector<int>{1});
  const LabPattern& place = file_.patterns[6];
  ASSERT_EQ(place.writes.size(), 2U);
  EXPECT_EQ(place.writes[0].kind, LabWrite::Kind::kCreate);
  EXPECT_EQ(place.writes[0].with, std::vector<int>{2});
  ASSERT_EQ(place.writes[0].changes.size(), 1U);
  EXPECT_EQ(place.writes[0].changes[0].generator.text, "OPEN");
  EXPECT_EQ(place.writes[1].kind, LabWrite::Kind::kUpdate);
  EXPECT_EQ(place.writes[1].entity, 3);
  EXPECT_EQ(place.writes[1].each, 2);
  EXPECT_EQ(place.writes[1].via, 0);
  ASSERT_EQ(place.writes[1].changes.size(), 1U);
  EXPECT_EQ(place.writes[1].changes[0].kind, LabChange::Kind::kAdd);
  EXPECT_EQ(place.writes[1].changes[0].amount, -1);
  const LabPattern& pay = file_.patterns[7];
  EXPECT_EQ(Names(pay.by), "Order.order_id ");
  EXPECT_EQ(Names(pay.writes[0].by), "Order.order_id ");
  ASSERT_EQ(pay.writes[0].conditions.size(), 1U);
  EXPECT_EQ(pay.writes[0].conditions[0].values, std::vector<std::string>{"OPEN"});
  ASSERT_EQ(pay.pick.where.size(), 1U);
  EXPECT_EQ(Name(pay.pick.where[0].attribute), "Order.status");
}

TEST_F(LabReaderShop, Layouts) {
  ASSERT_EQ(file_.layouts.size(), 2U);
  const std::string others =
      "Order PK=ORDER#{order_id} SK=METADATA GSI1PK=CUST#{customer_id} "
      "GSI1SK=ORDER#{created_at}#{order_id}\n";
  const std::string sentinel = "Customer PK=EMAIL#{email} SK=EMAIL only Customer.customer_id \n";
  const std::string product = "Product PK=PRODUCT#{sku} SK=METADATA\n";
  EXPECT_EQ(Items(file_.layouts[0]),
            "Customer PK=CUST#{customer_id} SK=METADATA GSI1PK=CUSTOMER GSI1SK={created_at}\n" +
                sentinel + others +
                "Line PK=ORDER#{order_id} SK=ITEM#{sku} GSI1PK=PRODUCT#{sku} "
                "GSI1SK=ORDER#{order_id}\n" +
                product);
  EXPECT_EQ(Items(file_.layouts[1]),
            "Customer PK=CUST#{customer_id} SK=METADATA GSI1PK=CUSTOMER#{shard(customer_id, 8)} "
            "GSI1SK={created_at}\n" +
                sentinel + others + product);
  ASSERT_EQ(file_.layouts[1].embeddings.size(), 1U);
  EXPECT_EQ(file_.layouts[1].embeddings[0].entity, 2);
  EXPECT_EQ(file_.layouts[1].embeddings[0].parent, 1);
  EXPECT_EQ(file_.layouts[1].embeddings[0].attribute, "lines");
  EXPECT_EQ(file_.layouts[1].embeddings[0].map_by, 0);
  const LabTable& table = file_.layouts[1].tables.at(0);
  EXPECT_EQ(table.hash, std::vector<std::string>{"PK"});
  EXPECT_EQ(table.range, std::vector<std::string>{"SK"});
  EXPECT_EQ(table.type_attribute, "entityType");
  EXPECT_TRUE(table.throughput.on_demand);
  EXPECT_EQ(table.key_types.size(), 4U);
  EXPECT_EQ(table.key_types.at("GSI1SK"), LabType::kString);
  const LabIndex& index = table.indexes.at(0);
  EXPECT_EQ(index.projection, LabIndex::Projection::kInclude);
  EXPECT_EQ(index.included.size(), 7U);
  EXPECT_EQ(file_.layouts[0].tables.at(0).indexes.at(0).projection, LabIndex::Projection::kAll);
}

TEST_F(LabReaderShop, TrafficAndLimits) {
  ASSERT_EQ(file_.traffic.size(), 3U);
  EXPECT_EQ(file_.traffic[0].length_ms, 30 * 60'000);
  EXPECT_EQ(file_.traffic[1].kind, LabPhase::Kind::kRamp);
  EXPECT_EQ(file_.traffic[1].to, 8);
  EXPECT_EQ(file_.traffic[2].hot, (std::map<int, double>{{3, 0.5}}));
  EXPECT_EQ(file_.client.attempts, 3);
  EXPECT_EQ(file_.limits_of_all.headroom, 5);
  EXPECT_EQ(file_.limits_of_all.throttled, 0.001);
  EXPECT_EQ(file_.limits_of_all.patterns.at(1).read_units_p99, 3);
  EXPECT_EQ(file_.limits.at(0).month_usd, 400);
}

TEST(LabReader, ReadsTheExamplesWithoutAWarning) {
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "lab/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    ++examples;
    const auto file = ReadLabFile(*ReadFileText(entry.path()), entry.path().filename().string());
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->warnings, std::vector<std::string>{}) << entry.path();
  }
  EXPECT_GE(examples, 5);
}

TEST(LabReader, ReadsTheStarterWithoutAWarning) {
  const auto file = ReadLabFile(LabStarterText(), "lab.yaml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->warnings, std::vector<std::string>{});
  EXPECT_EQ(file->layouts.size(), 2U);
  EXPECT_EQ(file->patterns.size(), 6U);
}

// Returns a lab file with that item of its entity.
std::string LabWithItem(const std::string& item) {
  return "lab: 1\nentities:\n  User: {count: 1, attributes: {id: {sequence: 4}}}\n"
         "access_patterns:\n  get: {get: User, by: [id]}\n"
         "layouts:\n  one:\n    tables:\n      app:\n        key: [PK, SK]\n        items:\n"
         "          User: " +
         item + "\n";
}

TEST(LabQuestions, EachIsALineOfTheErrorWithItsPlace) {
  std::vector<std::string> questions;
  const auto read = ReadLabFile(
      LabWithItem("{PK: \"{?is it id or {name}?}\", SK: \"A#{?what is it?\"}"), "a", &questions);
  ASSERT_FALSE(read.ok());
  const std::string first =
      "a:12:22: is it id or {name}? Write the answer in the place of the mark {?…}.";
  const std::string second = "a:12:52: what is it? Write the answer in the place of the mark {?…}.";
  EXPECT_EQ(read.error().message, first + "\n" + second);
  EXPECT_EQ(questions, (std::vector<std::string>{first, second}));
}

TEST(LabQuestions, AnAliasAsksOnce) {
  std::vector<std::string> questions;
  EXPECT_FALSE(ReadLabFile(LabWithItem("{PK: &key \"{?what?}\", SK: *key}"), "a", &questions).ok());
  EXPECT_EQ(questions.size(), 1U);
}

TEST(LabQuestions, OnlyTheFirstFiftyAreInTheError) {
  std::string list = "[";
  for (int number = 0; number < 60; ++number) list += "\"{?q}\",";
  std::vector<std::string> questions;
  const auto read = ReadLabFile(LabWithItem(list + "]"), "a", &questions);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(questions.size(), 60U);
  EXPECT_TRUE(read.error().message.ends_with("\nand 10 more")) << read.error().message;
}

TEST(LabQuestions, BracesThatAreWrittenTwiceAskNothing) {
  const auto read = ReadLabFile(LabWithItem("{PK: \"{{?{id}}}\", SK: \"?{id}\"}"), "a");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->layouts.front().items.front().keys.front().text.text, "{{?{id}}}");
}

TEST(LabReader, OnlyAnApplicationMayLackLayouts) {
  constexpr const char* kText =
      "lab: 1\n"
      "entities: {A: {count: 1, attributes: {id: {sequence: 3}}}}\n"
      "access_patterns: {get: {get: A, by: [id], rate: 1/s}}\n"
      "limits: {\"*\": {headroom: 30}, other: {headroom: 3}}\n";
  const auto read = ReadLabFile(kText, "a");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "a:1:1: layouts is missing");
  const auto application = LoadApplication(kText, "a");
  ASSERT_TRUE(application.ok()) << application.error().message;
  EXPECT_EQ(application->file.patterns.size(), 1U);
  EXPECT_TRUE(application->file.layouts.empty());
  EXPECT_TRUE(application->file.limits.empty());
  EXPECT_EQ(application->file.limits_of_all.headroom, 30);
}

}  // namespace
}  // namespace hashrange
