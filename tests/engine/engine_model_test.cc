// Compares the engine with plain maps: random commits of one to eight writes to two tables
// with every kind of index; after each batch everything that can be read is compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"

namespace hashrange::test {
namespace {

// A change in a form that can be compared.
struct Logged {
  const TableVersion* table;
  ItemRef before;
  ItemRef after;

  bool operator==(const Logged&) const = default;
};

class LogRecorder : public ChangeObserver {
 public:
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    for (const Change& change : changes) {
      EXPECT_GT(change.sequence_number, last_number);
      last_number = change.sequence_number;
      logged.push_back({change.table, change.before, change.after});
    }
  }
  std::vector<Logged> logged;
  std::uint64_t last_number = 0;
};

// A table, and the items that it should have.
struct ModelTable {
  ModelTable(Engine& engine, std::unique_ptr<TableVersion> made)
      : maker(made->key), version(engine.catalog().Create(std::move(made))) {}

  std::vector<ItemRef> All() const {
    std::vector<ItemRef> all;
    for (const auto& entry : items) all.push_back(entry.second);
    return all;
  }

  ItemMaker maker;
  TableRef version;
  std::map<std::pair<std::uint64_t, std::string>, ItemRef> items;
};

std::pair<std::uint64_t, std::string> KeyOf(const Item& item) {
  return {item.hash(), std::string(item.key())};
}

constexpr int kDimensions = 150;

std::unique_ptr<TableVersion> SingleTable() {
  IndexVersion sparse = GlobalIndex("sparse", KeysOf("gpk", "gsk"));
  sparse.schema.key.range[0].type = AttributeType::kN;
  sparse.schema.projection = ProjectionType::kKeysOnly;
  IndexVersion parts = GlobalIndex("parts", {});
  parts.schema.key.hash = {{"kind", AttributeType::kS}, {"gpk", AttributeType::kS}};
  parts.schema.key.range = {{"gsk", AttributeType::kN}, {"sk", AttributeType::kS}};
  parts.schema.projection = ProjectionType::kInclude;
  parts.schema.non_key_attributes = {"note"};
  IndexVersion local = LocalIndex("local", KeysOf("pk", "gsk"));
  local.schema.key.range[0].type = AttributeType::kN;
  return NewTable("single", KeysOf("pk", "sk"),
                  {GlobalIndex("inverse", KeysOf("sk", "pk")), sparse, parts, local,
                   LocalIndex("by-note", KeysOf("pk", "note")), VectorIndex("vectors", kDimensions),
                   VectorIndex("by-kind", kDimensions, "kind")});
}

class EngineModel {
 public:
  EngineModel() : random_(11) {
    engine_.AddObserver(recorder_);
    KeySchema numbers;
    numbers.hash = {{"id", AttributeType::kN}};
    tables_.emplace_back(engine_, SingleTable());
    tables_.emplace_back(engine_,
                         NewTable("numbers", numbers, {GlobalIndex("kind", KeysOf("kind"))}));
  }

  void Commit();
  void Check();

 private:
  enum Action { kPut, kPutSame, kKeep, kErase, kRefuse };
  struct Member {
    int table;
    Action action;
    ItemRef item;  // its key is the address
    int runs = 0;
  };

  std::uint64_t Below(std::uint64_t n) { return random_.Next() % n; }
  ItemRef RandomItem(int table);
  std::vector<Member> RandomMembers();
  CommitResult Execute(std::vector<Member>& members, std::vector<WriteOutcome>* outcomes);
  void Expect(const Member& member, const WriteOutcome& outcome, bool committed);
  ItemRef Model(const Member& member) {
    const auto& items = tables_[member.table].items;
    const auto found = items.find(KeyOf(*member.item));
    return found == items.end() ? nullptr : found->second;
  }
  void CheckRead(const ModelTable& table);
  void CheckIndex(const ModelTable& table, const IndexVersion& index);

  const ManualClock clock_{0};
  Engine engine_{clock_};
  LogRecorder recorder_;
  Random random_;
  std::deque<ModelTable> tables_;
};

// There are few keys and few values, so that writes meet the same items, and items move between
// the item collections of indexes and leave them.
ItemRef EngineModel::RandomItem(int t) {
  ItemMaker& maker = tables_[t].maker;
  std::vector<Attribute> attributes;
  if (t == 0) {
    attributes.push_back({"pk", maker.Text("p" + std::to_string(Below(60)))});
    attributes.push_back({"sk", maker.Text("s" + std::to_string(Below(40)))});
  } else {
    attributes.push_back({"id", maker.N(static_cast<std::int64_t>(Below(1500)) - 700)});
  }
  if (Below(3) != 0) attributes.push_back({"gpk", maker.Text(std::string(Below(4), 'g'))});
  if (Below(3) != 0) {
    const bool wrong_type = Below(10) == 0;
    attributes.push_back({"gsk", wrong_type ? S("text") : maker.N(Below(6))});
  }
  if (Below(4) != 0) attributes.push_back({"kind", S(Below(2) ? "order" : "user")});
  if (Below(2)) attributes.push_back({"note", maker.Text(std::string(Below(20), 'n'))});
  if (t == 0 && Below(3) != 0) {
    const int dimensions = Below(10) == 0 ? kDimensions - 1 : kDimensions;
    attributes.push_back(
        {"v", maker.Numbers(static_cast<std::int64_t>(Below(3)) - 100, dimensions)});
  }
  return maker.Make(std::move(attributes));
}

std::vector<EngineModel::Member> EngineModel::RandomMembers() {
  constexpr Action kActions[] = {kPut, kPut, kPut, kPut, kPutSame, kKeep, kErase, kErase};
  std::vector<Member> members;
  std::set<std::pair<int, std::pair<std::uint64_t, std::string>>> addresses;
  const std::uint64_t count = Below(2) ? 1 : 1 + Below(8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const int table = static_cast<int>(Below(2));
    Member member{table, Below(40) == 0 ? kRefuse : kActions[Below(8)], RandomItem(table)};
    if (addresses.emplace(table, KeyOf(*member.item)).second) members.push_back(member);
  }
  return members;
}

CommitResult EngineModel::Execute(std::vector<Member>& members,
                                  std::vector<WriteOutcome>* outcomes) {
  Arena arena;
  const auto decide = [&](Member& member, ItemView before) {
    ++member.runs;
    EXPECT_EQ(before.item(), Model(member).get());
    switch (member.action) {
      case kPut:
        return Decision::Put(member.item);
      case kPutSame:
        if (!before.exists()) return Decision::Keep();
        return Decision::Put(Item::Make(before.schema(), before.Attributes(arena)));
      case kErase:
        return Decision::Erase();
      case kRefuse:
        return Decision::Refuse(ValidationError("refused"));
      case kKeep:
        break;
    }
    return Decision::Keep();
  };
  std::vector<std::function<Decision(ItemView)>> functions;
  for (Member& member : members) {
    functions.push_back([&](ItemView before) { return decide(member, before); });
  }
  std::vector<ItemWrite> writes;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Position position = PositionOf(*members[i].item);
    writes.push_back({{tables_[members[i].table].version.get(), position}, functions[i]});
  }
  outcomes->resize(members.size());
  Arena scratch;
  return engine_.Commit(writes, *outcomes, scratch);
}

void EngineModel::Expect(const Member& member, const WriteOutcome& outcome, bool committed) {
  EXPECT_EQ(member.runs, 1);
  const ItemRef before = Model(member);
  EXPECT_EQ(outcome.before, before);
  EXPECT_EQ(outcome.error.has_value(), member.action == kRefuse);
  if (!committed) {
    EXPECT_EQ(outcome.after, nullptr);
    return;
  }
  const KeySchema& key = tables_[member.table].version->key;
  switch (member.action) {
    case kPut:
      EXPECT_EQ(outcome.after, member.item);
      break;
    case kPutSame:
      ASSERT_EQ(bool(outcome.after), bool(before));
      if (before) {
        EXPECT_TRUE(ItemView(key, before.get()).SameAttributes({key, outcome.after.get()}));
      }
      break;
    case kErase:
      EXPECT_EQ(outcome.after, nullptr);
      break;
    default:
      EXPECT_EQ(outcome.after, before);
  }
}

void EngineModel::Commit() {
  std::vector<Member> members = RandomMembers();
  std::vector<WriteOutcome> outcomes;
  recorder_.logged.clear();
  const CommitResult result = Execute(members, &outcomes);
  const bool refused = std::any_of(members.begin(), members.end(),
                                   [](const Member& m) { return m.action == kRefuse; });
  ASSERT_EQ(result, refused ? CommitResult::kRefused : CommitResult::kCommitted);
  std::vector<Logged> logged;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    Expect(member, outcomes[i], !refused);
    if (refused || (member.action != kPut && member.action != kErase)) continue;
    ModelTable& table = tables_[member.table];
    const ItemRef before = Model(member);
    const ItemRef after = member.action == kPut ? member.item : nullptr;
    if (!before && !after) continue;
    const KeySchema& key = table.version->key;
    if (before && after && ItemView(key, before.get()).SameAttributes({key, after.get()})) continue;
    logged.push_back({table.version.get(), before, after});
    if (after) {
      table.items[KeyOf(*after)] = after;
    } else {
      table.items.erase(KeyOf(*before));
    }
  }
  EXPECT_EQ(recorder_.logged, logged);
}

void EngineModel::CheckRead(const ModelTable& table) {
  const std::vector<ItemRef> all = table.All();
  EXPECT_EQ(RangeAll(engine_, *table.version, nullptr), all);
  std::vector<ItemAddress> addresses;
  for (const ItemRef& item : all) addresses.push_back({table.version.get(), PositionOf(*item)});
  EXPECT_EQ(engine_.StatisticsOf(*table.version, nullptr), ExpectedStatistics(*table.version, all));
  std::vector<ItemRef> read(all.size());
  engine_.Read(addresses, read);
  EXPECT_EQ(read, all);
}

void EngineModel::CheckIndex(const ModelTable& table, const IndexVersion& index) {
  SCOPED_TRACE(index.schema.name);
  if (index.schema.vector) return ExpectExactVectors(engine_, *table.version, index, table.All());
  TableStatistics statistics;
  const auto expected = ExpectedEntries(*table.version, index, table.All(), &statistics);
  EXPECT_EQ(engine_.StatisticsOf(*table.version, &index), statistics);
  EXPECT_EQ(RangeAll(engine_, *table.version, &index), expected);
  if (expected.empty()) return;
  // Read an interval between two entries.
  Arena arena;
  std::size_t from = Below(expected.size());
  std::size_t to = Below(expected.size());
  if (from > to) std::swap(from, to);
  const auto position = [&](std::size_t i) {
    return *IndexPosition(index.schema.key, {table.version->key, expected[i].get()}, arena);
  };
  const Interval interval{position(from), position(to)};
  std::vector<ItemRef> between(expected.begin() + from, expected.begin() + to);
  EXPECT_EQ(RangeAll(engine_, *table.version, &index, interval, true), between);
  std::reverse(between.begin(), between.end());
  EXPECT_EQ(RangeAll(engine_, *table.version, &index, interval, false), between);
}

void EngineModel::Check() {
  for (ModelTable& table : tables_) {
    SCOPED_TRACE(table.version->name);
    CheckRead(table);
    for (const IndexVersion& index : table.version->indexes) CheckIndex(table, index);
    table.maker.Reset();
  }
}

TEST(EngineModel, RandomCommitsAgreeWithPlainMaps) {
  EngineModel model;
  for (int batch = 0; batch < 40; ++batch) {
    for (int i = 0; i < 250; ++i) {
      model.Commit();
      if (::testing::Test::HasFailure()) FAIL() << "batch " << batch << ", commit " << i;
    }
    model.Check();
    if (::testing::Test::HasFailure()) FAIL() << "batch " << batch;
  }
}

}  // namespace
}  // namespace hashrange::test
