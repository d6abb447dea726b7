// What a gate learns of each access: what the request asks (Access, AccessTerms), and what the
// access read, wrote and answered (Usage, IndexMove).
#include "operation/call/access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "operation/call/gate.h"
#include "operation/indexed_table.h"

namespace hashrange {
namespace {

// Returns the parts of a position, all strings, each with a "/" behind it: "a/1/". A position in an
// index begins with the parts of the index's key: "x/a/1/" for the entry of "a/1/" at "x".
std::string PositionText(const Position& position, const IndexVersion* index) {
  std::size_t index_parts = index ? index->schema.key.parts() : 0;
  std::string text;
  std::string_view rest = position.bytes;
  while (!rest.empty()) {
    const std::size_t end = rest.find(std::string_view("\0\1", 2));
    text.append(rest.substr(0, end)).append("/");
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 2);
    if (index_parts > 0 && --index_parts == 0)
      rest.remove_prefix(std::min<std::size_t>(8, rest.size()));
  }
  return text;
}

std::string Names(const char* word, std::span<const Path> paths) {
  std::string text;
  for (const Path& path : paths) {
    text.append(text.empty() ? std::string(" ") + word + " " : ",").append(PrintPath(path));
  }
  return text;
}

std::string AccessText(const Access& access) {
  static constexpr const char* kKinds[] = {"read", "write", "check", "query", "scan"};
  static constexpr const char* kWrites[] = {"put", "update", "delete"};
  static constexpr const char* kExistence[] = {"", " requires", " forbids", " if stored"};
  const bool is_write = access.kind == Access::Kind::kWrite;
  const AccessTerms& terms = *access.terms;
  std::ostringstream text;
  text << (is_write ? kWrites[static_cast<int>(access.write_kind)]
                    : kKinds[static_cast<int>(access.kind)])
       << (access.in_transaction ? "* " : " ")
       << (access.index ? access.index->schema.name : access.table->name) << " "
       << PositionText(access.key, access.index) << " #" << access.member
       << (access.consistent ? " strong" : "");
  for (std::size_t i = 0; is_write && i < access.attributes.size(); ++i) {
    text << (i == 0 ? " with " : ",") << access.attributes[i].name;
  }
  if (access.start) text << " after " << PositionText(*access.start, access.index);
  text << Names("if", terms.condition.paths()) << Names("get", terms.projection.paths());
  for (const UpdateAction& action :
       terms.update ? terms.update->actions() : std::span<const UpdateAction>()) {
    text << " sets " << PrintPath(action.target);
  }
  text << (terms.forward ? "" : " backward") << (terms.counts_only ? " count" : "")
       << kExistence[static_cast<int>(terms.existence)];
  if (terms.limit > 0) text << " limit " << terms.limit;
  return text.str();
}

std::string MoveText(const IndexMove& move, const TableVersion& table) {
  const IndexVersion& index = table.indexes[move.index];
  const auto end = [&](const std::optional<Position>& position, std::size_t bytes) {
    return position ? PositionText(*position, &index) + "=" + std::to_string(bytes) : "none";
  };
  std::ostringstream text;
  text << " [" << index.schema.name << " " << end(move.before, move.bytes_before) << " > "
       << end(move.after, move.bytes_after) << ": " << move.units << "]";
  return text.str();
}

// Begins with "2 units(1,0), examined 11/1, returned 3/1": the units of each index follow the total
// in brackets if an index took any, and the number of items follows the number of bytes.
std::string UsageText(const Access& access, const Usage& usage) {
  std::ostringstream text;
  text << usage.units << " units";
  const bool has_index_units =
      std::ranges::any_of(usage.index_units, [](double units) { return units > 0; });
  for (std::size_t i = 0; has_index_units && i < usage.index_units.size(); ++i) {
    text << (i == 0 ? "(" : ",") << usage.index_units[i];
  }
  text << (has_index_units ? ")" : "") << ", examined " << usage.bytes_examined << "/"
       << usage.items_examined << ", returned " << usage.bytes_returned << "/"
       << usage.items_returned;
  if (usage.items_written > 0) text << ", written";
  if (usage.before.exists()) text << ", before " << usage.before.size_bytes();
  if (usage.after.exists()) text << ", after " << usage.after.size_bytes();
  if (usage.resume) text << ", resume " << PositionText(*usage.resume, access.index);
  for (const IndexMove& move : usage.index_moves) text << MoveText(move, *access.table);
  if (usage.is_failed) text << ", failed";
  if (usage.failure) text << " " << ErrorInfoOf(usage.failure->code).name;
  if (usage.is_retried) text << ", retried";
  if (usage.replayed) text << ", replay of " << AccessText(*usage.replayed);
  if (usage.refusal) text << ", refused " << ErrorInfoOf(usage.refusal->code).name;
  return text.str();
}

// Lists the accesses in the order in which they leave or are charged: "access -> usage". Refuses
// nothing.
class ListingGate : public Gate {
 public:
  std::optional<Error> Enter(Call&, const Access&) override {
    if (act) std::exchange(act, nullptr)();
    return std::nullopt;
  }
  void Leave(Call&, const Access& access, const Usage& usage) override {
    texts_.push_back(AccessText(access) + " -> " + UsageText(access, usage));
    if (access.start) start = Copy(*access.start);
    if (usage.resume) resume = Copy(*usage.resume);
  }
  void Charge(Call&, const Access& access, const Usage& usage) override {
    texts_.push_back("charged " + AccessText(access) + " -> " + UsageText(access, usage));
  }

  std::vector<std::string> Take() { return std::exchange(texts_, {}); }

  std::function<void()> act;  // is called once, when the next access enters
  std::pair<std::uint64_t, std::string> start, resume;  // the latest

 private:
  static std::pair<std::uint64_t, std::string> Copy(const Position& position) {
    return {position.hash, std::string(position.bytes)};
  }

  std::vector<std::string> texts_;
};

// The table "app" has two items "a/1/" and "a/2/" of 11 bytes each: p, s, g = "x", l = "y" and
// n = "nn".
class AccessTest : public IndexedTableTest<ListingGate> {
 protected:
  AccessTest() {
    for (const char* sort : {"1", "2"}) {
      api_.Ok("PutItem", std::string(R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":")") +
                             sort + R"("},"g":{"S":"x"},"l":{"S":"y"},"n":{"S":"nn"}}})");
    }
    gate_.Take();
  }

  struct Row {
    const char* operation;
    std::string request;
    std::vector<std::string> accesses;
  };
  void Expect(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      api_.Ok(row.operation, row.request);
      EXPECT_EQ(gate_.Take(), row.accesses) << row.operation << " " << row.request;
    }
  }
};

TEST_F(AccessTest, ReadsOfKeys) {
  Expect({
      {"GetItem",
       R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})",
       {"read app a/1/ #0 -> 0.5 units, examined 11/1, returned 11/1, after 11"}},
      {"GetItem",
       R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},"ConsistentRead":true,
           "ProjectionExpression":"n, m"})",
       {"read app a/1/ #0 strong get [n],[m] -> 1 units, examined 11/1, returned 3/1, after 11"}},
      {"GetItem",
       R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"9"}},"AttributesToGet":["n"]})",
       {"read app a/9/ #0 get [n] -> 0.5 units, examined 0/0, returned 0/0"}},
      {"BatchGetItem",
       R"({"RequestItems":{
           "app":{"Keys":[{"p":{"S":"a"},"s":{"S":"1"}},{"p":{"S":"a"},"s":{"S":"9"}}],
                  "ProjectionExpression":"s"},
           "arn:aws:dynamodb:us-east-1:000000000000:table/app":{
                  "Keys":[{"p":{"S":"a"},"s":{"S":"1"}}],"ConsistentRead":true}}})",
       {"read app a/1/ #0 get [s] -> 0.5 units, examined 11/1, returned 2/1, after 11",
        "read app a/9/ #1 get [s] -> 0.5 units, examined 0/0, returned 0/0",
        "read app a/1/ #2 strong -> 1 units, examined 11/1, returned 11/1, after 11"}},
      {"TransactGetItems",
       R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},
                                    "ProjectionExpression":"n"}},
                            {"Get":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"9"}}}}]})",
       {"read* app a/1/ #0 get [n] -> 2 units, examined 11/1, returned 3/1, after 11",
        "read* app a/9/ #1 -> 2 units, examined 0/0, returned 0/0"}},
  });
}

TEST_F(AccessTest, Pages) {
  Expect({
      {"Query",
       R"({"TableName":"app","KeyConditionExpression":"p = :p","FilterExpression":"n = :n",
           "ExpressionAttributeValues":{":p":{"S":"a"},":n":{"S":"nn"}},"ConsistentRead":true,
           "ScanIndexForward":false,"Limit":1,"ProjectionExpression":"g"})",
       {"query app a/ #0 strong if [n] get [g] backward limit 1 -> 1 units, examined 11/1, "
        "returned 2/1, resume a/2/"}},
      {"Query",
       R"({"TableName":"app","IndexName":"GSI","KeyConditions":{"g":{"ComparisonOperator":"EQ",
           "AttributeValueList":[{"S":"x"}]}},"QueryFilter":{"n":{"ComparisonOperator":"NULL"}}})",
       {"query GSI x/ #0 if [n] -> 0.5 units(0.5,0), examined 18/2, returned 0/0"}},
      {"Query",
       R"({"TableName":"app","IndexName":"LSI","KeyConditionExpression":"p = :p",
           "ExpressionAttributeValues":{":p":{"S":"a"}},"Select":"COUNT"})",
       {"query LSI a/ #0 count -> 0.5 units(0,0.5), examined 12/2, returned 0/2"}},
      {"Query",
       R"({"TableName":"app","IndexName":"LSI","KeyConditionExpression":"p = :p",
           "ExpressionAttributeValues":{":p":{"S":"a"}},"ProjectionExpression":"n"})",
       {"query LSI a/ #0 get [n] -> 1 units(0,0.5), examined 34/2, returned 6/2"}},
      {"Scan",
       R"({"TableName":"app","IndexName":"GSI","Limit":1})",
       {"scan GSI  #0 limit 1 -> 0.5 units(0.5,0), examined 9/1, returned 9/1, resume x/a/1/"}},
      {"Scan",
       R"({"TableName":"app"})",
       {"scan app  #0 -> 0.5 units, examined 22/2, returned 22/2"}},
  });
}

TEST_F(AccessTest, APageContinuesWhereTheLastOneEnded) {
  const char* const kQueries[] = {
      R"({"TableName":"app","Limit":1,"KeyConditionExpression":"p = :p",
          "ExpressionAttributeValues":{":p":{"S":"a"}})",
      R"({"TableName":"app","Limit":1,"IndexName":"GSI","KeyConditionExpression":"g = :p",
          "ExpressionAttributeValues":{":p":{"S":"x"}})",
  };
  for (const std::string query : kQueries) {
    api_.Ok("Query", query + "}");
    const auto resume = gate_.resume;
    const std::string key =
        R"({"p":{"S":"a"},"s":{"S":"1"})" +
        std::string(query.find("IndexName") == query.npos ? "" : R"(,"g":{"S":"x"})");
    api_.Ok("Query", query + R"(,"ExclusiveStartKey":)" + key + "}}");
    EXPECT_EQ(gate_.start, resume);
    EXPECT_NE(resume.second, "");
  }
}

TEST_F(AccessTest, Writes) {
  Expect({
      {"PutItem",
       R"j({"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"1"},"g":{"S":"x"}},
           "ConditionExpression":"attribute_not_exists(p)"})j",
       {"put app b/1/ #0 with g,p,s if [p] -> 2 units(1,0), examined 0/0, returned 0/0, written, "
        "after 6 [GSI none > x/b/1/=6: 1]"}},
      {"UpdateItem",
       R"({"TableName":"app","Key":{"p":{"S":"b"},"s":{"S":"1"}},
           "UpdateExpression":"SET g = :z, l = :z","ExpressionAttributeValues":{":z":{"S":"z"}}})",
       {"update app b/1/ #0 with p,s sets [g] sets [l] -> 4 units(2,1), examined 6/1, returned "
        "0/0, written, before 6, after 8 [GSI x/b/1/=6 > z/b/1/=6: 2] [LSI none > b/z/b/1/=6: 1]"}},
      {"UpdateItem",
       R"({"TableName":"app","Key":{"p":{"S":"b"},"s":{"S":"1"}},
           "AttributeUpdates":{"m":{"Action":"PUT","Value":{"S":"mm"}}},
           "Expected":{"m":{"Exists":false}}})",
       {"update app b/1/ #0 with p,s if [m] sets [m] -> 1 units, examined 8/1, returned 0/0, "
        "written, before 8, after 11 [GSI z/b/1/=6 > z/b/1/=6: 0] [LSI b/z/b/1/=6 > b/z/b/1/=6: "
        "0]"}},
      {"DeleteItem",
       R"({"TableName":"app","Key":{"p":{"S":"b"},"s":{"S":"1"}}})",
       {"delete app b/1/ #0 -> 3 units(1,1), examined 11/1, returned 0/0, written, before 11 [GSI "
        "z/b/1/=6 > none: 1] [LSI b/z/b/1/=6 > none: 1]"}},
      {"BatchWriteItem",
       R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"p":{"S":"c"},"s":{"S":"1"}}}},
                                  {"DeleteRequest":{"Key":{"p":{"S":"c"},"s":{"S":"2"}}}}]}})",
       {"put app c/1/ #0 with p,s -> 1 units, examined 0/0, returned 0/0, written, after 4",
        "delete app c/2/ #1 -> 1 units, examined 0/0, returned 0/0"}},
      {"TransactWriteItems",
       R"({"TransactItems":[
           {"Put":{"TableName":"app","Item":{"p":{"S":"f"},"s":{"S":"1"},"g":{"S":"x"}}}},
           {"Delete":{"TableName":"app","Key":{"p":{"S":"f"},"s":{"S":"2"}}}}]})",
       {"put* app f/1/ #0 with g,p,s -> 3 units(1,0), examined 0/0, returned 0/0, written, after 6 "
        "[GSI none > x/f/1/=6: 1]",
        "delete* app f/2/ #1 -> 2 units, examined 0/0, returned 0/0"}},
      {"TransactWriteItems",
       R"j({"ClientRequestToken":"t","TransactItems":[
           {"Update":{"TableName":"app","Key":{"p":{"S":"c"},"s":{"S":"1"}},
              "UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"S":"n"}}}},
           {"ConditionCheck":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},
              "ConditionExpression":"attribute_exists(n)"}}]})j",
       {"update* app c/1/ #0 with p,s sets [n] -> 2 units, examined 4/1, returned 0/0, written, "
        "before 4, after 6",
        "check* app a/1/ #1 if [n] -> 2 units, examined 11/1, returned 0/0, before 11"}},
      {"TransactWriteItems",
       R"j({"ClientRequestToken":"t","TransactItems":[
           {"Update":{"TableName":"app","Key":{"p":{"S":"c"},"s":{"S":"1"}},
              "UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"S":"n"}}}},
           {"ConditionCheck":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},
              "ConditionExpression":"attribute_exists(n)"}}]})j",
       {"charged read* app c/1/ #0 -> 2 units, examined 0/0, returned 0/0, replay of update* app "
        "c/1/ #0 with p,s sets [n]",
        "charged read* app a/1/ #1 -> 2 units, examined 0/0, returned 0/0, replay of check* app "
        "a/1/ #1 if [n]"}},
  });
}

TEST_F(AccessTest, Statements) {
  const auto statement = [](const std::string& text) {
    return R"({"Statement":")" + text + R"("})";
  };
  Expect({
      {"ExecuteStatement",
       statement("SELECT n, g FROM app WHERE p = 'a' AND s = '1' AND n = 'nn'"),
       {"read app a/1/ #0 if [p],[s],[n] get [n],[g] -> 0.5 units, examined 11/1, returned 5/1, "
        "after 11"}},
      {"ExecuteStatement",
       statement("SELECT * FROM app WHERE p = 'a' AND s = '1' AND n = 'm'"),
       {"read app a/1/ #0 if [p],[s],[n] -> 0.5 units, examined 11/1, returned 0/0, after 11"}},
      {"ExecuteStatement",
       statement("SELECT * FROM app WHERE p = 'a' AND s IN ['2', '1']"),
       {"query app a/1/ #0 -> 0.5 units, examined 11/1, returned 11/1",
        "query app a/2/ #0 -> 0.5 units, examined 11/1, returned 11/1"}},
      {"ExecuteStatement",
       statement("SELECT n FROM app.LSI WHERE p = 'a' AND l = 'y' ORDER BY l DESC"),
       {"query LSI a/y/ #0 get [n] backward -> 1.5 units(0,0.5), examined 34/2, returned 6/2"}},
      {"ExecuteStatement",
       statement("SELECT * FROM app.GSI WHERE g IN ['x', 'z']"),
       {"query GSI x/ #0 -> 0.5 units(0.5,0), examined 18/2, returned 18/2",
        "query GSI z/ #0 -> 0.5 units(0.5,0), examined 0/0, returned 0/0"}},
      {"ExecuteStatement",
       R"({"Statement":"SELECT * FROM app.GSI","Limit":1})",
       {"scan GSI  #0 limit 1 -> 0.5 units(0.5,0), examined 9/1, returned 9/1, resume x/a/1/"}},
      {"ExecuteStatement",
       statement("SELECT * FROM app WHERE p = 'a' AND p = 'b'"),
       {"charged query app  #0 -> 0.5 units, examined 0/0, returned 0/0"}},
      {"ExecuteStatement",
       statement("INSERT INTO app VALUE {'p':'d','s':'1','l':'y'}"),
       {"put app d/1/ #0 with l,p,s forbids -> 2 units(0,1), examined 0/0, returned 0/0, written, "
        "after 6 [LSI none > d/y/d/1/=6: 1]"}},
      {"ExecuteStatement",
       statement("UPDATE app SET n = 'n' WHERE p = 'd' AND s = '1' AND l = 'y'"),
       {"update app d/1/ #0 with p,s if [l] sets [n] requires -> 1 units, examined 6/1, returned "
        "0/0, written, before 6, after 8 [LSI d/y/d/1/=6 > d/y/d/1/=6: 0]"}},
      {"ExecuteStatement",
       statement("DELETE FROM app WHERE p = 'd' AND s = '1'"),
       {"delete app d/1/ #0 if stored -> 2 units(0,1), examined 8/1, returned 0/0, written, before "
        "8 [LSI d/y/d/1/=6 > none: 1]"}},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT n FROM app WHERE p = 'a' AND s = '1'"},
           {"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '2'","ConsistentRead":true}]})",
       {"read app a/1/ #0 get [n] -> 0.5 units, examined 11/1, returned 3/1, after 11",
        "read app a/2/ #1 strong -> 1 units, examined 11/1, returned 11/1, after 11"}},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"INSERT INTO app VALUE {'p':'e','s':'1'}"},
           {"Statement":"UPDATE app SET n = 'n' WHERE p = 'a' AND s = '9'"}]})",
       {"put app e/1/ #0 with p,s forbids -> 1 units, examined 0/0, returned 0/0, written, after 4",
        "update app a/9/ #1 with p,s sets [n] requires -> 1 units, examined 0/0, returned 0/0, "
        "failed ConditionalCheckFailedException"}},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"SELECT n FROM app WHERE p = 'a' AND s = '1'"},
           {"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '9'"}]})",
       {"read* app a/1/ #0 get [n] -> 2 units, examined 11/1, returned 3/1, after 11",
        "read* app a/9/ #1 -> 2 units, examined 0/0, returned 0/0"}},
      {"ExecuteTransaction",
       R"j({"ClientRequestToken":"t","TransactStatements":[
           {"Statement":"DELETE FROM app WHERE p = 'e' AND s = '1'"},
           {"Statement":"EXISTS(SELECT * FROM app WHERE p = 'a' AND s = '1' AND n = 'nn')"}]})j",
       {"delete* app e/1/ #0 if stored -> 2 units, examined 4/1, returned 0/0, written, before 4",
        "check* app a/1/ #1 if [n] -> 2 units, examined 11/1, returned 0/0, before 11"}},
  });
}

TEST_F(AccessTest, WritesThatTheCommitRefuses) {
  api_.Fails("PutItem",
             R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"}},
                 "Expected":{"n":{"Value":{"S":"m"}}}})",
             "ConditionalCheckFailedException", "The conditional request failed");
  EXPECT_EQ(gate_.Take(), (std::vector<std::string>{
                              "put app a/1/ #0 with p,s if [n] -> 1 units, examined 11/1, returned "
                              "0/0, before 11, failed ConditionalCheckFailedException"}));
  api_.Fails("TransactWriteItems",
             R"j({"TransactItems":[
                 {"Put":{"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"1"}}}},
                 {"Delete":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},
                    "ConditionExpression":"attribute_not_exists(p)"}}]})j",
             "TransactionCanceledException",
             "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
             "ConditionalCheckFailed]");
  EXPECT_EQ(gate_.Take(),
            (std::vector<std::string>{
                "put* app b/1/ #0 with p,s -> 2 units, examined 0/0, returned 0/0, failed",
                "delete* app a/1/ #1 if [p] -> 2 units, examined 11/1, returned 0/0, before 11, "
                "failed ConditionalCheckFailedException"}));
}

// The table gets a new version after the access has entered.
TEST_F(AccessTest, AnAccessWhoseTableChangedLeavesAsRetried) {
  struct Write {
    const char* operation;
    const char* request;
    std::vector<std::string> accesses;
  };
  const Write kWrites[] = {
      {"PutItem",
       R"({"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"1"}}})",
       {"put app b/1/ #0 with p,s -> 0 units, examined 0/0, returned 0/0, retried",
        "put app b/1/ #0 with p,s -> 1 units, examined 0/0, returned 0/0, written, after 4"}},
      {"BatchWriteItem",
       R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"p":{"S":"b"},"s":{"S":"1"}}}}]}})",
       {"put app b/1/ #0 with p,s -> 0 units, examined 0/0, returned 0/0, retried",
        "put app b/1/ #0 with p,s -> 1 units, examined 4/1, returned 0/0, written, before 4, after "
        "4"}},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"1"}}}}]})",
       {"put* app b/1/ #0 with p,s -> 0 units, examined 0/0, returned 0/0, retried",
        "put* app b/1/ #0 with p,s -> 2 units, examined 4/1, returned 0/0, written, before 4, "
        "after 4"}},
  };
  bool is_protected = false;
  for (const Write& write : kWrites) {
    is_protected = !is_protected;
    gate_.act = [&] {
      std::thread([&] {
        api_.Ok("UpdateTable", std::string(R"({"TableName":"app","DeletionProtectionEnabled":)") +
                                   (is_protected ? "true}" : "false}"));
      }).join();
    };
    api_.Ok(write.operation, write.request);
    EXPECT_EQ(gate_.Take(), write.accesses) << write.operation;
  }
}

// Keeps what a call says of the request that it came from.
class CallGate : public Gate {
 public:
  std::optional<Error> Begin(Call& call) override { return Keep(call); }
  std::optional<Error> Enter(Call&, const Access&) override { return std::nullopt; }
  void Leave(Call&, const Access&, const Usage&) override {}
  void Fail(Call& call, const CallOutcome&) override { Keep(call); }

  std::string text;

 private:
  std::nullopt_t Keep(const Call& call) {
    text = std::string(call.pattern) + "|" + std::string(call.user_agent) + "|" +
           std::to_string(call.connection);
    return std::nullopt;
  }
};

TEST(Call, SaysWhichProgramSentIt) {
  CallGate gate;
  GateSlot slot{&gate};
  Api api{{.gate = &slot}};
  const auto handle = [&](std::string body) {
    body.push_back('\0');
    ApiRequest request;
    request.target = "DynamoDB_20120810.ListTables";
    request.has_date = true;
    request.authorization =
        "AWS4-HMAC-SHA256 Credential=A/1/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=h, Signature=s";
    request.pattern = "all tables";
    request.user_agent = "app/shop";
    request.connection = 7;
    request.body = {body.data(), body.size() - 1};
    OutputBuffer out;
    return api.dispatcher().Handle(request, out).http_status;
  };
  EXPECT_EQ(handle("{}"), 200);
  EXPECT_EQ(gate.text, "all tables|app/shop|7");
  gate.text.clear();
  EXPECT_EQ(handle("not JSON"), 400);
  EXPECT_EQ(gate.text, "all tables|app/shop|7");
  OutputBuffer out;
  EXPECT_EQ(
      api.dispatcher().Call({"ListTables", "{}", CallerOf("A", "us-east-1")}, out).http_status,
      200);
  EXPECT_EQ(gate.text, "||0");
}

}  // namespace
}  // namespace hashrange
