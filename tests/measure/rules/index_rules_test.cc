#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// A pattern "q" that queries GSI1 by a partition key.
PatternMeasure IndexQuery(std::string key) {
  PatternMeasure pattern = OnePattern("Query", "query", 5);
  pattern.id = "q";
  pattern.members[0].index = "GSI1";
  pattern.members[0].key = {{"GSI1PK", "=", std::move(key), ""}};
  return pattern;
}

// --- Rule 19 ---

Measurement Moves(std::uint64_t moved, double index_units, double other_units) {
  PatternMeasure pattern = OnePattern("UpdateItem", "update", 20);
  pattern.changed = 20;
  pattern.index_moves = {{"shop", "GSI1", moved}};
  pattern.units = {{"shop", "", 0, other_units}, {"shop", "GSI1", 0, index_units}};
  return ShopWith({pattern});
}

TEST(IndexKeyChurnRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // Half of 40 units in 20 calls: one unit a call.
      {"moves are a hint", Moves(10, 40, 20),
       "hint [shop/GSI1 pattern p]: 10 of 20 changes moved the item within the index, which took "
       "40 write units. (measured); US$ 0.625 per million calls of this mix for moving entries "
       "instead of changing them (modelled)"},
      {"moves that are a fifth of the bill are a warning", Moves(20, 40, 160),
       "warning [shop/GSI1 pattern p]: 20 of 20 changes moved the item within the index, which "
       "took 40 write units. (measured); US$ 0.625 per million calls of this mix for moving "
       "entries instead of changing them (modelled)"},
      {"rare moves are clean", Moves(9, 40, 20), "clean"},
      {"needs changes",
       Changed(Moves(20, 40, 20), [](auto& shop) { shop.patterns[0].changed = 9; }),
       "not assessed: No pattern changed 10 items that were there, in a table with an index."},
  };
  ExpectJudged("index-key-churn", rows);
}

// --- Rule 20 ---

Measurement WrittenIndex(double write_units) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].indexes[0].size_bytes = 2048;
  measurement.resources = {{.table = "shop", .index = "GSI1", .write_units = write_units}};
  measurement.patterns = {OnePattern("GetItem", "get", 10)};
  return measurement;
}

TEST(WriteOnlyIndexRule, JudgesWhatWasMeasured) {
  const std::string missing = "not assessed: No index was written in a table that was read.";
  const JudgedRow rows[] = {
      {"index that nobody reads is found", WrittenIndex(20),
       "warning [shop/GSI1]: The index took 20 write units and stores 2 KB; none of 10 reads of "
       "the table used it. (measured); US$ 1.25 per million calls of this mix for writing the "
       "index (measured)"},
      {"a deleted index stores nothing",
       Changed(WrittenIndex(20), [](auto& shop) { shop.tables[0].indexes[0].is_deleted = true; }),
       "warning [shop/GSI1]: The index took 20 write units; none of 10 reads of the table used it. "
       "(measured); US$ 1.25 per million calls of this mix for writing the index (measured)"},
      {"index that is read is clean",
       Changed(WrittenIndex(20),
               [](auto& shop) { shop.patterns.push_back(IndexQuery("CUSTOMER")); }),
       "clean"},
      {"needs writes", WrittenIndex(0), missing},
      {"needs reads", Changed(WrittenIndex(20), [](auto& shop) { shop.patterns.clear(); }),
       missing},
  };
  ExpectJudged("write-only-index", rows);
}

// --- Rule 21 ---

Measurement WideIndex(double used_bytes) {
  Measurement measurement = ShopMeasurement();
  IndexMeasure& index = measurement.tables[0].indexes[0];
  index.items = 100;
  index.size_bytes = 1'073'741'824;
  PatternMeasure query = IndexQuery("CUST#{id}");
  query.members[0].projection = "total";
  query.members[0].projected_attributes = {"total"};
  measurement.patterns = {query};
  EntityMeasure order = EntityOf("Order", "ORDER#{id}", "META", 100);
  order.indexes = {{.index = "GSI1", .items = 100}};
  order.attributes = {{.name = "PK", .size_bytes = 10},
                      {.name = "total", .size_bytes = used_bytes - 10},
                      {.name = "text", .size_bytes = 100 - used_bytes}};
  measurement.entities = {order};
  return measurement;
}

TEST(WideProjectionRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No index that projects all attributes of at least 100 items was read.";
  const JudgedRow rows[] = {
      {"unused attributes are found", WideIndex(20),
       "hint [shop/GSI1]: 1 pattern read the index and used 20 % of the 1 GB that it stores. "
       "(modelled); US$ 0.20 per month for storing what no reader of the index uses (modelled)"},
      {"half is clean", WideIndex(50), "clean"},
      {"reader of all attributes is clean",
       Changed(WideIndex(20), [](auto& shop) { shop.patterns.push_back(IndexQuery("CUST#{id}")); }),
       "clean"},
      {"needs readers", Changed(WideIndex(20), [](auto& shop) { shop.patterns.clear(); }), missing},
      {"needs items",
       Changed(WideIndex(20), [](auto& shop) { shop.tables[0].indexes[0].items = 99; }), missing},
  };
  ExpectJudged("wide-projection", rows);
}

Measurement IncludingIndex(std::vector<std::string> names) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].type_attribute = "Type";
  IndexMeasure& index = measurement.tables[0].indexes[0];
  index.projection = "INCLUDE";
  index.non_key_attributes = std::move(names);
  for (const char* const type : {"Order", "User"}) {
    EntityMeasure entity = EntityOf(type, "A#{id}", type, 5);
    entity.indexes = {{.index = "GSI1", .items = 5}};
    measurement.entities.push_back(entity);
  }
  return measurement;
}

TEST(ProjectionWithoutTypeRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"left out type is found", IncludingIndex({"total"}),
       "hint [shop/GSI1 key Type]: The index has items of 2 entities and includes 1 attribute, "
       "without `Type`. (measured)"},
      {"included type is clean", IncludingIndex({"total", "Type"}), "clean"},
      {"one entity is clean",
       Changed(IncludingIndex({"total"}), [](auto& shop) { shop.entities.pop_back(); }), "clean"},
      {"needs an index that includes", ShopMeasurement(),
       "not assessed: No index includes some attributes only (INCLUDE) in a table whose items have "
       "a type attribute."},
  };
  ExpectJudged("projection-without-type", rows);
}

// --- Rule 22 ---

Measurement UnreadEntity(std::uint64_t items) {
  Measurement measurement = ShopMeasurement();
  measurement.patterns = {IndexQuery("CUST#{id}")};
  EntityMeasure product = EntityOf("Product", "PRODUCT#{sku}", "INFO", items);
  product.indexes = {{"GSI1", items, 51'200, "CATEGORY#{name}", "PRODUCT#{sku}"}};
  product.units = {{"shop", "GSI1", 0, 10}};
  measurement.entities = {product};
  AddIndexTemplates(&measurement);
  return measurement;
}

TEST(UnreadEntityRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No entity with 100 items is in an index that was read.";
  const JudgedRow rows[] = {
      {"entity that no pattern reads is found", UnreadEntity(100),
       "warning [shop/GSI1 entity Product (PRODUCT#{sku}, INFO)]: 100 items of the entity, 50 KB, "
       "are in the index and took 10 write units there; no pattern reads them from it. (measured); "
       "US$ 1.25 per million calls of this mix for writing the entity to the index (measured)"},
      {"entity that is read is clean",
       Changed(UnreadEntity(100),
               [](auto& shop) { shop.patterns.push_back(IndexQuery("CATEGORY#{name}")); }),
       "clean"},
      {"entity with other templates may be read",
       Changed(UnreadEntity(100),
               [](auto& shop) { shop.entities[0].indexes[0].has_other_partition_keys = true; }),
       "clean"},
      {"needs 100 items", UnreadEntity(99), missing},
      // An index of the table's own keys has every item.
      {"needs an index that chooses",
       Changed(UnreadEntity(100),
               [](auto& shop) {
                 shop.tables[0].indexes[0].hash = {"SK"};
                 shop.tables[0].indexes[0].range = {"PK"};
               }),
       missing},
  };
  ExpectJudged("unread-entity-in-index", rows);
}

// --- Rule 23 ---

TEST(RedundantIndexRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"beginning of another key is found",
       Changed(ShopMeasurement(),
               [](auto& shop) {
                 shop.tables[0].indexes.push_back({.name = "ByCustomer", .hash = {"GSI1PK"}});
                 shop.resources = {{.table = "shop", .index = "ByCustomer", .write_units = 4}};
                 shop.patterns = {OnePattern("PutItem", "put", 4)};
               }),
       "warning [shop/ByCustomer]: The key of the index is GSI1PK, with which the key of GSI1 "
       "begins; the index took 4 write units. (measured); US$ 0.625 per million calls of this mix "
       "for writing the index (measured)"},
      // Half a GB, and 100 bytes more for each entry, which is another half.
      {"later of two equal keys is found",
       Changed(ShopMeasurement(),
               [](auto& shop) {
                 IndexMeasure again = shop.tables[0].indexes[0];
                 again.name = "GSI2";
                 again.items = 5'368'709;
                 again.size_bytes = 536'870'912;
                 shop.tables[0].indexes.push_back(again);
               }),
       "warning [shop/GSI2]: The key of the index is GSI1PK, GSI1SK, with which the key of GSI1 "
       "begins; the index took 0 write units. (measured); US$ 0.25 per month for storing the index "
       "(measured)"},
      {"other keys are clean",
       Changed(ShopMeasurement(),
               [](auto& shop) {
                 shop.tables[0].indexes.push_back(
                     {.name = "GSI2", .hash = {"GSI1PK"}, .range = {"date"}});
                 shop.tables[0].indexes.push_back(
                     {.name = "LSI1", .is_local = true, .hash = {"PK"}, .range = {"date"}});
               }),
       "clean"},
      {"needs indexes",
       Changed(ShopMeasurement(), [](auto& shop) { shop.tables[0].indexes.clear(); }),
       "not assessed: No table has an index."},
  };
  ExpectJudged("redundant-index", rows);
}

// --- Rule 24 ---

Measurement IndexValues(std::uint64_t values, std::uint64_t items) {
  Measurement measurement = ShopMeasurement();
  KeyTemplateMeasure keys{.table = "shop", .index = "GSI1", .attribute = "GSI1PK"};
  keys.text = "STATUS#{status}";
  keys.items = items;
  keys.placeholders = {{.text = "status", .distinct = values}};
  measurement.key_templates = {keys};
  return measurement;
}

// 1,000 writes by "sign up", a quarter of them in each of four shards of the index.
Measurement WrittenShards() {
  Measurement measurement = IndexValues(4, 1000);
  measurement.key_templates[0].text = "CUSTOMER#{digits}";
  PatternMeasure pattern = OnePattern("PutItem", "put", 1000);
  pattern.name = "sign up";
  pattern.units = {{"shop", "", 0, 1000}, {"shop", "GSI1", 0, 1000}};
  measurement.patterns = {pattern};
  ResourceMeasure index{.table = "shop", .index = "GSI1", .write_units = 1000};
  index.written_keys = {1000, 0, {{"GSI1PK=CUSTOMER#1", "GSI1PK=CUSTOMER#{digits}", 250, 0}}};
  measurement.resources = {index};
  return measurement;
}

TEST(FewIndexValuesRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"very few values are a warning", IndexValues(9, 1000),
       "warning [shop/GSI1 key GSI1PK=STATUS#{status}]: 1,000 items have 9 values of the partition "
       "key: 9,000 write units a second at most, if all values are written alike. (measured)"},
      {"few values are a hint", IndexValues(99, 1000),
       "hint [shop/GSI1 key GSI1PK=STATUS#{status}]: 1,000 items have 99 values of the partition "
       "key: 99,000 write units a second at most, if all values are written alike. (measured)"},
      {"100 values are clean", IndexValues(100, 1000), "clean"},
      {"shards behind a status are more values",
       Changed(IndexValues(5, 1000),
               [](auto& shop) {
                 shop.key_templates[0].text = "STATUS#{status}#{digits}";
                 shop.key_templates[0].placeholders.push_back({.text = "digits", .distinct = 8});
               }),
       "hint [shop/GSI1 key GSI1PK=STATUS#{status}#{digits}]: 1,000 items have 40 values of the "
       "partition key: 40,000 write units a second at most, if all values are written alike. "
       "(measured)"},
      {"no more values than stored keys",
       Changed(IndexValues(5, 1000),
               [](auto& shop) {
                 shop.key_templates[0].placeholders.push_back({.text = "digits", .distinct = 8});
                 shop.resources = {{.table = "shop", .index = "GSI1", .collections = {.count = 9}}};
               }),
       "warning [shop/GSI1 key GSI1PK=STATUS#{status}]: 1,000 items have 9 values of the partition "
       "key: 9,000 write units a second at most, if all values are written alike. (measured)"},
      // A quarter of the writes are of one shard: 25 a second of 100 sign-ups, or 500 of 2,000.
      {"shards far from their limit are clean",
       WrittenShards(),
       "clean",
       {.rates = {{"sign up", 100}}}},
      // It is not known which of two patterns writes the shards: by the mix, a quarter of all.
      {"what the mix of the rates needs is far from the limit",
       Changed(WrittenShards(),
               [](auto& shop) {
                 shop.patterns.push_back(shop.patterns[0]);
                 shop.patterns[1].name = "move";
               }),
       "clean",
       {.rates = {{"sign up", 100}, {"move", 1800}}}},
      {"shards at half of their limit are found",
       WrittenShards(),
       "warning [shop/GSI1 key GSI1PK=CUSTOMER#{digits}]: 1,000 items have 4 values of the "
       "partition key: 4,000 write units a second at most, if all values are written alike. "
       "(measured)",
       {.rates = {{"sign up", 2000}}}},
      {"shards at half of the limit of small partitions are found",
       Changed(WrittenShards(),
               [](auto& shop) { shop.tables[0].partition_limits.write_units = 100; }),
       "warning [shop/GSI1 key GSI1PK=CUSTOMER#{digits}]: 1,000 items have 4 values of the "
       "partition key: 400 write units a second at most, if all values are written alike. "
       "(measured)",
       {.rates = {{"sign up", 200}}}},
      {"literals that differ in the last token are values",
       Changed(ShopMeasurement(),
               [](auto& shop) {
                 for (const char* const text : {"STATUS#open", "STATUS#done", "CUSTOMER"}) {
                   KeyTemplateMeasure keys{.table = "shop", .index = "GSI1", .attribute = "GSI1PK"};
                   keys.text = text;
                   keys.items = 600;
                   shop.key_templates.push_back(keys);
                 }
               }),
       "warning [shop/GSI1 key GSI1PK=STATUS#…]: 1,200 items have 2 values of the partition key: "
       "2,000 write units a second at most, if all values are written alike. (measured)"},
      {"needs a thousand items", IndexValues(2, 999),
       "not assessed: No index has 1,000 items whose partition keys have one template."},
  };
  ExpectJudged("few-index-values", rows);
}

// --- Rule 29 ---

Measurement Provisioned(std::int64_t index_units, double written) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].on_demand = false;
  measurement.tables[0].provisioned_write_units = 100;
  measurement.tables[0].indexes[0].provisioned_write_units = index_units;
  measurement.resources = {{.table = "shop", .write_units = 200},
                           {.table = "shop", .index = "GSI1", .write_units = written}};
  return measurement;
}

TEST(IndexCapacityRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"index that needs more is severe", Provisioned(40, 120),
       "severe [shop/GSI1]: The index has 40 write units a second and its table 100, whose writes "
       "as measured would need 60 of the index. (extrapolated)"},
      {"sparse index is clean", Provisioned(40, 80), "clean"},
      {"index with as much as its table is clean", Provisioned(100, 900), "clean"},
      {"unwritten table is a hint",
       Changed(Provisioned(40, 0), [](auto& shop) { shop.resources.clear(); }),
       "hint [shop/GSI1]: The index has 40 write units a second and its table 100; too few writes "
       "were seen to judge. (measured)"},
      {"needs a provisioned table", ShopMeasurement(),
       "not assessed: No provisioned table has a global index."},
  };
  ExpectJudged("index-capacity", rows);
}

}  // namespace
}  // namespace hashrange
