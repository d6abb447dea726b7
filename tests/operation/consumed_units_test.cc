// The units with which accesses leave the gate, or are charged, add up to the ConsumedCapacity of
// the call's answer: in all, of the table, and of each index.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operation/call/gate.h"
#include "operation/indexed_table.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// By name: "app" is the total of a table, "app.Table" and "app.GSI" are its parts.
using Units = std::map<std::string, double>;

// Adds up the units of one call. Refuses the access whose number is `refused`.
class SummingGate : public Gate {
 public:
  std::optional<Error> Begin(Call&) override {
    units_.clear();
    failed_.clear();
    entered_ = 0;
    return std::nullopt;
  }
  std::optional<Error> Enter(Call&, const Access&) override {
    if (entered_++ != refused) return std::nullopt;
    return Error{ErrorCode::kProvisionedThroughputExceededException, "too fast", nullptr};
  }
  void Leave(Call&, const Access& access, const Usage& usage) override { Add(access, usage); }
  void Charge(Call&, const Access& access, const Usage& usage) override { Add(access, usage); }

  // Returns the units of the accesses that did not fail. The units of failed ones are added to the
  // total of a table that also has others, as in the answer of a batch of statements.
  Units Reported() const {
    Units reported = units_;
    for (const auto& [table, units] : failed_) {
      if (reported.contains(table)) reported[table] += units;
    }
    return reported;
  }
  const Units& failed() const { return failed_; }

  int refused = -1;

 private:
  void Add(const Access& access, const Usage& usage) {
    const std::string& table = access.table->name;
    if (usage.is_failed) {
      failed_[table] += usage.units;
      return;
    }
    if (usage.units == 0) return;
    double of_table = usage.units;
    for (std::size_t i = 0; i < usage.index_units.size(); ++i) {
      of_table -= usage.index_units[i];
      if (usage.index_units[i] == 0) continue;
      units_[table + "." + access.table->indexes[i].schema.name] += usage.index_units[i];
    }
    units_[table] += usage.units;
    units_[table + ".Table"] += of_table;
    ExpectMovesCostTheSame(usage);
  }
  // A write has a move for each index that it is charged for, and for each index in which the entry
  // stays as it is.
  static void ExpectMovesCostTheSame(const Usage& usage) {
    if (usage.items_written == 0) return;
    std::vector<double> of_moves(usage.index_units.size());
    for (const IndexMove& move : usage.index_moves) of_moves[move.index] += move.units;
    EXPECT_EQ(of_moves, std::vector<double>(usage.index_units.begin(), usage.index_units.end()));
  }

  Units units_;
  Units failed_;
  int entered_ = 0;
};

double NumberIn(const JsonValue& value) {
  return value.type == JsonValue::Type::kInteger ? static_cast<double>(value.integer)
                                                 : value.decimal;
}

void AddEntry(const JsonValue& entry, Units* units) {
  const std::string table(entry.Find("TableName")->string());
  (*units)[table] += NumberIn(*entry.Find("CapacityUnits"));
  (*units)[table + ".Table"] += NumberIn(*entry.Find("Table")->Find("CapacityUnits"));
  for (const char* map : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
    const JsonValue* const indexes = entry.Find(map);
    if (!indexes) continue;
    for (const JsonMember& index : indexes->members()) {
      (*units)[table + "." + std::string(index.name)] +=
          NumberIn(*index.value.Find("CapacityUnits"));
    }
  }
}

// Returns what the ConsumedCapacity of an answer reports, which is an object or a list of objects.
Units UnitsInAnswer(std::string body) {
  Arena arena;
  const std::size_t size = body.size();
  body.push_back('\0');
  const JsonValue* const consumed =
      (*ParseJson({body.data(), size}, arena))->Find("ConsumedCapacity");
  Units units;
  if (!consumed) return units;
  if (consumed->type == JsonValue::Type::kObject) {
    AddEntry(*consumed, &units);
  } else {
    for (const JsonValue& entry : consumed->elements()) AddEntry(entry, &units);
  }
  return units;
}

// `request` without its last brace.
std::string WithCapacity(std::string_view request) {
  return std::string(request.substr(0, request.rfind('}'))) +
         R"(,"ReturnConsumedCapacity":"INDEXES"})";
}

// The table "other" has no index. Every item of "app" has an attribute "big" of 5,000 bytes.
class ConsumedUnitsTest : public IndexedTableTest<SummingGate> {
 protected:
  ConsumedUnitsTest() {
    api_.Ok("CreateTable", R"({"TableName":"other","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]})");
    for (const char* sort : {"1", "2", "3"}) api_.Ok("PutItem", Put(sort));
    api_.Ok("PutItem", R"({"TableName":"other","Item":{"p":{"S":"a"}}})");
  }

  static std::string BigItem(const std::string& sort) {
    return R"({"p":{"S":"a"},"s":{"S":")" + sort +
           R"("},"g":{"S":"x"},"l":{"S":"y"},"big":{"S":")" + std::string(5000, 'b') + R"("}})";
  }
  static std::string Put(const std::string& sort) {
    return R"({"TableName":"app","Item":)" + BigItem(sort) + "}";
  }

  // Expects of a call that its answer reports `expected` and that the gate's sums are the same.
  void Expect(const char* operation, std::string_view request, const Units& expected) {
    SCOPED_TRACE(std::string(operation) + " " + std::string(request.substr(0, 300)));
    const Units answered = UnitsInAnswer(api_.Ok(operation, WithCapacity(request)));
    EXPECT_EQ(gate_.Reported(), answered);
    EXPECT_EQ(answered, expected);
  }
};

TEST_F(ConsumedUnitsTest, OfItemsAreThoseOfTheAnswer) {
  Expect("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})",
         {{"app", 1}, {"app.Table", 1}});
  Expect("PutItem", Put("4"), {{"app", 7}, {"app.GSI", 1}, {"app.LSI", 1}, {"app.Table", 5}});
  Expect("UpdateItem",
         R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"4"}},
             "UpdateExpression":"SET g = :z, l = :z","ExpressionAttributeValues":{":z":{"S":"z"}}})",
         {{"app", 9}, {"app.GSI", 2}, {"app.LSI", 2}, {"app.Table", 5}});
  Expect("UpdateItem",
         R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"4"}},
             "UpdateExpression":"SET m = :z","ExpressionAttributeValues":{":z":{"S":"z"}}})",
         {{"app", 5}, {"app.Table", 5}});
  Expect("DeleteItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"4"}}})",
         {{"app", 7}, {"app.GSI", 1}, {"app.LSI", 1}, {"app.Table", 5}});
}

TEST_F(ConsumedUnitsTest, OfPagesAreThoseOfTheAnswer) {
  Expect("Query",
         R"({"TableName":"app","KeyConditionExpression":"p = :p",
             "ExpressionAttributeValues":{":p":{"S":"a"}},"ConsistentRead":true})",
         {{"app", 4}, {"app.Table", 4}});
  Expect("Query",
         R"({"TableName":"app","IndexName":"GSI","KeyConditionExpression":"g = :g",
             "ExpressionAttributeValues":{":g":{"S":"x"}}})",
         {{"app", .5}, {"app.GSI", .5}, {"app.Table", 0}});
  Expect("Query",
         R"({"TableName":"app","IndexName":"LSI","KeyConditionExpression":"p = :p",
             "ExpressionAttributeValues":{":p":{"S":"a"}},"Select":"ALL_ATTRIBUTES"})",
         {{"app", 2.5}, {"app.LSI", .5}, {"app.Table", 2}});
  Expect("Scan", R"({"TableName":"app","Limit":1})", {{"app", 1}, {"app.Table", 1}});
  Expect("Scan", R"({"TableName":"app","IndexName":"LSI"})",
         {{"app", .5}, {"app.LSI", .5}, {"app.Table", 0}});
}

TEST_F(ConsumedUnitsTest, OfBatchesAreThoseOfTheAnswer) {
  constexpr char kGet[] =
      R"({"RequestItems":{"app":{"Keys":[{"p":{"S":"a"},"s":{"S":"1"}},
                                         {"p":{"S":"a"},"s":{"S":"9"}}],"ConsistentRead":true},
                          "other":{"Keys":[{"p":{"S":"a"}}]}}})";
  Expect("BatchGetItem", kGet, {{"app", 3}, {"app.Table", 3}, {"other", .5}, {"other.Table", .5}});
  const std::string write = R"({"RequestItems":{"app":[{"PutRequest":{"Item":)" + BigItem("5") +
                            R"(}},{"DeleteRequest":{"Key":{"p":{"S":"a"},"s":{"S":"3"}}}}],
                            "other":[{"DeleteRequest":{"Key":{"p":{"S":"b"}}}}]}})";
  Expect("BatchWriteItem", write,
         {{"app", 14},
          {"app.GSI", 2},
          {"app.LSI", 2},
          {"app.Table", 10},
          {"other", 1},
          {"other.Table", 1}});
  gate_.refused = 0;
  Expect("BatchGetItem", kGet, {{"app", 1}, {"app.Table", 1}, {"other", .5}, {"other.Table", .5}});
}

TEST_F(ConsumedUnitsTest, OfTransactionsAndTheirReplaysAreThoseOfTheAnswer) {
  Expect("TransactGetItems",
         R"({"TransactItems":[
             {"Get":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}}},
             {"Get":{"TableName":"other","Key":{"p":{"S":"z"}}}}]})",
         {{"app", 4}, {"app.Table", 4}, {"other", 2}, {"other.Table", 2}});
  const std::string write = R"j({"ClientRequestToken":"t","TransactItems":[{"Put":)j" + Put("6") +
                            R"j(},{"ConditionCheck":{"TableName":"app",
      "Key":{"p":{"S":"a"},"s":{"S":"1"}},"ConditionExpression":"attribute_exists(g)"}},
      {"Delete":{"TableName":"other","Key":{"p":{"S":"a"}}}}]})j";
  Expect("TransactWriteItems", write,
         {{"app", 22},
          {"app.GSI", 1},
          {"app.LSI", 1},
          {"app.Table", 20},
          {"other", 2},
          {"other.Table", 2}});
  Expect("TransactWriteItems", write,
         {{"app", 8}, {"app.Table", 8}, {"other", 2}, {"other.Table", 2}});
}

TEST_F(ConsumedUnitsTest, OfStatementsAreThoseOfTheAnswer) {
  const auto statement = [](const std::string& text) {
    return R"({"Statement":")" + text + R"("})";
  };
  const std::pair<std::string, Units> kRows[] = {
      {"SELECT * FROM app WHERE p = 'a' AND s = '1'", {{"app", 1}, {"app.Table", 1}}},
      {"SELECT * FROM app WHERE p = 'a' AND s IN ['1', '2', '9']",
       {{"app", 2.5}, {"app.Table", 2.5}}},
      {"SELECT * FROM app WHERE p = 'a' AND p = 'b'", {{"app", .5}, {"app.Table", .5}}},
      {"SELECT * FROM app.GSI WHERE g = 'x'", {{"app", .5}, {"app.GSI", .5}, {"app.Table", 0}}},
      {"SELECT big FROM app.LSI WHERE p = 'a'", {{"app", 3.5}, {"app.LSI", .5}, {"app.Table", 3}}},
      {"SELECT * FROM app", {{"app", 2}, {"app.Table", 2}}},
      {"INSERT INTO app VALUE {'p':'b','s':'1','g':'x'}",
       {{"app", 2}, {"app.GSI", 1}, {"app.Table", 1}}},
      {"UPDATE app SET g = 'y' WHERE p = 'b' AND s = '1'",
       {{"app", 3}, {"app.GSI", 2}, {"app.Table", 1}}},
      {"DELETE FROM app WHERE p = 'b' AND s = '1'", {{"app", 2}, {"app.GSI", 1}, {"app.Table", 1}}},
      {"DELETE FROM app WHERE p = 'b' AND s = '1'", {{"app", 1}, {"app.Table", 1}}},
  };
  for (const auto& [text, units] : kRows) Expect("ExecuteStatement", statement(text), units);
  Expect("ExecuteTransaction",
         R"({"TransactStatements":[{"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '1'"},
             {"Statement":"SELECT * FROM other WHERE p = 'z'"}]})",
         {{"app", 4}, {"app.Table", 4}, {"other", 2}, {"other.Table", 2}});
  constexpr char kWrite[] = R"({"ClientRequestToken":"t","TransactStatements":[
      {"Statement":"UPDATE app SET g = 'y' WHERE p = 'a' AND s = '1'"},
      {"Statement":"INSERT INTO other VALUE {'p':'c'}"}]})";
  Expect("ExecuteTransaction", kWrite,
         {{"app", 12}, {"app.GSI", 2}, {"app.Table", 10}, {"other", 2}, {"other.Table", 2}});
  Expect("ExecuteTransaction", kWrite,
         {{"app", 4}, {"app.Table", 4}, {"other", 2}, {"other.Table", 2}});
}

TEST_F(ConsumedUnitsTest, OfBatchesOfStatementsAreThoseOfTheAnswer) {
  constexpr char kRead[] =
      R"({"Statements":[{"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '1'"},
          {"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '2'","ConsistentRead":true},
          {"Statement":"SELECT * FROM app WHERE p = 'a'"},
          {"Statement":"SELECT * FROM missing WHERE p = 'a'"}]})";
  Expect("BatchExecuteStatement", kRead, {{"app", 3}, {"app.Table", 3}});
  // A failed member is charged for the larger of the stored item and its own item, in the total
  // only; a table without a success is absent.
  const std::string big = std::string(2000, 'b');
  const std::string write =
      R"({"Statements":[{"Statement":"UPDATE app SET m = 1 WHERE p = 'a' AND s = '1'"},
          {"Statement":"INSERT INTO app VALUE {'p':'a','s':'2'}"},
          {"Statement":"UPDATE app SET m = 1 WHERE p = 'a' AND s = '9'"},
          {"Statement":"INSERT INTO other VALUE {'p':'a','big':')" +
      big + R"('}"}]})";
  Expect("BatchExecuteStatement", write, {{"app", 11}, {"app.Table", 5}});
  EXPECT_EQ(gate_.failed(), (Units{{"app", 6}, {"other", 2}}));
}

TEST_F(ConsumedUnitsTest, AStatementThatTheGateRefusesIsNotCharged) {
  gate_.refused = 1;
  Expect("BatchExecuteStatement",
         R"({"Statements":[{"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '1'"},
             {"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '2'"}]})",
         {{"app", 1}, {"app.Table", 1}});
  Expect("BatchExecuteStatement",
         R"({"Statements":[{"Statement":"UPDATE app SET m = 1 WHERE p = 'a' AND s = '1'"},
             {"Statement":"DELETE FROM app WHERE p = 'a' AND s = '2'"}]})",
         {{"app", 5}, {"app.Table", 5}});
}

// docs/service/08-capacity.md, section 2: the read of the stored item is charged as a write.
TEST_F(ConsumedUnitsTest, OfAFailedCallStandApart) {
  struct Row {
    const char* operation;
    std::string request;
    Units failed;
  };
  constexpr char kConflict[] = R"j("ConditionExpression":"attribute_exists(nowhere)")j";
  const std::string key = R"("TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},)";
  const Row rows[] = {
      {"PutItem",
       std::string(R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"9"}},)") + kConflict + "}",
       {{"app", 1}}},
      {"UpdateItem", "{" + key + kConflict + "}", {{"app", 5}}},
      {"DeleteItem", "{" + key + kConflict + "}", {{"app", 5}}},
      {"ExecuteStatement",
       R"({"Statement":"INSERT INTO app VALUE {'p':'a','s':'1'}"})",
       {{"app", 5}}},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Delete":{)" + key + kConflict + R"(}},
           {"Put":{"TableName":"other","Item":{"p":{"S":"z"}}}}]})",
       {{"app", 10}, {"other", 2}}},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"INSERT INTO app VALUE {'p':'a','s':'1'}"}]})",
       {{"app", 10}}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.operation) + row.request);
    const Api::Reply reply = api_.Call(row.operation, WithCapacity(row.request));
    EXPECT_EQ(reply.http_status, 400);
    EXPECT_EQ(UnitsInAnswer(reply.body), Units());
    EXPECT_EQ(gate_.Reported(), Units());
    EXPECT_EQ(gate_.failed(), row.failed);
  }
}

}  // namespace
}  // namespace hashrange
