// Calls that write a part of what they are to write, as they are throttled: afterwards the
// population is exactly what the tables have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "lab/run/event_loop.h"
#include "lab/run/layout_database.h"
#include "lab/run/layout_run.h"
#include "run_file.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Every instance is one item, or inside of one.
constexpr const char* kOrders = R"(
lab: 1
seed: 3
entities:
  Customer: {count: 30, attributes: {customer_id: {sequence: 8}, visits: {number: 0}}}
  Order: {of: Customer, count: 3, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 9d}}, status: {choice: {OPEN: 1, PAID: 1}}}}
  Line: {of: Order, count: {poisson: 5, min: 1, max: 12}, distinct: sku, attributes: {sku: {ref: Product.sku}, note: {text: [40, 3000]}}}
  Product: {count: 40, attributes: {sku: {sequence: 5}, stock: {number: [100, 999]}}}
access_patterns:
  join: {create: Customer, batch: 20, rate: 1/s}
  place: {create: Order, with: [Line], transaction: false, also: [{update: Product, each: Line, by: [sku], add: {stock: -1}}, {update: Customer, by: [customer_id], add: {visits: 1}}], rate: 2/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, if: {status: OPEN}, rate: 2/s, pick: {where: {status: OPEN}}}
  count: {update: Product, by: [sku], set: {stock: {number: [100, 999]}}, rate: 4/s, pick: zipf}
  forget: {delete: Customer, by: [customer_id], batch: 12, rate: 0.2/s}
  cancel: {delete: Order, by: [order_id], with: [Line], transaction: false, rate: 0.5/s, pick: latest}
layouts:
  one table:
    tables:
      shop:
        key: [PK, SK]
        billing: {read: 1000, write: 30}
        items:
          Customer: {PK: "CUST#{customer_id}", SK: METADATA}
          Order: {PK: "ORDER#{order_id}", SK: METADATA}
          Line: {PK: "ORDER#{order_id}", SK: "ITEM#{sku}"}
          Product: {PK: "PRODUCT#{sku}", SK: METADATA}
  several tables:
    tables:
      customers: {key: [customer_id], billing: {read: 1000, write: 5}, items: {Customer: {}}}
      orders: {key: [order_id], billing: {read: 1000, write: 3}, items: {Order: {}, Line: {embed: Order.lines, map_by: sku}}}
      products: {key: [sku], billing: {read: 1000, write: 2}, items: {Product: {}}}
traffic: [{for: 120s, rate: 1}]
client: {attempts: 3}
)";

// One layout with its data, and traffic.
class LayoutUnderTraffic {
 public:
  LayoutUnderTraffic(const LabFile& file, int layout, RequestsFile* log = nullptr)
      : file_(file), layout_(layout), log_(log), database_(file, Declared(), log) {}

  void Run() {
    database_.ModelPartitions({.seed = 1});
    EventLoop loop({.database = database_,
                    .file = file_,
                    .plan = plan_,
                    .population = population_,
                    .patterns = counts_,
                    .log = log_},
                   {.phases = file_.traffic});
    const auto has_finished = loop.Run([](double) {});
    EXPECT_TRUE(has_finished.ok() && *has_finished);
    database_.database().Control("DELETE", "partitions");
  }

  // Returns what all tables have, item by item.
  std::vector<std::string> Stored() { return ItemsOf(database_); }
  // Returns what they had if the instances that exist were stored now.
  std::vector<std::string> Expected() {
    LayoutDatabase other(file_, Declared(), nullptr);
    EXPECT_TRUE(other.MakeTables(plan_, 1).ok());
    for (const StoredItem& stored : plan_.items) {
      for (std::uint64_t number = 0; number < population_.Count(stored.entity); ++number) {
        Put(stored, {stored.entity, number}, other);
      }
    }
    return ItemsOf(other);
  }

  const PatternRun& CountsOf(std::string_view name) const {
    return *std::ranges::find(counts_, name, &PatternRun::name);
  }

 private:
  const LabLayout& Declared() const { return file_.layouts[static_cast<std::size_t>(layout_)]; }

  void Put(const StoredItem& stored, InstanceId id, LayoutDatabase& other) {
    if (!population_.Exists(id)) return;
    const std::string item = StoredJson(stored, id, population_);
    if (item.empty()) return;
    EXPECT_TRUE(other
                    .CallForSetup("PutItem",
                                  "{\"TableName\":\"" + stored.table + "\",\"Item\":" + item + "}")
                    .ok());
  }

  std::vector<std::string> ItemsOf(LayoutDatabase& database) {
    std::vector<std::string> items;
    for (const LabTable& table : Declared().tables) {
      std::string start;
      do {
        Answer answer =
            database.database().Call("Scan", "{\"TableName\":\"" + table.name + "\"" + start + "}");
        EXPECT_TRUE(answer.ok()) << answer.body;
        start = AppendItems(table.name, answer.body, items);
      } while (!start.empty());
    }
    std::sort(items.begin(), items.end());
    return items;
  }

  // Appends the items of a page; returns the member by which the next page is asked for.
  static std::string AppendItems(const std::string& table, std::string body,
                                 std::vector<std::string>& items) {
    Arena arena;
    const auto json = ParseJsonData(body, JsonDialect::kDocument, arena);
    if (!json.ok()) return {};
    for (const JsonValue& item : (*json)->Find("Items")->elements()) {
      items.push_back(table + " " + JsonText(item));
    }
    const JsonValue* const next = (*json)->Find("LastEvaluatedKey");
    return next == nullptr ? "" : ",\"ExclusiveStartKey\":" + JsonText(*next);
  }

  const LabFile& file_;
  const int layout_;
  RequestsFile* const log_;
  LayoutDatabase database_;
  Population population_{file_, 1};
  const LayoutPlan plan_ = FilledPlan(file_, layout_, population_, database_);
  std::vector<PatternRun> counts_ = FreshPatternRuns(file_, 1);
};

class PartialWrites : public testing::TestWithParam<int> {};

TEST_P(PartialWrites, LeaveThePopulationAsTheTablesAre) {
  const LabFile file = FileOf(kOrders);
  LayoutUnderTraffic layout(file, GetParam());
  EXPECT_EQ(layout.Stored(), layout.Expected());
  layout.Run();
  for (const char* const name : {"join", "place", "pay", "count"}) {
    const PatternRun& counts = layout.CountsOf(name);
    EXPECT_GT(counts.failed, 5U) << name;
    EXPECT_GT(counts.calls, counts.failed + counts.conditions) << name;
    EXPECT_EQ(counts.error, "");
  }
  const std::vector<std::string> stored = layout.Stored();
  const std::vector<std::string> expected = layout.Expected();
  EXPECT_EQ(stored.size(), expected.size());
  for (std::size_t i = 0; i < std::min(stored.size(), expected.size()); ++i) {
    ASSERT_EQ(stored[i], expected[i]);
  }
}

// Discounts are inside of lines, which are inside of orders.
constexpr const char* kNested = R"(
lab: 1
entities:
  Order: {count: 40, attributes: {order_id: {sequence: 6}, status: {choice: [OPEN, PAID]}}}
  Line: {of: Order, count: {uniform: [1, 4]}, attributes: {sku: {sequence: 4}, price: {number: [1, 100]}}}
  Discount: {of: Line, count: {uniform: [0, 3]}, attributes: {code: {sequence: 4}, percent: {number: [1, 50]}}}
access_patterns:
  new order: {create: Order, with: [Line], rate: 2/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, rate: 2/s}
  add line: {create: Line, rate: 2/s}
  add discount: {create: Discount, rate: 2/s}
  change: {update: Discount, by: [order_id, sku, code], set: {percent: {number: [51, 99]}}, rate: 2/s}
  drop: {delete: Discount, by: [order_id, sku, code], rate: 2/s}
  drop line: {delete: Line, by: [order_id, sku], with: [Discount], rate: 1/s}
layouts:
  maps: {tables: {app: {key: [PK], items: {Order: {PK: "O#{order_id}"}, Line: {embed: Order.lines, map_by: sku}, Discount: {embed: Line.discounts, map_by: code}}}}}
  lists: {tables: {app: {key: [PK], items: {Order: {PK: "O#{order_id}"}, Line: {embed: Order.lines}, Discount: {embed: Line.discounts}}}}}
  lines: {tables: {app: {key: [PK, SK], items: {Order: {PK: "O#{order_id}", SK: A}, Line: {PK: "O#{order_id}", SK: "L#{sku}"}, Discount: {embed: Line.discounts, map_by: code}}}}}
traffic: [{for: 30s, rate: 1}]
)";

TEST(NestedEmbedding, WritesLeaveThePopulationAsTheTablesAre) {
  const LabFile file = FileOf(kNested);
  for (int number = 0; number < 3; ++number) {
    LayoutUnderTraffic layout(file, number);
    SCOPED_TRACE(file.layouts[static_cast<std::size_t>(number)].name);
    EXPECT_EQ(layout.Stored(), layout.Expected());
    layout.Run();
    for (const LabPattern& pattern : file.patterns) {
      const PatternRun& counts = layout.CountsOf(pattern.name);
      EXPECT_GT(counts.calls, counts.conditions + 10) << pattern.name;
      EXPECT_EQ(counts.error, "") << pattern.name;
    }
    EXPECT_EQ(layout.Stored(), layout.Expected());
  }
}

// Returns the texts that stand behind each `before`, up to the next quote.
std::vector<std::string> TextsBehind(const std::string& before, const std::string& line) {
  std::vector<std::string> texts;
  for (std::size_t at = line.find(before); at != line.npos; at = line.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    texts.push_back(line.substr(begin, line.find('"', begin) - begin));
  }
  return texts;
}

TEST(PartialBatch, OnlyWhatIsUnprocessedIsSentAgain) {
  const std::string path = testing::TempDir() + "/partial_batch.jsonl";
  const LabFile file = FileOf(R"(
lab: 1
entities: {Thing: {count: 1, attributes: {id: {sequence: 6}}}}
access_patterns: {add: {create: Thing, batch: 25, rate: 1/s}}
layouts: {only: {tables: {things: {key: [id], billing: {read: 5, write: 10}, items: {Thing: {}}}}}}
traffic: [{for: 400s, rate: 1}]
)");
  auto log = RequestsFile::Open(path);
  ASSERT_TRUE(log.ok());
  LayoutUnderTraffic layout(file, 0, log->get());
  layout.Run();
  ASSERT_TRUE((*log)->Close().ok());
  EXPECT_EQ(layout.Stored(), layout.Expected());
  std::ifstream in(path);
  std::map<std::string, std::size_t> left;  // by item: how many its batch has left to be written
  std::size_t smaller_batches = 0;
  std::string line;
  while (std::getline(in, line)) {
    if (line.find(R"("pattern":"add")") == line.npos) continue;
    const std::vector<std::string> items = TextsBehind(R"("id":{"S":")", line);
    const std::size_t units = line.rfind(R"("write_units":)") + 14;
    const auto written = static_cast<std::size_t>(std::stod(line.substr(units)));
    for (const std::string& item : items) {
      const auto sent_before = left.find(item);
      ASSERT_EQ(items.size(), sent_before == left.end() ? 25 : sent_before->second) << line;
      left[item] = items.size() - written;
    }
    smaller_batches += items.size() < 25 ? 1 : 0;
  }
  EXPECT_GT(smaller_batches, 10U);
  std::remove(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(Layouts, PartialWrites, testing::Values(0, 1), [](const auto& test) {
  return test.param == 0 ? "OneTable" : "SeveralTables";
});

}  // namespace
}  // namespace hashrange
