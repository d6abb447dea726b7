// A table of items, and functions to write to the table and to add indexes to it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/backfill/backfill.h"
#include "engine/engine_fixture.h"

namespace hashrange::test {

class BackfillFixture : public ::testing::Test {
 protected:
  static constexpr std::int64_t kNowMs = 5000;

  // Returns an item; a third of the items do not belong to an index on "kind".
  ItemRef Make(ItemMaker& maker, int i, int round) {
    const ValueView pk = maker.Text(std::to_string(i));
    const int kind = (i + round) % 3;
    if (kind == 0) return maker.Make({{"pk", pk}, {"n", maker.N(round)}});
    return maker.Make({{"pk", pk},
                       {"kind", maker.Text("k" + std::to_string(kind))},
                       {"n", maker.N(round)},
                       {"v", maker.Numbers(round, i % 5 == 0 ? 3 : 4)}});
  }
  void PutItems(int count, std::string_view table = "t") {
    for (int i = 0; i < count; ++i) {
      test::Put(engine_, *Published(table), Make(maker_, i, 0));
      maker_.Reset();
    }
  }

  TableRef Published(std::string_view table = "t") {
    return engine_.catalog().Find(kAccount, table);
  }
  // Publishes a version of the table that `change` makes from the published version.
  template <typename Change>
  TableRef Republish(const Change& change, std::string_view table = "t") {
    return PublishChange(engine_.catalog(), Published(table), change);
  }
  // Adds a global index or, if the name begins with "vector", a vector index.
  TableRef AddIndex(const std::string& name, std::string_view table = "t") {
    const auto add = [&](TableVersion* version) {
      version->indexes.push_back(name.starts_with("vector") ? VectorIndex(name, 4, "kind")
                                                            : GlobalIndex(name, KeysOf("kind")));
      version->indexes.back().phase = IndexPhase::kAllocating;
    };
    return Republish(add, table);
  }
  static IndexAddress AddressOf(std::string index, std::string table = "t") {
    return {std::string(kAccount.account_id), std::string(kAccount.region), std::move(table),
            std::move(index)};
  }
  const IndexVersion& IndexOf(const TableVersion& table, std::string_view name) {
    return *table.FindIndex(name);
  }
  bool IsFilled(std::string_view name) {
    const IndexPhase phase = IndexOf(*Published(), name).phase;
    return phase == IndexPhase::kAllocatingFilled || phase == IndexPhase::kBackfilled;
  }

  // Checks that each index has exactly the entries of the table's items.
  void ExpectExact(std::string_view table = "t") { ExpectExactIndexes(engine_, *Published(table)); }
  std::int64_t EntriesOf(std::string_view name, std::string_view table_name = "t") {
    const TableRef table = Published(table_name);
    return engine_.StatisticsOf(*table, &IndexOf(*table, name)).item_count;
  }

  const ManualClock clock_{kNowMs};
  Engine engine_{clock_};
  ItemMaker maker_{KeysOf("pk")};
  TableRef first_ = engine_.catalog().Create(NewTable("t", KeysOf("pk")));
};

}  // namespace hashrange::test
