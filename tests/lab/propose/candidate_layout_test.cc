#include "lab/propose/candidate_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/language/lab_reader.h"
#include "lab/yaml/layout_yaml.h"

namespace hashrange {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kOrders = R"(lab: 1
entities:
  Customer: {count: 100, attributes: {customer_id: {sequence: 6}, email: "{customer_id}@example.com"}}
  Order:
    of: Customer
    count: 5
    attributes:
      order_id: {ulid: placed_at}
      placed_at: {time: {past: 90d}}
      status: {choice: {OPEN: 5, PAID: 95}}
      weight: {number: [1, 99]}
      depot: {choice: {north: 1, south: 1}}
  Line: {of: Order, count: 3, distinct: sku, attributes: {sku: {text: 8}, order_note: {text: 8}}}
access_patterns:
  order: {query: [Order, Line], by: [order_id], rate: 1/s}
  orders: {query: Order, by: [customer_id], order: -placed_at, limit: 10, returns: [order_id, placed_at], rate: 1/s}
  open by weight: {query: Order, by: [depot, {status: OPEN}], order: weight, returns: [order_id], rate: 1/s}
  open by age: {query: Order, by: [depot, {status: OPEN}], order: placed_at, returns: [order_id], rate: 1/s}
  open: {query: Order, by: [{status: OPEN}], order: placed_at, returns: [order_id], rate: 1/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, rate: 1/s}
  register: {create: Customer, unique: [email], rate: 1/s}
)";

class CandidateLayoutTest : public testing::Test {
 protected:
  void SetUp() override {
    auto lab = LoadApplication(kOrders, "orders.yaml");
    ASSERT_TRUE(lab.ok()) << lab.error().message;
    file_ = std::move(lab->file);
    space_ = SpaceOf(file_);
  }

  // Returns the number of the global index with this key that is for returned attributes.
  std::size_t PathOf(int entity, const std::string& key) const {
    const std::vector<AccessPath>& paths = SpaceAt(space_, entity).paths;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::string text = TemplateOfWords(file_, paths[i].key.hash, false).text + " / " +
                               TemplateOfWords(file_, paths[i].key.range, false).text;
      if (paths[i].form == AccessPath::Form::kGlobalIndex && text == key) return i;
    }
    ADD_FAILURE() << key;
    return 0;
  }

  std::string YamlOf(const LayoutCandidate& candidate) const {
    return LayoutYaml(file_, LayoutOf(file_, space_, candidate, "orders"));
  }

  LabFile file_;
  AccessSpace space_;
};

// Orders and their lines are read together, customers are not.
TEST_F(CandidateLayoutTest, EntitiesThatAreReadTogetherShareATable) {
  const std::string yaml = YamlOf({.style = TableStyle::kTogether});
  EXPECT_THAT(yaml, HasSubstr(R"(      orders:
        key: [order_id, SK]
)"));
  EXPECT_THAT(yaml, HasSubstr(R"(          Order: {SK: "ORDER"}
          Line: {SK: "LINE#{sku}"}
)"));
  EXPECT_THAT(yaml, HasSubstr(R"(      customers:
        key: [customer_id]
)"));
  EXPECT_THAT(yaml, HasSubstr(R"(      customers_by_email:
        key: [email]
)"));
}

// What lies apart is not in one Query.
TEST_F(CandidateLayoutTest, EntitiesThatLieApartHaveTheirOwnTables) {
  LayoutCandidate candidate = {.style = TableStyle::kTogether};
  const std::vector<ProposedKey>& keys = SpaceAt(space_, 1).table_keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (IsWithParent(file_, 1, keys[i])) candidate.table_keys[1] = static_cast<std::uint8_t>(i);
  }
  EXPECT_NE(candidate.table_keys[1], 0);
  EXPECT_THAT(YamlOf(candidate), HasSubstr(R"(      lines:
        key: [order_id, sku]
)"));
}

TEST_F(CandidateLayoutTest, IndexesOfAttributesAreNamedByThem) {
  LayoutCandidate candidate = {.style = TableStyle::kTogether};
  for (const char* const key :
       {"CUSTOMER#{customer_id} / ORDER#{order_id}", "OPEN#DEPOT#{depot} / ORDER#{weight:02}",
        "OPEN#DEPOT#{depot} / ORDER#{order_id}", "ORDERS#OPEN / ORDER#{order_id}"}) {
    candidate.paths[1] |= std::uint64_t{1} << PathOf(1, key);
  }
  const std::string yaml = YamlOf(candidate);
  // The time that is returned, and not the identity that sorts as it does.
  EXPECT_THAT(yaml,
              HasSubstr("by_customer: {key: [customer_id, placed_at], projection: keys_only}"));
  // One flag for three indexes, and a number as it is.
  EXPECT_THAT(yaml, HasSubstr("by_open_depot: {key: {hash: [depot, is_open], range: [weight]}"));
  EXPECT_THAT(yaml, HasSubstr("by_open_depot_and_order_id: {key: {hash: [depot, is_open]"));
  EXPECT_THAT(yaml, HasSubstr("open_orders: {key: [is_open, order_id]"));
  EXPECT_THAT(yaml, HasSubstr(R"(is_open: {template: "OPEN", when: {status: OPEN}})"));
  EXPECT_THAT(yaml, Not(HasSubstr("GSI")));
  // In one table, keys are generic, and indexes are shared.
  candidate.style = TableStyle::kOneTable;
  const std::string one_table = YamlOf(candidate);
  EXPECT_THAT(one_table, HasSubstr("GSI4: {key: [GSI4PK, GSI4SK]"));
  EXPECT_THAT(one_table, HasSubstr(R"(GSI1SK: "ORDER#{order_id}")"));
}

// Names of attributes may have what names of indexes can't.
TEST(CandidateLayout, IndexesHaveNamesThatTheServiceTakes) {
  const auto lab = LoadApplication(R"(lab: 1
entities:
  Person: {count: 100, attributes: {person_id: {sequence: 6}, "né à": {text: 8}}}
access_patterns:
  of a place: {query: Person, by: ["né à"], rate: 1/s}
)",
                                   "people.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const AccessSpace space = SpaceOf(lab->file);
  const LayoutCandidate candidate = {.paths = {1}, .style = TableStyle::kTableEach};
  const LabLayout layout = LayoutOf(lab->file, space, candidate, "people");
  ASSERT_EQ(layout.tables.size(), 1U);
  ASSERT_EQ(layout.tables[0].indexes.size(), 1U);
  EXPECT_EQ(layout.tables[0].indexes[0].name, "by_n_____");
  EXPECT_EQ(layout.tables[0].indexes[0].hash, std::vector<std::string>{"né à"});
}

// Stays have the garage, too, and no time of a payment, so they are not in the index.
TEST(CandidateLayout, AnAttributeThatOthersHaveIsAKeyWhereTheyLackTheOther) {
  const auto lab = LoadApplication(R"(lab: 1
entities:
  Stay: {count: 100, attributes: {stay_id: {sequence: 6}, garage_id: {text: 4}}}
  Payment:
    of: Stay
    count: 2
    attributes: {payment_id: {uuid: true}, garage_id: {text: 4}, paid_at: {time: {past: 90d}}}
access_patterns:
  stay: {query: [Stay, Payment], by: [stay_id], rate: 1/s}
  takings: {query: Payment, by: [garage_id], order: -paid_at, limit: 10, returns: [payment_id], rate: 1/s}
)",
                                   "parking.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const AccessSpace space = SpaceOf(lab->file);
  LayoutCandidate candidate = {.style = TableStyle::kTogether};
  const std::vector<AccessPath>& paths = space.entities[1].paths;
  const auto by_garage = std::ranges::find_if(paths, [](const AccessPath& path) {
    return path.form == AccessPath::Form::kGlobalIndex &&
           path.key.hash.front().value.attribute == LabAttributeRef{1, 1};
  });
  candidate.paths[1] = std::uint64_t{1} << (by_garage - paths.begin());
  const std::vector<ProposedKey>& keys = space.entities[1].table_keys;
  const auto with_stay = std::ranges::find_if(
      keys, [&](const ProposedKey& key) { return IsWithParent(lab->file, 1, key); });
  candidate.table_keys[1] = static_cast<std::uint8_t>(with_stay - keys.begin());
  const LabLayout layout = LayoutOf(lab->file, space, candidate, "parking");
  ASSERT_EQ(layout.tables.size(), 1U);
  ASSERT_EQ(layout.tables[0].indexes.size(), 1U);
  EXPECT_EQ(layout.tables[0].indexes[0].hash, std::vector<std::string>{"garage_id"});
  EXPECT_EQ(layout.tables[0].indexes[0].range, std::vector<std::string>{"paid_at"});
}

constexpr const char* kDecks = R"(lab: 1
entities:
  Deck: {count: 100, attributes: {deck_id: {sequence: 4}, kind: {choice: [a, b]}, made: {time: {past: 90d}}}}
  Card: {of: Deck, count: 40, attributes: {card_id: {sequence: 6}, place: {number: [1, 99]}, front: {text: 9}}}
access_patterns:
  page: {query: [Deck, Card], by: [deck_id], order: place, limit: 9, rate: 1/s}
  card: {get: Card, by: [card_id], rate: 1/s}
  deck: {get: Deck, by: [deck_id], rate: 1/s}
  decks: {query: Deck, order: -made, limit: 9, rate: 1/s}
)";

// Each deck and each card has a partition of its own, and one index has the cards with their deck.
TEST(CandidateLayout, ATableOfSeveralCollectionsHasTheKeysThatItNeeds) {
  const auto lab = LoadApplication(kDecks, "decks.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const AccessSpace space = SpaceOf(lab->file);
  LayoutCandidate candidate = {.style = TableStyle::kTogether};
  for (std::size_t entity = 0; entity < 2; ++entity) {
    const std::vector<AccessPath>& paths = space.entities[entity].paths;
    for (std::size_t i = 0; i < paths.size() && candidate.paths[entity] == 0; ++i) {
      const bool is_page = paths[i].form == AccessPath::Form::kGlobalIndex &&
                           paths[i].together_for == 0 && paths[i].has_all;
      if (is_page) candidate.paths[entity] = std::uint64_t{1} << i;
    }
    ASSERT_NE(candidate.paths[entity], 0U);
  }
  const std::string yaml = LayoutYaml(lab->file, LayoutOf(lab->file, space, candidate, "learning"));
  EXPECT_THAT(yaml, HasSubstr("      learning:\n        key: [PK]\n"));
  EXPECT_THAT(yaml, HasSubstr("by_deck: {key: [deck_id, deck_SK]"));
  EXPECT_THAT(yaml, HasSubstr(R"(Deck: {PK: "DECK#{deck_id}", deck_SK: "DECK"})"));
  EXPECT_THAT(yaml, HasSubstr(R"(Card: {PK: "CARD#{card_id}", deck_SK: "~CARD#{place:02}"})"));
}

TEST(CandidateLayout, OnePartitionOfAllIsCalledSo) {
  const auto lab = LoadApplication(kDecks, "decks.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const AccessSpace space = SpaceOf(lab->file);
  LayoutCandidate candidate = {.style = TableStyle::kTableEach};
  const std::vector<AccessPath>& paths = space.entities[0].paths;
  const auto all = std::ranges::find_if(
      paths, [](const AccessPath& path) { return !path.key.hash.front().HasValue(); });
  ASSERT_NE(all, paths.end());
  candidate.paths[0] = std::uint64_t{1} << (all - paths.begin());
  const std::string yaml = LayoutYaml(lab->file, LayoutOf(lab->file, space, candidate, "learning"));
  EXPECT_THAT(yaml, HasSubstr("decks: {key: [decks, made]"));
  EXPECT_THAT(yaml, HasSubstr(R"(Deck: {decks: "ALL"})"));
}

TEST(CandidateLayout, SmallItemsLeaveOutWhatTheirKeysHold) {
  const auto lab = LoadApplication(kDecks, "decks.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  AccessSpace space = SpaceOf(lab->file);
  space.entities[1].has_small_items = true;
  const LayoutCandidate one_table = {};
  EXPECT_THAT(LayoutYaml(lab->file, LayoutOf(lab->file, space, one_table, "learning")),
              HasSubstr(R"(SK: "CARD", attributes: [place, front, deck_id]})"));
  // A key that is an attribute is there anyway.
  const LayoutCandidate each = {.style = TableStyle::kTableEach};
  EXPECT_THAT(LayoutYaml(lab->file, LayoutOf(lab->file, space, each, "learning")),
              HasSubstr("Card: {}"));
}

TEST_F(CandidateLayoutTest, WhatIsHarderToKeepCounts) {
  EXPECT_EQ(WeightOfBurdens(file_, space_, {.entity = 1}), 0);
  // A line is asked for with its order, and lies apart from it.
  const std::vector<ProposedKey>& keys = SpaceAt(space_, 2).table_keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const EntityChoice choice = {.entity = 2, .table_key = static_cast<std::uint8_t>(i)};
    EXPECT_EQ(WeightOfBurdens(file_, space_, choice) > 0, !IsWithParent(file_, 2, keys[i])) << i;
  }
  // Half of the writes change an order, and lack a part of its key: the customer, who stays the
  // same. There is one page besides, which costs a fifth of a write.
  const std::vector<ProposedKey>& of_order = SpaceAt(space_, 1).table_keys;
  const auto with_customer = std::ranges::find_if(
      of_order, [&](const ProposedKey& key) { return IsWithParent(file_, 1, key); });
  ASSERT_NE(with_customer, of_order.end());
  const auto place = static_cast<std::uint8_t>(with_customer - of_order.begin());
  EXPECT_EQ(WeightOfBurdens(file_, space_, {.entity = 1, .table_key = place}), 5);
  // An item keeps the e-mail address unique.
  EXPECT_EQ(WeightOfBurdens(file_, space_, {.entity = 0}), 1);
}

}  // namespace
}  // namespace hashrange
