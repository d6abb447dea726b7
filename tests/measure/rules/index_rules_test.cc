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

TEST(IndexKeyChurnRule, MovesAreAHint) {
  // Half of 40 units in 20 calls: one unit a call.
  EXPECT_EQ(Judge("index-key-churn", Moves(10, 40, 20)),
            "hint [shop/GSI1 pattern p]: 10 of 20 changes moved the item within the index, which "
            "took 40 write units. (measured); US$ 0.625 per million calls of this mix for moving "
            "entries instead of changing them (modelled)");
}

TEST(IndexKeyChurnRule, MovesThatAreAFifthOfTheBillAreAWarning) {
  EXPECT_EQ(
      Judge("index-key-churn", Moves(20, 40, 160)),
      "warning [shop/GSI1 pattern p]: 20 of 20 changes moved the item within the index, which "
      "took 40 write units. (measured); US$ 0.625 per million calls of this mix for moving "
      "entries instead of changing them (modelled)");
}

TEST(IndexKeyChurnRule, RareMovesAreClean) {
  EXPECT_EQ(Judge("index-key-churn", Moves(9, 40, 20)), "clean");
}

TEST(IndexKeyChurnRule, NeedsChanges) {
  Measurement measurement = Moves(20, 40, 20);
  measurement.patterns[0].changed = 9;
  EXPECT_EQ(Judge("index-key-churn", measurement),
            "not assessed: No pattern changed 10 items that were there, in a table with an index.");
}

// --- Rule 20 ---

Measurement WrittenIndex(double write_units) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].indexes[0].size_bytes = 2048;
  measurement.resources = {{.table = "shop", .index = "GSI1", .write_units = write_units}};
  measurement.patterns = {OnePattern("GetItem", "get", 10)};
  return measurement;
}

TEST(WriteOnlyIndexRule, IndexThatNobodyReadsIsFound) {
  EXPECT_EQ(
      Judge("write-only-index", WrittenIndex(20)),
      "warning [shop/GSI1]: The index took 20 write units and stores 2 KB; none of 10 reads of "
      "the table used it. (measured); US$ 1.25 per million calls of this mix for writing the "
      "index (measured)");
}

TEST(WriteOnlyIndexRule, ADeletedIndexStoresNothing) {
  Measurement measurement = WrittenIndex(20);
  measurement.tables[0].indexes[0].is_deleted = true;
  EXPECT_EQ(
      Judge("write-only-index", measurement),
      "warning [shop/GSI1]: The index took 20 write units; none of 10 reads of the table used it. "
      "(measured); US$ 1.25 per million calls of this mix for writing the index (measured)");
}

TEST(WriteOnlyIndexRule, IndexThatIsReadIsClean) {
  Measurement measurement = WrittenIndex(20);
  measurement.patterns.push_back(IndexQuery("CUSTOMER"));
  EXPECT_EQ(Judge("write-only-index", measurement), "clean");
}

TEST(WriteOnlyIndexRule, NeedsWritesAndReads) {
  const std::string missing = "not assessed: No index was written in a table that was read.";
  EXPECT_EQ(Judge("write-only-index", WrittenIndex(0)), missing);
  Measurement unread = WrittenIndex(20);
  unread.patterns.clear();
  EXPECT_EQ(Judge("write-only-index", unread), missing);
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

TEST(WideProjectionRule, UnusedAttributesAreFound) {
  EXPECT_EQ(
      Judge("wide-projection", WideIndex(20)),
      "hint [shop/GSI1]: 1 pattern read the index and used 20 % of the 1 GB that it stores. "
      "(modelled); US$ 0.20 per month for storing what no reader of the index uses (modelled)");
  EXPECT_EQ(Judge("wide-projection", WideIndex(50)), "clean");
}

TEST(WideProjectionRule, ReaderOfAllAttributesIsClean) {
  Measurement measurement = WideIndex(20);
  measurement.patterns.push_back(IndexQuery("CUST#{id}"));
  EXPECT_EQ(Judge("wide-projection", measurement), "clean");
}

TEST(WideProjectionRule, NeedsReadersAndItems) {
  const std::string missing =
      "not assessed: No index that projects all attributes of at least 100 items was read.";
  Measurement unread = WideIndex(20);
  unread.patterns.clear();
  EXPECT_EQ(Judge("wide-projection", unread), missing);
  Measurement small = WideIndex(20);
  small.tables[0].indexes[0].items = 99;
  EXPECT_EQ(Judge("wide-projection", small), missing);
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

TEST(ProjectionWithoutTypeRule, LeftOutTypeIsFound) {
  EXPECT_EQ(
      Judge("projection-without-type", IncludingIndex({"total"})),
      "hint [shop/GSI1 key Type]: The index has items of 2 entities and includes 1 attribute, "
      "without `Type`. (measured)");
  EXPECT_EQ(Judge("projection-without-type", IncludingIndex({"total", "Type"})), "clean");
  Measurement one_entity = IncludingIndex({"total"});
  one_entity.entities.pop_back();
  EXPECT_EQ(Judge("projection-without-type", one_entity), "clean");
}

TEST(ProjectionWithoutTypeRule, NeedsAnIndexThatIncludes) {
  EXPECT_EQ(Judge("projection-without-type", ShopMeasurement()),
            "not assessed: No index includes some attributes only (INCLUDE) in a table whose items "
            "have a type attribute.");
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

TEST(UnreadEntityRule, EntityThatNoPatternReadsIsFound) {
  EXPECT_EQ(
      Judge("unread-entity-in-index", UnreadEntity(100)),
      "warning [shop/GSI1 entity Product (PRODUCT#{sku}, INFO)]: 100 items of the entity, 50 "
      "KB, are in the index and took 10 write units there; no pattern reads them from it. "
      "(measured); US$ 1.25 per million calls of this mix for writing the entity to the index "
      "(measured)");
}

TEST(UnreadEntityRule, EntityThatIsReadIsClean) {
  Measurement measurement = UnreadEntity(100);
  measurement.patterns.push_back(IndexQuery("CATEGORY#{name}"));
  EXPECT_EQ(Judge("unread-entity-in-index", measurement), "clean");
}

TEST(UnreadEntityRule, EntityWithOtherTemplatesMayBeRead) {
  Measurement measurement = UnreadEntity(100);
  measurement.entities[0].indexes[0].has_other_partition_keys = true;
  EXPECT_EQ(Judge("unread-entity-in-index", measurement), "clean");
}

TEST(UnreadEntityRule, NeedsItemsAndAnIndexThatChooses) {
  const std::string missing =
      "not assessed: No entity with 100 items is in an index that was read.";
  EXPECT_EQ(Judge("unread-entity-in-index", UnreadEntity(99)), missing);
  // An index of the table's own keys has every item.
  Measurement inverse = UnreadEntity(100);
  inverse.tables[0].indexes[0].hash = {"SK"};
  inverse.tables[0].indexes[0].range = {"PK"};
  EXPECT_EQ(Judge("unread-entity-in-index", inverse), missing);
}

// --- Rule 23 ---

TEST(RedundantIndexRule, BeginningOfAnotherKeyIsFound) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].indexes.push_back({.name = "ByCustomer", .hash = {"GSI1PK"}});
  measurement.resources = {{.table = "shop", .index = "ByCustomer", .write_units = 4}};
  measurement.patterns = {OnePattern("PutItem", "put", 4)};
  EXPECT_EQ(Judge("redundant-index", measurement),
            "warning [shop/ByCustomer]: The key of the index is GSI1PK, with which the key of GSI1 "
            "begins; the index took 4 write units. (measured); US$ 0.625 per million calls of this "
            "mix for writing the index (measured)");
}

TEST(RedundantIndexRule, LaterOfTwoEqualKeysIsFound) {
  Measurement measurement = ShopMeasurement();
  IndexMeasure again = measurement.tables[0].indexes[0];
  again.name = "GSI2";
  again.items = 5'368'709;
  again.size_bytes = 536'870'912;
  measurement.tables[0].indexes.push_back(again);
  // Half a GB, and 100 bytes more for each entry, which is another half.
  EXPECT_EQ(
      Judge("redundant-index", measurement),
      "warning [shop/GSI2]: The key of the index is GSI1PK, GSI1SK, with which the key of GSI1 "
      "begins; the index took 0 write units. (measured); US$ 0.25 per month for storing the "
      "index (measured)");
}

TEST(RedundantIndexRule, OtherKeysAreClean) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].indexes.push_back({.name = "GSI2", .hash = {"GSI1PK"}, .range = {"date"}});
  measurement.tables[0].indexes.push_back(
      {.name = "LSI1", .is_local = true, .hash = {"PK"}, .range = {"date"}});
  EXPECT_EQ(Judge("redundant-index", measurement), "clean");
}

TEST(RedundantIndexRule, NeedsIndexes) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].indexes.clear();
  EXPECT_EQ(Judge("redundant-index", measurement), "not assessed: No table has an index.");
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

TEST(FewIndexValuesRule, FewValuesAreFound) {
  EXPECT_EQ(Judge("few-index-values", IndexValues(9, 1000)),
            "warning [shop/GSI1 key GSI1PK=STATUS#{status}]: 1,000 items have 9 values of the "
            "partition key: 9,000 write units a second at most, if all values are written alike. "
            "(measured)");
  EXPECT_EQ(Judge("few-index-values", IndexValues(99, 1000)),
            "hint [shop/GSI1 key GSI1PK=STATUS#{status}]: 1,000 items have 99 values of the "
            "partition key: 99,000 write units a second at most, if all values are written alike. "
            "(measured)");
  EXPECT_EQ(Judge("few-index-values", IndexValues(100, 1000)), "clean");
}

TEST(FewIndexValuesRule, LiteralsThatDifferInTheLastTokenAreValues) {
  Measurement measurement = ShopMeasurement();
  for (const char* const text : {"STATUS#open", "STATUS#done", "CUSTOMER"}) {
    KeyTemplateMeasure keys{.table = "shop", .index = "GSI1", .attribute = "GSI1PK"};
    keys.text = text;
    keys.items = 600;
    measurement.key_templates.push_back(keys);
  }
  EXPECT_EQ(Judge("few-index-values", measurement),
            "warning [shop/GSI1 key GSI1PK=STATUS#…]: 1,200 items have 2 values of the partition "
            "key: 2,000 write units a second at most, if all values are written alike. (measured)");
}

TEST(FewIndexValuesRule, NeedsAThousandItems) {
  EXPECT_EQ(Judge("few-index-values", IndexValues(2, 999)),
            "not assessed: No index has 1,000 items whose partition keys have one template.");
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

TEST(IndexCapacityRule, IndexThatNeedsMoreIsSevere) {
  EXPECT_EQ(Judge("index-capacity", Provisioned(40, 120)),
            "severe [shop/GSI1]: The index has 40 write units a second and its table 100, whose "
            "writes as measured would need 60 of the index. (extrapolated)");
}

TEST(IndexCapacityRule, SparseIndexIsClean) {
  EXPECT_EQ(Judge("index-capacity", Provisioned(40, 80)), "clean");
  EXPECT_EQ(Judge("index-capacity", Provisioned(100, 900)), "clean");
}

TEST(IndexCapacityRule, UnwrittenTableIsAHint) {
  Measurement measurement = Provisioned(40, 0);
  measurement.resources.clear();
  EXPECT_EQ(Judge("index-capacity", measurement),
            "hint [shop/GSI1]: The index has 40 write units a second and its table 100; too few "
            "writes were seen to judge. (measured)");
}

TEST(IndexCapacityRule, NeedsAProvisionedTable) {
  EXPECT_EQ(Judge("index-capacity", ShopMeasurement()),
            "not assessed: No provisioned table has a global index.");
}

}  // namespace
}  // namespace hashrange
