// Random writes, forks, snapshots, restores and resets are compared with maps that are fully
// copied.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

#include "control/control_fixture.h"

namespace hashrange {
namespace {

using Items = std::map<std::string, std::string>;
using Tables = std::map<std::string, Items>;
using Accounts = std::map<std::string, Tables>;

constexpr const char* kAccounts[] = {"111111111111", "222222222222", "333333333333"};
constexpr const char* kTables[] = {"one", "two"};
constexpr const char* kNames[] = {"a", "b"};
constexpr int kKeys = 150;
constexpr int kGroups = 3;

class StateModel : public ControlFixture {
 protected:
  template <typename T, std::size_t n>
  const T& Any(const T (&of)[n]) {
    return of[Below(n)];
  }
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  void Create() {
    const std::string account = Any(kAccounts), table = Any(kTables);
    if (model_[account].contains(table)) return;
    Ok("CreateTable",
       R"({"TableName":")" + table +
           R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
           R"({"AttributeName":"k","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],)"
           R"("KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"GlobalSecondaryIndexes":[)"
           R"({"IndexName":"byG","Projection":{"ProjectionType":"ALL"},)"
           R"("KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})",
       account);
    model_[account][table];
  }
  void Write() {
    const std::string account = Any(kAccounts), table = Any(kTables);
    if (!model_[account].contains(table)) return;
    for (int i = 0; i < 20; ++i) {
      const std::string key = "k" + std::to_string(Below(kKeys));
      if (Below(3) == 0) {
        Ok("DeleteItem", R"({"TableName":")" + table + R"(","Key":{"k":{"S":")" + key + "\"}}}",
           account);
        model_[account][table].erase(key);
      } else {
        const std::string group = "g" + std::to_string(Below(kGroups));
        Ok("PutItem",
           R"({"TableName":")" + table + R"(","Item":{"g":{"S":")" + group + R"("},"k":{"S":")" +
               key + "\"}}}",
           account);
        model_[account][table][key] = group;
      }
    }
  }
  void Fork() {
    const std::string from = Any(kAccounts), to = Any(kAccounts);
    if (from == to) return;
    EXPECT_EQ(Post("fork", R"({"from":")" + from + R"(","to":")" + to + "\"}"),
              TablesLine(model_[from].size()));
    model_[to] = model_[from];
  }
  void Snapshot() {
    const std::string name = Any(kNames), account = Any(kAccounts);
    const bool of_all = Below(2) == 0;
    Post("snapshots",
         R"({"name":")" + name + "\"" + (of_all ? "}" : R"(,"account":")" + account + "\"}"));
    Accounts kept = model_;
    if (!of_all) kept = {{account, model_[account]}};
    snapshots_[name] = {of_all, std::move(kept)};
  }
  void Restore() {
    const std::string name = Any(kNames);
    if (!snapshots_.contains(name)) return;
    const auto& [of_all, kept] = snapshots_[name];
    std::size_t count = 0;
    for (const auto& [account, tables] : kept) count += tables.size();
    EXPECT_EQ(Post("snapshots/" + name + "/restore"), TablesLine(count));
    if (of_all) model_.clear();
    for (const auto& [account, tables] : kept) model_[account] = tables;
  }
  void Reset() {
    const std::string account = Any(kAccounts), table = Any(kTables);
    if (Below(3) == 0) {
      EXPECT_EQ(Post("reset", R"({"account":")" + account + "\"}"),
                TablesLine(model_[account].size()));
      model_[account].clear();
    } else if (model_[account].contains(table)) {
      EXPECT_EQ(Post("reset", R"({"account":")" + account + R"(","table":")" + table + "\"}"),
                TablesLine(1));
      model_[account][table].clear();
    }
  }

  void Check() {
    for (const char* account : kAccounts) {
      std::string names;
      for (const auto& [table, items] : model_[account]) {
        names += (names.empty() ? "\"" : ",\"") + table + "\"";
        EXPECT_EQ(ItemsIn(Ok("Scan", R"({"TableName":")" + table + "\"}", account)), items);
        EXPECT_EQ(IndexOf(table, account), items);
      }
      EXPECT_EQ(Call("ListTables", "{}", account), R"(200 {"TableNames":[)" + names + "]}");
    }
  }

  std::mt19937 random_{7};
  Accounts model_;

 private:
  static std::string TablesLine(std::size_t count) {
    return R"(200 {"tables":)" + std::to_string(count) + "}";
  }
  Items IndexOf(const std::string& table, const char* account) {
    Items items;
    for (int i = 0; i < kGroups; ++i) {
      items.merge(ItemsIn(Ok(
          "Query",
          R"({"TableName":")" + table + R"(","IndexName":"byG","KeyConditionExpression":)" +
              R"("g = :g","ExpressionAttributeValues":{":g":{"S":"g)" + std::to_string(i) + "\"}}}",
          account)));
    }
    return items;
  }
  // Each item is {"g":{"S":"g1"},"k":{"S":"k17"}}, or has k before g.
  static Items ItemsIn(const std::string& body) {
    constexpr std::string_view kBetween = "}},{";
    Items items;
    for (std::size_t begin = body.find('['); begin != std::string::npos;) {
      const std::size_t end = body.find(kBetween, begin + 1);
      const std::string item = body.substr(begin, end - begin);
      if (item.find("\"k\":") != std::string::npos) items[TextIn(item, "k")] = TextIn(item, "g");
      begin = end;
    }
    return items;
  }
  static std::string TextIn(const std::string& item, const char* name) {
    const std::string start = std::string("\"") + name + R"(":{"S":")";
    const std::size_t begin = item.find(start) + start.size();
    return item.substr(begin, item.find('"', begin) - begin);
  }

  std::map<std::string, std::pair<bool, Accounts>> snapshots_;
};

TEST_F(StateModel, AgreesWithFullCopies) {
  for (int step = 0; step < 1500; ++step) {
    switch (Below(12)) {
      case 0:
        Create();
        break;
      case 1:
        Fork();
        break;
      case 2:
        Snapshot();
        break;
      case 3:
        Restore();
        break;
      case 4:
        if (Below(3) == 0) Reset();
        break;
      default:
        Write();
    }
    if (step % 25 == 0) Check();
    if (HasFailure()) FAIL() << "step " << step;
  }
  Check();
}

}  // namespace
}  // namespace hashrange
