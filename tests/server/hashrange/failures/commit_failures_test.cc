// Commits whose allocations fail, one after the other: a commit that throws has changed nothing,
// and any other commit is done as a whole. Random commits to two tables with indexes, a stream and
// items that expire are compared with plain maps; pinned maps make the commits copy nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"
#include "support/allocation_failures.h"

namespace hashrange {
namespace {

using test::AllocationFailures;
using test::Failing;
using test::GlobalIndex;
using test::ItemMaker;
using test::kAccount;
using test::KeysOf;
using test::LocalIndex;
using test::RangeAll;
using test::VectorIndex;

using Key = std::pair<std::uint64_t, std::string>;
using Items = std::map<Key, ItemRef>;

Key KeyOf(const Item& item) { return {item.hash(), std::string(item.key())}; }

std::vector<ItemRef> InOrder(const Items& items) {
  std::vector<ItemRef> all;
  for (const auto& entry : items) all.push_back(entry.second);
  return all;
}

// A table, and the items that it should have.
struct ModelTable {
  ModelTable(const KeySchema& key, TableRef made, StreamRef its_stream)
      : maker(key), version(std::move(made)), stream(std::move(its_stream)) {}

  ItemMaker maker;
  TableRef version;
  StreamRef stream;
  Items items;
};

class CommitFailures : public testing::TestWithParam<Failing> {
 protected:
  CommitFailures() {
    engine_.AddObserver(streams_);
    AddTable("orders", KeysOf("pk", "sk"),
             {GlobalIndex("by-group", KeysOf("group", "sk")),
              LocalIndex("by-note", KeysOf("pk", "note")), VectorIndex("vectors", 400, "group")});
    AddTable("users", KeysOf("pk"), {GlobalIndex("by-group", KeysOf("group"))});
  }

  void AddTable(std::string name, KeySchema key, std::vector<IndexVersion> indexes) {
    auto version = test::NewTable(std::move(name), key, std::move(indexes));
    version->settings.stream->view_type = "NEW_AND_OLD_IMAGES";
    version->settings.ttl_attribute = "expires";
    version->settings.expiries = std::make_shared<ExpirySet>("expires");
    StreamRef stream = streams_.Open(kAccount, MakeStreamDefinition(*version, kAccount.region, 0));
    version->settings.stream->storage = stream;
    tables_.emplace_back(key, engine_.catalog().Create(std::move(version)), stream);
  }

  std::uint64_t Below(std::uint64_t n) { return random_.Next() % n; }

  ItemRef RandomItem(ModelTable& table) {
    ItemMaker& maker = table.maker;
    std::vector<Attribute> attributes;
    // The keys of a collection share long beginnings, and so separators are long.
    const std::string sort = std::string(Below(2) * 300, 's') + std::to_string(Below(700));
    const bool has_range = table.version->key.parts() == 2;
    attributes.push_back({"pk", maker.Text(has_range ? std::to_string(Below(2)) : sort)});
    if (has_range) attributes.push_back({"sk", maker.Text(sort)});
    if (Below(3) > 0) attributes.push_back({"group", maker.Text(std::to_string(Below(2)))});
    if (has_range && Below(3) == 0) {
      attributes.push_back({"v", maker.Numbers(static_cast<int>(Below(2)), 400)});
    }
    if (Below(3) > 0) attributes.push_back({"note", maker.Text(std::to_string(Below(90)))});
    if (Below(3) > 0) {
      attributes.push_back({"expires", maker.N(1'900'000'000 + static_cast<int>(Below(1000)))});
    }
    return maker.Make(std::move(attributes));
  }

  struct Member {
    ModelTable* table;
    ItemRef item;  // its key is the address
    bool erases;
  };

  std::vector<Member> RandomMembers(int step) {
    // The tables grow and shrink in turns.
    const std::uint64_t erased = step / 1000 % 2 == 0 ? 2 : 7;
    std::vector<Member> members;
    std::set<std::pair<ModelTable*, Key>> keys;
    for (std::uint64_t left = 1 + Below(2) * Below(12); left > 0; --left) {
      ModelTable& table = tables_[Below(3) > 0 ? 0 : 1];
      ItemRef item = RandomItem(table);
      const bool erases = Below(10) < erased;
      // An erasure usually hits an item.
      if (erases && !table.items.empty()) {
        auto found = table.items.lower_bound(KeyOf(*item));
        item = (found == table.items.end() ? table.items.begin() : found)->second;
      }
      if (keys.emplace(&table, KeyOf(*item)).second) members.push_back({&table, item, erases});
    }
    return members;
  }

  // Returns false when the commit threw.
  bool TryCommit(const std::vector<Member>& members, std::int64_t number, bool* have_happened) {
    std::vector<std::function<Decision(ItemView)>> functions;
    std::vector<ItemWrite> writes;
    functions.reserve(members.size());
    for (const Member& member : members) {
      functions.push_back([&member](ItemView) {
        return member.erases ? Decision::Erase() : Decision::Put(member.item);
      });
      writes.push_back(
          {{member.table->version.get(), test::PositionOf(*member.item)}, functions.back()});
    }
    std::vector<WriteOutcome> outcomes(members.size());
    Arena arena;
    AllocationFailures failures(number, GetParam());
    bool is_committed = true;
    try {
      EXPECT_EQ(engine_.Commit(writes, outcomes, arena), CommitResult::kCommitted);
    } catch (const std::bad_alloc&) {
      is_committed = false;
    }
    *have_happened = failures.have_happened();
    return is_committed;
  }

  // Fails each allocation of the commit in turn, until the commit is done.
  void Commit(const std::vector<Member>& members) {
    for (std::int64_t number = 0;; ++number) {
      bool have_happened = false;
      if (TryCommit(members, number, &have_happened)) {
        if (have_happened) ++done_without_memory_;
        break;
      }
      ++thrown_;
      ASSERT_TRUE(have_happened);
      for (const Member& member : members) ExpectAsInModel(member);
    }
    for (const Member& member : members) {
      if (member.erases) {
        member.table->items.erase(KeyOf(*member.item));
      } else {
        ItemRef& item = member.table->items[KeyOf(*member.item)];
        // A put of an equal item changes nothing.
        const KeySchema& key = member.table->version->key;
        if (!item || !ItemView(key, item.get()).SameAttributes({key, member.item.get()})) {
          item = member.item;
        }
      }
      ExpectAsInModel(member);
    }
  }

  void ExpectAsInModel(const Member& member) {
    const auto found = member.table->items.find(KeyOf(*member.item));
    EXPECT_EQ(test::ReadOne(engine_, *member.table->version, test::PositionOf(*member.item)),
              found == member.table->items.end() ? nullptr : found->second);
  }

  void CheckAll() {
    for (ModelTable& table : tables_) {
      const std::vector<ItemRef> items = InOrder(table.items);
      most_items_ = std::max(most_items_, items.size());
      ASSERT_EQ(RangeAll(engine_, *table.version, nullptr), items);
      EXPECT_EQ(engine_.StatisticsOf(*table.version, nullptr),
                test::ExpectedStatistics(*table.version, items));
      for (const IndexVersion& index : table.version->indexes) {
        if (index.schema.vector) {
          test::ExpectExactVectors(engine_, *table.version, index, items);
          continue;
        }
        TableStatistics statistics;
        const auto expected = test::ExpectedEntries(*table.version, index, items, &statistics);
        ASSERT_EQ(RangeAll(engine_, *table.version, &index), expected) << index.schema.name;
        EXPECT_EQ(engine_.StatisticsOf(*table.version, &index), statistics);
      }
      CheckStream(table);
      CheckExpiries(table);
    }
  }

  // The records, applied in order, give the table.
  void CheckStream(const ModelTable& table) {
    Items replayed;
    Shard& shard = table.stream->shard(0);
    for (std::uint64_t next = Shard::kFirstNumber;;) {
      const ShardPage page = shard.Read(next, 1000, clock_.NowEpochMs());
      ASSERT_FALSE(page.is_trimmed);
      if (page.records.empty()) break;
      next += page.records.size();
      for (const StreamRecord& record : page.records) {
        const Key key = KeyOf(record.after ? *record.after : *record.before);
        const auto before = replayed.find(key);
        ASSERT_EQ(before == replayed.end() ? nullptr : before->second, record.before);
        if (record.after) {
          replayed[key] = record.after;
        } else {
          replayed.erase(key);
        }
      }
    }
    EXPECT_EQ(replayed, table.items);
  }

  void CheckExpiries(const ModelTable& table) {
    const ExpirySet& expiries = *table.version->settings.expiries;
    std::set<const Item*> expected, found;
    for (const auto& [key, item] : table.items) {
      if (expiries.ExpiryOf({table.version->key, item.get()})) expected.insert(item.get());
    }
    for (int shard = 0; shard < ExpirySet::kShards; ++shard) {
      for (const ItemRef& item : expiries.Due(shard, 1'950'000'000'000, 100'000)) {
        found.insert(item.get());
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(expiries.size(), expected.size());
  }

  // Some tables are always pinned, as by readers and snapshots.
  void PinSometimes() {
    if (Below(4) == 0) pins_.push_back(engine_.catalog().Pin(tables_[Below(2)].version));
    if (pins_.size() > 3) pins_.pop_front();
  }

  Random random_{17};
  AdjustableClock clock_;
  StreamSet streams_{clock_, {}};
  Engine engine_{clock_};
  TimeToLive time_to_live_{engine_, 0};
  std::deque<ModelTable> tables_;
  std::deque<TablePin> pins_;
  std::size_t most_items_ = 0;
  int thrown_ = 0;
  int done_without_memory_ = 0;
};

TEST_P(CommitFailures, ThrowAndChangeNothingOrAreDone) {
  constexpr int kSteps = 4000 / HASHRANGE_FAILURE_STEP;
  for (int step = 0; step < kSteps; ++step) {
    PinSometimes();
    Commit(RandomMembers(step));
    for (ModelTable& table : tables_) table.maker.Reset();
    if (step % 250 == 249) CheckAll();
    if (HasFailure()) FAIL() << "in step " << step;
  }
  EXPECT_GT(most_items_, kSteps / 4u);
  EXPECT_GT(thrown_, kSteps / 4);
  // Most commits that copy or split nodes, or write records, meet the failure in their last part.
  EXPECT_GT(done_without_memory_, kSteps / 4);
}

INSTANTIATE_TEST_SUITE_P(OneOrAll, CommitFailures,
                         testing::Values(Failing::kOne, Failing::kAllFrom), [](const auto& test) {
                           return test.param == Failing::kOne ? "One" : "AllFrom";
                         });

}  // namespace
}  // namespace hashrange
