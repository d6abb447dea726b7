// Whole designs: what the rules together say of two known ones.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "measure/rules/design_rules.h"
#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

std::string AllFindings(const Measurement& measurement) {
  std::string text;
  for (const Finding& finding : AssessDesign(measurement, {}).findings) {
    text += finding.slug + " " + FindingText(finding) + "\n";
  }
  return text;
}

struct Call {
  std::string id;
  std::string operation;
  std::string kind;
  std::string index;
  std::vector<KeyTerm> key;
  std::string condition = {};
};

std::vector<KeyTerm> ItemKey(std::string partition_key, std::string sort_key) {
  return {{"PK", "=", std::move(partition_key)}, {"SK", "=", std::move(sort_key)}};
}

// Adds a pattern, whose calls each take a unit of the table, or read half a unit and ten items.
PatternMeasure& AddCalls(Measurement* measurement, Call call, std::uint64_t calls) {
  PatternMeasure& pattern =
      measurement->patterns.emplace_back(OnePattern(call.operation, call.kind, calls));
  pattern.id = call.id;
  PatternMember& member = pattern.members[0];
  member.index = call.index;
  member.key = std::move(call.key);
  member.condition = call.condition;
  const auto units = static_cast<double>(calls);
  if (IsRead(member)) {
    const double items = call.kind == "get" ? 1 : 10;
    pattern.units = {{"shop", call.index, units / 2, 0}};
    pattern.call.items_examined.Add(items, calls);
    pattern.call.items_returned.Add(items, calls);
    pattern.call.bytes_examined.Add(items * 300, calls);
    pattern.call.bytes_returned.Add(items * 300, calls);
  } else {
    pattern.units = {{"shop", "", 0, units}};
  }
  return pattern;
}

EntityMeasure Stored(std::string type, std::string partition_key, std::string sort_key,
                     std::uint64_t items) {
  EntityMeasure entity =
      EntityOf(std::move(type), std::move(partition_key), std::move(sort_key), items);
  entity.size_bytes.Add(300, items);
  entity.inserted = items;
  entity.units = {{"shop", "", 0, static_cast<double>(items)}};
  return entity;
}

void AddToIndex(EntityMeasure* entity, std::string partition_key, std::string sort_key) {
  entity->indexes.push_back({"GSI1", entity->items, 300.0 * static_cast<double>(entity->items),
                             std::move(partition_key), std::move(sort_key)});
  entity->units.push_back({"shop", "GSI1", 0, static_cast<double>(entity->items)});
}

// The shop of thirteen rows: customers, orders, lines and products, each read once. All customers
// are under one key of the index; administration scans.
Measurement ThirteenRows() {
  Measurement measurement = ShopMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.type_attribute = "Type";
  table.items = 13;
  table.walked_items = 13;
  table.walked_share = 1;
  EntityMeasure customer = Stored("Customer", "CUST#{id}", "METADATA", 3);
  AddToIndex(&customer, "CUSTOMER", "{created_at}");
  EntityMeasure order = Stored("Order", "ORDER#{id}", "METADATA", 3);
  AddToIndex(&order, "CUST#{customer_id}", "ORDER#{created_at}#{id}");
  EntityMeasure line = Stored("Line", "ORDER#{id}", "ITEM#{sku}", 4);
  AddToIndex(&line, "PRODUCT#{sku}", "ORDER#{id}");
  measurement.entities = {customer, order, line, Stored("Product", "PRODUCT#{sku}", "METADATA", 3)};
  AddIndexTemplates(&measurement);
  measurement.resources = {{.table = "shop", .write_units = 13},
                           {.table = "shop", .index = "GSI1", .write_units = 10}};
  AddCalls(&measurement, {"customer", "GetItem", "get", "", ItemKey("CUST#{id}", "METADATA")}, 1);
  AddCalls(&measurement, {"order", "Query", "query", "", {{"PK", "=", "ORDER#{id}"}}}, 1);
  AddCalls(&measurement,
           {"orders",
            "Query",
            "query",
            "GSI1",
            {{"GSI1PK", "=", "CUST#{id}"}, {"GSI1SK", "begins_with", "ORDER#"}}},
           1);
  AddCalls(&measurement, {"all", "Query", "query", "GSI1", {{"GSI1PK", "=", "CUSTOMER"}}}, 1);
  AddCalls(&measurement, {"admin", "Scan", "scan", "", {}}, 1);
  PatternMeasure& put = AddCalls(&measurement, {"put", "PutItem", "put", "", {}}, 3);
  put.inserted = 3;
  return measurement;
}

TEST(ExampleDesigns, ShopHasAScanAndAConstantKey) {
  const std::string scan =
      "scan warning [shop pattern admin]: 1 call scanned 10 items and took 0.5 read units. "
      "(measured); US$ 0.00781 per million calls of this mix for the scan (measured)\n";
  Measurement measurement = ThirteenRows();
  EXPECT_EQ(AllFindings(measurement), scan);  // three customers could share a key by chance
  measurement.entities[0].indexes[0].items = 30;
  EXPECT_EQ(AllFindings(measurement),
            scan +
                "constant-partition-key warning [shop/GSI1 entity Customer (CUST#{id}, METADATA) "
                "key GSI1PK=CUSTOMER]: 30 items of the entity, all that the index has, are under "
                "this one key; writing them took 3 write units. (measured)\n");
}

TEST(ExampleDesigns, IndexOfTheShopThatNobodyReadsIsFound) {
  Measurement measurement = ThirteenRows();
  std::erase_if(measurement.patterns, [](const PatternMeasure& pattern) {
    return pattern.members[0].index == "GSI1" || pattern.members[0].kind == "scan";
  });
  measurement.entities.erase(measurement.entities.begin());
  EXPECT_EQ(
      AllFindings(measurement),
      "write-only-index warning [shop/GSI1]: The index took 10 write units and stores 0 bytes; "
      "none of 2 reads of the table used it. (measured); US$ 1.25 per million calls of this "
      "mix for writing the index (measured)\n");
}

// Users, orders and lines as published designs have them, with much traffic.
Measurement GoodDesign() {
  Measurement measurement = ShopMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.type_attribute = "Type";
  table.items = table.items_at_begin = 40'000;
  table.walked_items = 40'000;
  table.walked_share = 1;
  EntityMeasure order = Stored("Order", "ORDER#{id}", "META", 5000);
  AddToIndex(&order, "STATUS#{status}#{date}", "ORDER#{date}#{id}");
  measurement.entities = {Stored("User", "USER#{id}", "PROFILE", 2000), order,
                          Stored("UserOrder", "USER#{id}", "ORDER#{date}#{id}", 5000),
                          Stored("Address", "USER#{id}", "ADDRESS#{name}", 2000),
                          Stored("Line", "ORDER#{id}", "ITEM#{item_id}", 20'000)};
  measurement.resources = {
      {.table = "shop", .read_units = 9000, .write_units = 34'000},
      {.table = "shop", .index = "GSI1", .read_units = 500, .write_units = 9000}};
  measurement.resources[0].written_keys = {34'000, 20, {{"PK=USER#7", "PK=USER#{id}", 90, 20}}};
  measurement.resources[0].writes_in_order_known = 4000;
  measurement.resources[0].rising_writes = 3900;
  AddCalls(&measurement, {"user", "GetItem", "get", "", ItemKey("USER#{id}", "PROFILE")}, 9000);
  AddCalls(
      &measurement,
      {"orders", "Query", "query", "", {{"PK", "=", "USER#{id}"}, {"SK", "begins_with", "ORDER#"}}},
      5000)
      .members[0]
      .limit = 20;
  AddCalls(&measurement, {"order", "Query", "query", "", {{"PK", "=", "ORDER#{id}"}}}, 4000);
  AddCalls(&measurement,
           {"by status", "Query", "query", "GSI1", {{"GSI1PK", "=", "STATUS#{status}#{date}"}}},
           1000)
      .members[0]
      .limit = 20;
  AddCalls(
      &measurement,
      {"create", "PutItem", "put", "", ItemKey("USER#{id}", "PROFILE"), "attribute_not_exists(PK)"},
      2000)
      .inserted = 2000;
  PatternMeasure& place = AddCalls(&measurement,
                                   {"place", "TransactWriteItems", "put", "",
                                    ItemKey("ORDER#{id}", "META"), "attribute_not_exists(PK)"},
                                   5000);
  place.members_a_call.Add(6, 5000);
  place.inserted = 30'000;
  PatternMeasure& status = AddCalls(
      &measurement,
      {"status", "UpdateItem", "update", "", ItemKey("ORDER#{id}", "META"), "attribute_exists(PK)"},
      2000);
  status.changed = 2000;
  status.item_bytes_written = 600'000;
  status.changed_bytes = 60'000;
  status.index_moves = {{"shop", "GSI1", 2000}};
  status.units.push_back({"shop", "GSI1", 0, 4000});
  return measurement;
}

// A status that is the key of an index is a choice that the report shows with its price.
TEST(ExampleDesigns, GoodDesignHasOneFinding) {
  EXPECT_EQ(
      AllFindings(GoodDesign()),
      "index-key-churn warning [shop/GSI1 pattern status]: 2,000 of 2,000 changes moved the "
      "item within the index, which took 4,000 write units. (measured); US$ 0.0446 per million "
      "calls of this mix for moving entries instead of changing them (modelled)\n");
}

// Accounts, their users and service groups, with an index that turns the keys round: every item is
// in it, and under the sort key of the accounts, which is a constant, are all accounts.
Measurement AccountsDesign() {
  Measurement measurement = ShopMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.type_attribute = "Type";
  table.walked_items = 5200;
  table.walked_share = 1;
  table.indexes[0].hash = {"SK"};
  table.indexes[0].range = {"PK"};
  measurement.entities = {Stored("Account", "account:{id}", "metadata:account", 200),
                          Stored("User", "account:{id}", "user:{id}", 2000),
                          Stored("Group", "account:{id}", "servicegroup:{id}", 1000),
                          Stored("Member", "account:{id}", "user:{id}#servicegroup:{id}", 2000)};
  for (EntityMeasure& entity : measurement.entities) {
    const std::string partition_key = entity.partition_key;
    AddToIndex(&entity, entity.sort_key, partition_key);
  }
  AddIndexTemplates(&measurement);
  measurement.resources = {
      {.table = "shop", .write_units = 5200},
      {.table = "shop", .index = "GSI1", .read_units = 100, .write_units = 5200}};
  AddCalls(&measurement,
           {"account", "GetItem", "get", "", ItemKey("account:{id}", "metadata:account")}, 2000);
  AddCalls(&measurement,
           {"users",
            "Query",
            "query",
            "",
            {{"PK", "=", "account:{id}"}, {"SK", "begins_with", "user:"}}},
           1000);
  AddCalls(&measurement,
           {"accounts of a user",
            "Query",
            "query",
            "GSI1",
            {{"SK", "=", "user:{id}"}, {"PK", "begins_with", "account:"}}},
           1000);
  AddCalls(&measurement,
           {"create", "PutItem", "put", "", ItemKey("account:{id}", "user:{id}"),
            "attribute_not_exists(PK)"},
           5200)
      .inserted = 5200;
  return measurement;
}

TEST(ExampleDesigns, InverseIndexHasAllAccountsUnderOneKey) {
  EXPECT_EQ(
      AllFindings(AccountsDesign()),
      "constant-partition-key severe [shop/GSI1 entity Account (account:{id}, "
      "metadata:account) key SK=metadata:account]: 200 items of the entity, all that the index "
      "has, are under this one key; writing them took 200 write units. (measured)\n"
      "ambiguous-prefix hint [shop pattern users key SK begins_with user:]: 1,000 calls met "
      "items of User (account:{id}, user:{id}) and Member (account:{id}, "
      "user:{id}#servicegroup:{id}). (measured)\n");
}

}  // namespace
}  // namespace hashrange
