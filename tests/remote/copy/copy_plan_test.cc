#include "remote/copy/copy_plan.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

EndpointTable Table(std::int64_t items, std::int64_t size_bytes, std::int64_t indexes) {
  EndpointTable table;
  table.items = items;
  table.size_bytes = size_bytes;
  table.indexes = indexes;
  table.is_on_demand = true;
  return table;
}

// Returns a table that will be as it is at the source.
PlannedTable Planned(const EndpointTable& table) { return {table, table}; }

TEST(CopyCost, WritesTakeTheUnitsOfEachIndex) {
  const PlannedTable tables[] = {Planned(Table(1'000'000, 500'000'000, 2)),
                                 Planned(Table(0, 0, 0))};
  const CopyCostTerms terms{.pays_destination = true, .prices = BuiltInPrices()};
  const CopyCost cost = EstimateCopy(tables, terms);
  EXPECT_EQ(cost.read_units, 122'071);
  EXPECT_EQ(cost.write_units, 3'000'000);
  EXPECT_EQ(cost.verifying_units, 122'071);
  EXPECT_DOUBLE_EQ(cost.usd, 3'000'000 * 0.000000625 + 122'071 * 0.000000125);
  EXPECT_EQ(CopyCostText(cost, terms, "./dump", "https://there"),
            "the copy takes about 3,000,000 write units and, to verify it, 122,071 read units at "
            "https://there: US$ 1.89 at the prices of us-east-1");
}

// Each item counts as whole, and as 1 KB at least, in each vector index.
TEST(CopyCost, VectorIndexesTakeBytes) {
  PlannedTable tables[] = {Planned(Table(1'000'000, 2'048'000'000, 0)),
                           Planned(Table(1'000'000, 100'000'000, 0))};
  tables[0].destination.vector_indexes = 1;
  tables[1].destination.vector_indexes = 2;
  const CopyCostTerms terms{.pays_destination = true, .verifies = false, .prices = BuiltInPrices()};
  const CopyCost cost = EstimateCopy(tables, terms);
  EXPECT_EQ(cost.vector_bytes, 4'096'000'000);
  EXPECT_DOUBLE_EQ(cost.usd, 3'000'000 * 0.000000625 + 4'096'000'000 * 0.52 / (1 << 30));
  EXPECT_EQ(CopyCostText(cost, terms, "./dump", "https://there"),
            "the copy takes about 3,000,000 write units and 3.81 GB of vectors at https://there: "
            "US$ 3.86 at the prices of us-east-1");
}

TEST(CopyCost, OnlyTheSourceIsPaidFor) {
  const PlannedTable tables[] = {Planned(Table(2, 2'000, 0))};
  const CopyCostTerms terms{.pays_source = true, .prices = BuiltInPrices()};
  const CopyCost cost = EstimateCopy(tables, terms);
  EXPECT_DOUBLE_EQ(cost.usd, 0.000000125);
  EXPECT_EQ(CopyCostText(cost, terms, "https://there", "./dump"),
            "the copy takes about 1 read unit at https://there: US$ 0.000000125 at the prices of "
            "us-east-1");
}

TEST(CopyCost, TheDestinationHasPricesAndIndexesOfItsOwn) {
  PlannedTable table{Table(1'000, 100'000, 0), Table(7, 7'000, 1)};
  table.source.is_on_demand = false;
  const CopyCostTerms terms{
      .pays_source = true, .pays_destination = true, .prices = BuiltInPrices()};
  const CopyCost cost = EstimateCopy({&table, 1}, terms);
  EXPECT_EQ(cost.read_units, 25);
  EXPECT_EQ(cost.write_units, 2'000);
  EXPECT_DOUBLE_EQ(cost.usd, 2'000 * 0.000000625 + 25 * 0.000000125);
  std::swap(table.source.is_on_demand, table.destination.is_on_demand);
  EXPECT_DOUBLE_EQ(EstimateCopy({&table, 1}, terms).usd, 25 * 0.000000125);
}

TEST(CopyCost, ProvisionedUnitsAreFreeAndInfrequentAccessIsDearer) {
  EndpointTable table = Table(1, 1, 0);
  EXPECT_EQ(CopyUnitPricesOf(table, BuiltInPrices()).write_usd, 0.000000625);
  table.is_infrequent_access = true;
  EXPECT_EQ(CopyUnitPricesOf(table, BuiltInPrices()).read_usd, 0.000000155);
  table.is_on_demand = false;
  EXPECT_EQ(CopyUnitPricesOf(table, BuiltInPrices()).read_usd, 0);
  EXPECT_EQ(CopyUnitPricesOf(table, BuiltInPrices()).write_usd, 0);
}

}  // namespace
}  // namespace hashrange
