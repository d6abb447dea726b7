// Tests of the calls about partitions: their input, their answers and their effect. The clock
// stands still, so all happens in one slice of time.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "control/partition_fixture.h"

namespace hashrange {
namespace {

constexpr char kNothing[] = R"({"rules":[],"tables":[]})";
constexpr char kSmallAnswer[] =
    R"({"read_units":2,"write_units":2,"new_table_read_units":2,"new_table_write_units":2,)"
    R"("burst":1000})";

// Returns the map of a table or index that provisions this throughput, after one write of one unit.
std::string MapAfterOneWrite(const std::string& names, const std::string& limits) {
  return "{" + names + R"(,"mode":"watch","began_epoch_ms":1767225600000,)" + limits +
         R"(,"partition_read_units":3000.0,"partition_write_units":1000.0,"throttles":[],)"
         R"("partitions":[)" +
         OnePartition("1", "0") + R"(],"slice_ms":1000,"slices":)" + OneSlice("1", "0") + "}";
}

class PartitionCalls : public PartitionFixture {
 protected:
  void Answers(const char* method, const std::string& json, const std::string& body) {
    EXPECT_EQ(Control(method, "partitions", json), "200 " + body) << json;
  }
  void Fails(const char* method, const std::string& json, const std::string& sentence) {
    EXPECT_EQ(Control(method, "partitions", json), R"(400 {"error":")" + sentence + "\"}") << json;
  }
};

TEST_F(PartitionCalls, AWatchedTableServesAllAndCountsWhatItWouldThrottle) {
  Answers("GET", "", kNothing);
  Ok("CreateTable", SimpleTable("app"));
  ModelSmall("watch");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Put(), 200);
  Answers("GET", "",
          R"({"rules":[{"table":"app","mode":"watch","seed":0,"parameters":)" +
              std::string(kSmallAnswer) +
              R"(}],"tables":[{"account":"000000000000","region":"us-east-1","table":"app",)"
              R"("mode":"watch","seed":0,"resources":[)" +
              MapAfterFourWrites("app", "watch") + "]}]}");
}

TEST_F(PartitionCalls, AnEnforcedTableThrottlesUntilTheClockGoesOn) {
  Ok("CreateTable", SimpleTable("app"));
  ModelSmall("enforce");
  for (const int status : {200, 200, 400, 400}) EXPECT_EQ(Put(), status);
  Answers("GET", "",
          R"({"rules":[{"table":"app","mode":"enforce","seed":0,"parameters":)" +
              std::string(kSmallAnswer) +
              R"(}],"tables":[{"account":"000000000000","region":"us-east-1","table":"app",)"
              R"("mode":"enforce","seed":0,"resources":[)" +
              MapAfterFourWrites("app", "enforce") + "]}]}");
  Post("clock", R"({"advance":"500ms"})");
  EXPECT_EQ(Put(), 200);
  EXPECT_EQ(Put(), 400);
  Answers("DELETE", R"({"table":"app"})", kNothing);
  EXPECT_EQ(Put(), 200);
}

TEST_F(PartitionCalls, TheErrorOfAKeyRangeCanBeChosen) {
  Ok("CreateTable", SimpleTable("app"));
  const auto refused_with = [this](const std::string& more) {
    Post("partitions", R"({"mode":"enforce","parameters":{"write_units":1,"burst":"1s",)"
                       R"("new_table_write_units":1)" +
                           more + "}}");
    Put();
    const std::string answer = Call("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"}}})");
    return Text(answer, "__type") + " " + Text(answer, "reason");
  };
  const std::string reason = " TableWriteKeyRangeThroughputExceeded";
  EXPECT_EQ(refused_with(""), "com.amazon.coral.availability#ThrottlingException" + reason);
  EXPECT_EQ(refused_with(R"(,"key_range_error":"ThrottlingException")"),
            "com.amazon.coral.availability#ThrottlingException" + reason);
  const std::string others = "com.amazonaws.dynamodb.v20120810#";
  EXPECT_EQ(refused_with(R"(,"key_range_error":"ProvisionedThroughputExceededException")"),
            others + "ProvisionedThroughputExceededException" + reason);
  EXPECT_EQ(refused_with(R"(,"key_range_error":"RequestLimitExceeded")"),
            others + "RequestLimitExceeded" + reason);
}

TEST_F(PartitionCalls, ATableAndItsGlobalIndexesHaveAMapEach) {
  Ok("CreateTable", R"({"TableName":"app",
      "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":3},
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},
        {"AttributeName":"s","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"k","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
      "LocalSecondaryIndexes":[{"IndexName":"local","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"k","KeyType":"HASH"},
          {"AttributeName":"g","KeyType":"RANGE"}]}],
      "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
        "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":2},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
  Post("partitions", R"({"account":"000000000000","mode":"watch","seed":7})");
  Ok("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"},"s":{"S":"1"},"g":{"S":"g"}}})");
  // The local index takes a unit of its table.
  std::string table =
      MapAfterOneWrite(R"("table":"app","index":"")", R"("read_limit":1.0,"write_limit":3.0)");
  for (const std::string name : {R"("write_units":)", R"("write_demand":)"}) {
    const std::string one = name + "1.0", two = name + "2.0";
    for (std::size_t at = 0; (at = table.find(one, at)) != table.npos;) {
      table.replace(at, one.size(), two);
    }
  }
  Answers("GET", "",
          R"({"rules":[{"account":"000000000000","mode":"watch","seed":7,"parameters":{}}],)"
          R"("tables":[{"account":"000000000000","region":"us-east-1","table":"app",)"
          R"("mode":"watch","seed":7,"resources":[)" +
              table + "," +
              MapAfterOneWrite(R"("table":"app","index":"byG")",
                               R"("read_limit":5.0,"write_limit":2.0)") +
              "]}]}");
}

TEST_F(PartitionCalls, TheLatestRuleDecidesAndADeletionEndsTheRulesOfItsScope) {
  const std::string table = R"({"table":"a","mode":"enforce","seed":0,"parameters":{}})";
  const std::string account =
      R"({"account":"111122223333","mode":"watch","seed":0,"parameters":{}})";
  const std::string region =
      R"({"region":"eu-west-1","table":"b","mode":"watch","seed":3,"parameters":{}})";
  const auto rules = [](const std::string& list) {
    return R"({"rules":[)" + list + R"(],"tables":[]})";
  };
  const auto lists = [&](const std::string& list) { Answers("GET", "", rules(list)); };
  Answers("POST", R"({"table":"a","mode":"watch","seed":5})",
          rules(R"({"table":"a","mode":"watch","seed":5,"parameters":{}})"));
  Answers("POST", R"({"table":"a","mode":"enforce"})", rules(table));
  // The rule about a table may concern a table of the account.
  Answers("POST", R"({"account":"111122223333","mode":"watch"})", rules(table + "," + account));
  // The answer has only the rules that may concern a table of the scope.
  Answers("POST", R"({"region":"eu-west-1","table":"b","mode":"watch","seed":3})",
          rules(account + "," + region));
  lists(table + "," + account + "," + region);
  Answers("DELETE", R"({"account":"444455556666"})", rules(table + "," + region));
  lists(table + "," + account + "," + region);
  Answers("DELETE", R"({"table":"b"})", rules(account));
  lists(table + "," + account);
  Answers("DELETE", R"({"account":"111122223333"})", rules(table));
  Answers("DELETE", "", kNothing);

  Ok("CreateTable", SimpleTable("app"));
  const auto mode_of_table = [this](const char* rule) {
    Post("partitions", rule);
    const std::string answer = Control("GET", "partitions");
    return Text(answer.substr(answer.find(R"("tables":)")), "mode");
  };
  EXPECT_EQ(mode_of_table(R"({"table":"app","mode":"enforce"})"), "enforce");
  EXPECT_EQ(mode_of_table(R"({"account":"000000000000","mode":"watch"})"), "watch");
  EXPECT_EQ(mode_of_table(R"({"account":"111122223333","mode":"enforce"})"), "watch");
}

TEST_F(PartitionCalls, AnAnswerHasTheTablesOfItsScope) {
  for (const char* const account : {"000000000000", "111122223333"}) {
    Ok("CreateTable", SimpleTable("app"), account);
    Ok("CreateTable", SimpleTable("old"), account, "eu-west-1");
  }
  // Returns the tables of an answer, in alphabetical order: "0:app 1:old".
  const auto tables = [](const std::string& answer) {
    std::set<std::string> names;
    const std::string start = R"({"account":")";
    for (std::size_t at = answer.find(R"("tables":)"); (at = answer.find(start, at)) != answer.npos;
         ++at) {
      const std::string table = answer.substr(at);
      names.insert(table.substr(start.size(), 1) + ":" + Text(table, "table"));
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
  };
  const auto get = [&](const std::string& query) {
    return tables(Control("GET", "partitions" + query));
  };
  EXPECT_EQ(tables(Post("partitions", R"({"mode":"watch"})")), "0:app 0:old 1:app 1:old");
  EXPECT_EQ(tables(Post("partitions", R"({"table":"old","mode":"enforce"})")), "0:old 1:old");
  EXPECT_EQ(tables(Post("partitions", R"({"account":"111122223333","mode":"watch"})")),
            "1:app 1:old");
  EXPECT_EQ(get(""), "0:app 0:old 1:app 1:old");
  EXPECT_EQ(get("?account=111122223333"), "1:app 1:old");
  EXPECT_EQ(get("?table=app"), "0:app 1:app");
  EXPECT_EQ(get("?account=000000000000&region=eu-west-1"), "0:old");
  EXPECT_EQ(get("?account=000000000000&table=none"), "");
  EXPECT_EQ(tables(Control("DELETE", "partitions", R"({"account":"111122223333"})")),
            "1:app 1:old");
  EXPECT_EQ(Control("GET", "partitions?mode=watch"),
            R"(400 {"error":"The query has an unknown parameter \"mode\"; it may have )"
            R"(\"account\", \"region\" and \"table\"."})");
  EXPECT_EQ(Control("GET", "partitions?account=12"),
            R"(400 {"error":"\"12\" is not an account id, which has 12 digits."})");
}

TEST_F(PartitionCalls, EveryParameterIsKept) {
  Answers("POST", R"({"mode":"watch","parameters":{"read_units":1,"write_units":1000000,
            "new_table_read_units":1000000000,"new_table_write_units":2,"quota_read_units":3,
            "quota_write_units":4,"partition_bytes":5,"split_heat":100,"one_item_share":1,
            "burst":"300s","average":"1s","split_after":0,"split_delay":{"min":"1s","max":"30d"},
            "growth_after":"30d","key_range_error":"RequestLimitExceeded"}})",
          R"({"rules":[{"mode":"watch","seed":0,"parameters":{"read_units":1,)"
          R"("write_units":1000000,"new_table_read_units":1000000000,"new_table_write_units":2,)"
          R"("quota_read_units":3,"quota_write_units":4,"partition_bytes":5,"burst":300000,)"
          R"("average":1000,"split_after":0,"growth_after":2592000000,"split_heat":100.0,)"
          R"("one_item_share":1.0,"split_delay":{"min":1000,"max":2592000000},)"
          R"("key_range_error":"RequestLimitExceeded"}}],"tables":[]})");
  // These are the usual ones.
  Answers("POST", R"({"mode":"watch","parameters":{"read_units":3000,"write_units":1000,
            "new_table_read_units":12000,"new_table_write_units":4000,"quota_read_units":40000,
            "quota_write_units":40000,"partition_bytes":10737418240,"split_heat":0.9,
            "one_item_share":0.8,"burst":"500ms","average":"60s","split_after":"300s",
            "split_delay":{"min":"60s","max":"300s"},"growth_after":"1800s"}})",
          R"({"rules":[{"mode":"watch","seed":0,"parameters":{}}],"tables":[]})");
  Answers("POST", R"({"mode":"watch","parameters":{"split_delay":"5s"}})",
          R"({"rules":[{"mode":"watch","seed":0,)"
          R"("parameters":{"split_delay":{"min":5000,"max":5000}}}],"tables":[]})");
}

TEST_F(PartitionCalls, TheMostPartitionsThatParametersCanAskForAreBounded) {
  Ok("CreateTable", R"({"TableName":"app",
      "ProvisionedThroughput":{"ReadCapacityUnits":1000000000000,"WriteCapacityUnits":1000000000000},
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})");
  const auto partitions_with = [this](const std::string& parameters) {
    const std::string answer =
        Post("partitions", R"({"mode":"watch","parameters":)" + parameters + "}");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = answer.find(R"("parent":0)", at)) != answer.npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(partitions_with(R"({"read_units":1,"write_units":1})"), 2048u);
  EXPECT_EQ(partitions_with(R"({"read_units":1000000,"write_units":1000000})"), 2048u);
}

struct WrongBody {
  const char* body;
  const char* sentence;  // as it is in JSON
};

TEST_F(PartitionCalls, WrongBodiesAreRefused) {
  constexpr WrongBody kWrong[] = {
      {"{}", R"(\"mode\" is missing in the body.)"},
      {R"({"mode":"on"})", R"(\"mode\" is \"watch\" or \"enforce\".)"},
      {R"({"mode":true})", R"(\"mode\" in the body is not a text of at least one character.)"},
      {R"({"mode":"watch","tables":[]})",
       R"(\"tables\" is no member of the body, which may have \"account\", \"region\", )"
       R"(\"table\", \"mode\", \"parameters\" and \"seed\".)"},
      {R"({"mode":"watch","account":"12"})",
       R"(\"12\" in \"account\" is not an account id, which has 12 digits.)"},
      {R"({"mode":"watch","seed":-1})", R"(\"seed\" in the body is not a whole number from 0.)"},
      {R"({"mode":"watch","parameters":[]})", R"(\"parameters\" in the body is not an object.)"},
  };
  for (const WrongBody& wrong : kWrong) Fails("POST", wrong.body, wrong.sentence);
  Fails("DELETE", R"({"mode":"watch"})",
        R"(\"mode\" is no member of the body, which may have \"account\", \"region\" and )"
        R"(\"table\".)");
  Answers("GET", "", kNothing);
}

TEST_F(PartitionCalls, ParametersOutOfTheirRangesAreRefused) {
  constexpr WrongBody kWrong[] = {
      {R"({"units":5})",
       R"(\"units\" is no member of \"parameters\", which may have \"read_units\", )"
       R"(\"write_units\", \"new_table_read_units\", \"new_table_write_units\", )"
       R"(\"quota_read_units\", \"quota_write_units\", \"partition_bytes\", \"burst\", )"
       R"(\"average\", \"split_after\", \"growth_after\", \"split_heat\", \"one_item_share\", )"
       R"(\"split_delay\" and \"key_range_error\".)"},
      {R"({"read_units":0})", R"(\"read_units\" in \"parameters\" is from 1 to 1,000,000.)"},
      {R"({"write_units":1000001})",
       R"(\"write_units\" in \"parameters\" is from 1 to 1,000,000.)"},
      {R"({"read_units":"5"})",
       R"(\"read_units\" in \"parameters\" is not a whole number from 0.)"},
      {R"({"quota_read_units":1000000001})",
       R"(\"quota_read_units\" in \"parameters\" is from 1 to 1,000,000,000.)"},
      {R"({"new_table_write_units":0})",
       R"(\"new_table_write_units\" in \"parameters\" is from 1 to 1,000,000,000.)"},
      {R"({"partition_bytes":1125899906842625})",
       R"(\"partition_bytes\" in \"parameters\" is from 1 to 2^50.)"},
      {R"({"split_heat":0})",
       R"(\"split_heat\" in \"parameters\" is more than 0 and at most 100.)"},
      {R"({"split_heat":101})",
       R"(\"split_heat\" in \"parameters\" is more than 0 and at most 100.)"},
      {R"({"one_item_share":1.5})",
       R"(\"one_item_share\" in \"parameters\" is more than 0 and at most 1.)"},
      {R"({"burst":0})", R"(\"burst\" in \"parameters\" is from 1ms to 300s.)"},
      {R"({"burst":"301s"})", R"(\"burst\" in \"parameters\" is from 1ms to 300s.)"},
      {R"({"average":"999ms"})", R"(\"average\" in \"parameters\" is from 1s to 30d.)"},
      {R"({"average":60})",
       R"(\"average\" in \"parameters\" is not a time with its unit, such as \"500ms\", \"3s\", )"
       R"(\"5m\", \"2h\" or \"2d\".)"},
      {R"({"split_after":"31d"})", R"(\"split_after\" in \"parameters\" is at most 30d.)"},
      {R"({"growth_after":"31d"})", R"(\"growth_after\" in \"parameters\" is at most 30d.)"},
      {R"({"split_delay":5})",
       R"(\"split_delay\" in \"parameters\" is neither a time with its unit, such as \"500ms\", )"
       R"(\"3s\", \"5m\", \"2h\" or \"2d\", nor an object of two such times, \"min\" and \"max\".)"},
      {R"({"split_delay":{"min":"5ms","max":"4ms"}})",
       R"(\"min\" in \"split_delay\" is more than \"max\".)"},
      {R"({"split_delay":"31d"})", R"(\"split_delay\" in \"parameters\" is at most 30d.)"},
      {R"({"key_range_error":"InternalServerError"})",
       R"(\"key_range_error\" in \"parameters\" is \"ThrottlingException\", )"
       R"(\"ProvisionedThroughputExceededException\" or \"RequestLimitExceeded\".)"},
  };
  for (const WrongBody& wrong : kWrong) {
    Fails("POST", std::string(R"({"mode":"watch","parameters":)") + wrong.body + "}",
          wrong.sentence);
  }
  Answers("GET", "", kNothing);
}

TEST_F(PartitionCalls, TheNumberOfRulesIsBounded) {
  const auto add = [this](int number) {
    return Post("partitions", R"({"mode":"watch","table":"table)" + std::to_string(number) + "\"}");
  };
  for (int number = 1; number < 1000; ++number) add(number);
  EXPECT_EQ(add(1000).substr(0, 4), "200 ");
  EXPECT_EQ(add(1001), R"(400 {"error":"There are 1000 partition rules, which is the limit."})");
  EXPECT_EQ(add(1000).substr(0, 4), "200 ");
}

TEST_F(PartitionCalls, AResetOfTheSimulationEndsTheRules) {
  Ok("CreateTable", SimpleTable("app"));
  ModelSmall("enforce");
  for (const int status : {200, 200, 400}) EXPECT_EQ(Put(), status);
  Post("reset", R"({"table":"app","simulation":true})");
  Answers("GET", "", kNothing);
  EXPECT_EQ(Put(), 200);
}

// Partitions that throttle and declared limits that do not know them are two kinds of rules.
TEST_F(PartitionCalls, RulesAboutThroughputStay) {
  Post("throughput", R"({"enforce":true})");
  Post("partitions", R"({"mode":"watch"})");
  Answers("DELETE", "", kNothing);
  EXPECT_EQ(Control("GET", "throughput"), R"(200 {"rules":[{"enforce":true}],"tables":[]})");
  Post("partitions", R"({"mode":"watch"})");
  Control("DELETE", "throughput");
  Answers("GET", "", R"({"rules":[{"mode":"watch","seed":0,"parameters":{}}],"tables":[]})");
}

TEST(PartitionCallsShared, OneSetOfTablesHasNoAccounts) {
  Database database({.shared_tables = true});
  EXPECT_EQ(database.Call("CreateTable", SimpleTable("app")).status, 200);
  EXPECT_EQ(database
                .Control("POST", "partitions",
                         R"({"account":"111122223333","table":"none","mode":"watch"})")
                .body,
            R"({"rules":[{"table":"none","mode":"watch","seed":0,"parameters":{}}],"tables":[]})");
  EXPECT_EQ(database.Control("DELETE", "partitions", R"({"account":"444455556666"})").body,
            kNothing);
}

}  // namespace
}  // namespace hashrange
