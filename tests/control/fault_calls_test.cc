// Tests of the calls about fault rules: their answers, and the rules that they refuse.
#include <gtest/gtest.h>

#include <string>

#include "control/simulated_api.h"

namespace hashrange {
namespace {

TEST(FaultCalls, RulesAreAddedListedAndRemoved) {
  SimulatedApi api;
  api.Controls("GET", "faults", {}, R"({"rules":[]})");
  api.Controls("POST", "faults", R"({"seed":7,"rules":[
      {"name":"slow","match":{"operation":["GetItem","Query"],"times":3},"do":{"latency":"50ms"}},
      {"match":{},"do":{"drop":"after"}}]})",
               R"({"rules":[{"id":1,"name":"slow","hits":0,"matches":0,
                 "match":{"operation":["GetItem","Query"],"times":3},"do":{"latency":"50ms"}},
               {"id":2,"hits":0,"matches":0,"match":{},"do":{"drop":"after"}}]})");
  api.Controls("GET", "faults/2", {},
               R"({"id":2,"hits":0,"matches":0,"match":{},"do":{"drop":"after"}})");
  api.Controls("DELETE", "faults/1", {}, R"({"rules":1})");
  api.Refuses("GET", "faults/1", {}, 404, R"(There is no fault rule "1".)");
  api.Refuses("DELETE", "faults/1", {}, 404, R"(There is no fault rule "1".)");
  api.Refuses("GET", "faults/x", {}, 404, R"(There is no fault rule "x".)");
  api.Refuses("GET", "faults/99999999999999999999", {}, 404,
              R"(There is no fault rule "99999999999999999999".)");
  api.Controls("DELETE", "faults", {}, R"({"rules":1})");
  api.Controls("GET", "faults", {}, R"({"rules":[]})");
}

TEST(FaultCalls, ReportHowOftenRulesFired) {
  SimulatedApi api;
  api.Rule(R"({"match":{"operation":"ListTables","every":2},"do":{"status":500}})");
  for (const int status : {200, 500, 200})
    EXPECT_EQ(api.Call("ListTables", "{}").http_status, status);
  api.Ok("DescribeLimits", "{}");
  api.Controls("GET", "faults", {},
               R"({"rules":[{"id":1,"hits":1,"matches":3,
                   "match":{"operation":"ListTables","every":2},"do":{"status":500}}]})");
}

TEST(FaultCalls, TheSameSeedFailsTheSameCalls) {
  SimulatedApi api;
  const auto fails = [&](int seed) {
    api.Control("DELETE", "faults");
    api.Control("POST", "faults",
                R"({"seed":)" + std::to_string(seed) +
                    R"(,"rules":[{"match":{"probability":0.5},"do":{"status":503}}]})");
    std::string outcome;
    for (int i = 0; i < 100; ++i) {
      outcome += api.Call("ListTables", "{}").http_status == 503 ? 'x' : '.';
    }
    return outcome;
  };
  const std::string first = fails(1);
  EXPECT_EQ(fails(1), first);
  EXPECT_NE(fails(2), first);
}

struct Refusal {
  const char* rule;
  const char* sentence;
};

TEST(FaultCalls, InvalidRulesAreRefused) {
  constexpr char kNoPrefix[] =
      R"("key_prefix" gives the beginnings of key attributes that are strings, as in )"
      R"({"PK":"USER#"}.)";
  constexpr char kDo[] = R"(,"do":{"status":500}})";
  const Refusal refusals[] = {
      {R"(1})", "a rule is not a JSON object."},
      {R"({"do":{"status":500}})", R"("match" is missing in a rule.)"},
      {R"({"match":{}})", R"("do" is missing in a rule.)"},
      {R"({"match":[],"do":{}})", R"("match" in a rule is not an object.)"},
      {R"({"matches":{},"do":{}})",
       R"("matches" is no member of a rule, which may have "name", "match" and "do".)"},
      {R"({"match":{"tabel":"T"})",
       R"("tabel" is no member of "match", which may have "operation", "table", "index", "key", )"
       R"("key_prefix", "account", "region", "every", "probability", "times" and "skip".)"},
      {R"({"match":{"operation":"GetItm"})", R"(There is no operation "GetItm".)"},
      {R"({"match":{"operation":[]})", R"("operation" is an empty list.)"},
      {R"({"match":{"operation":["GetItem",1]})",
       R"("operation" is the name of an operation or a list of names.)"},
      {R"({"match":{"operation":{}})",
       R"("operation" is the name of an operation or a list of names.)"},
      {R"({"match":{"account":"1"})",
       R"("1" in "account" is not an account id, which has 12 digits.)"},
      {R"({"match":{"every":0})", R"("every" is a whole number from 1.)"},
      {R"({"match":{"times":0})", R"("times" is a whole number from 1.)"},
      {R"({"match":{"times":-1})", R"("times" in "match" is not a whole number from 0.)"},
      {R"({"match":{"skip":-1})", R"("skip" in "match" is not a whole number from 0.)"},
      {R"({"match":{"every":1.5})", R"("every" in "match" is not a whole number from 0.)"},
      {R"({"match":{"probability":0})", R"("probability" is a number above 0 and up to 1.)"},
      {R"({"match":{"probability":1.01})", R"("probability" is a number above 0 and up to 1.)"},
      {R"({"match":{"key":{"PK":{"S":"a"}},"key_prefix":{"PK":"a"}})",
       R"(A match has "key" or "key_prefix", not both.)"},
      {R"({"match":{"key":{}})", R"("key" has from 1 to 8 attributes.)"},
      {R"({"match":{"key_prefix":{}})", R"("key_prefix" has from 1 to 8 attributes.)"},
      {R"({"match":{"key":{"PK":"a"}})",
       R"("key" is not DynamoDB JSON such as {"PK":{"S":"a"}}: Unexpected value type in payload.)"},
      {R"({"match":{"key":{"PK":{"S":1}}})",
       R"("key" is not DynamoDB JSON such as {"PK":{"S":"a"}}: )"
       "NUMBER_VALUE cannot be converted to String."},
      {R"({"match":{"key":{"PK":{"N":"x"}}})",
       R"("key" is not DynamoDB JSON such as {"PK":{"S":"a"}}: )"
       "The parameter cannot be converted to a numeric value: x."},
      {R"({"match":{"key":{"PK":{"BOOL":true}}})",
       R"("key" has "PK" of type BOOL, where a key attribute is S, N or B.)"},
      {R"({"match":{"key_prefix":{"PK":1}})", kNoPrefix},
      {R"({"match":{"key_prefix":{"PK":""}})", kNoPrefix},
  };
  SimulatedApi api;
  for (const Refusal& row : refusals) {
    std::string rule = row.rule;
    if (rule == "1}") {
      rule = "1";
    } else if (rule.find("\"do\"") == std::string::npos && rule != R"({"match":{}})") {
      rule += kDo;
    }
    api.Refuses("POST", "faults", R"({"rules":[)" + rule + "]}", 400,
                std::string("Rule 1: ") + row.sentence);
  }
  api.Controls("GET", "faults", {}, R"({"rules":[]})");
}

TEST(FaultCalls, ImpossibleActionsAreRefused) {
  constexpr char kNoDrop[] =
      R"("drop" is "before" or "after": the connection ends before the request is carried out, )"
      "or after that.";
  constexpr char kNoLatency[] =
      R"("latency" is neither a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d", )"
      R"(nor an object of two such times, {"min":"10ms","max":"90ms"}.)";
  const Refusal refusals[] = {
      {R"({})", R"("do" is empty; it has an action, such as {"status":503}.)"},
      {R"({"status":500,"drop":"after"})",
       R"("do" has one action, and may have "latency" besides.)"},
      {R"({"statuss":500})",
       R"("statuss" is no member of "do", which may have "throttle", "error", "status", "latency", )"
       R"("drop", "unprocessed", "conflict", "in_progress" and "collection_full".)"},
      {R"({"status":501})", R"("status" is 500 or 503.)"},
      {R"({"status":"500"})", R"("status" is 500 or 503.)"},
      {R"({"drop":"now"})", kNoDrop},
      {R"({"drop":true})", kNoDrop},
      {R"({"unprocessed":0})", R"("unprocessed" is a whole number from 1.)"},
      {R"({"unprocessed":-3})", R"("unprocessed" is a whole number from 1.)"},
      {R"({"conflict":false})", R"("conflict" can only be true.)"},
      {R"({"in_progress":1})", R"("in_progress" can only be true.)"},
      {R"({"collection_full":"yes"})", R"("collection_full" can only be true.)"},
      {R"({"throttle":"Hot"})",
       R"("Hot" is not a reason for throttling, such as "TableWriteKeyRangeThroughputExceeded".)"},
      {R"({"throttle":1})", R"("throttle" is not a JSON object.)"},
      {R"({"throttle":{"reason":"TableReadAccountLimitExceeded","exception":"InternalServerError"}})",
       R"("InternalServerError" is no throttling exception.)"},
      {R"({"error":"InternalServerError"})", R"("error" is not a JSON object.)"},
      {R"({"error":{}})", R"("type" is missing in "error".)"},
      {R"({"error":{"type":"Oops"}})", R"(There is no error "Oops".)"},
      {R"({"error":{"type":"InternalServerError","reasons":[]}})",
       R"(Only a TransactionCanceledException has "reasons".)"},
      {R"({"error":{"type":"TransactionCanceledException","reasons":[1]}})",
       R"("reasons" is a list of codes such as "None" and "TransactionConflict".)"},
      {R"({"latency":"soon"})", kNoLatency},
      {R"({"latency":50})", kNoLatency},
      {R"({"latency":-1})", kNoLatency},
      {R"({"latency":{"min":"1s"}})", R"("max" is missing in "latency".)"},
      {R"({"latency":{"min":"2s","max":"1s"}})", R"("min" in "latency" is more than "max".)"},
      {R"({"latency":"61m"})", R"("latency" is at most an hour.)"},
  };
  SimulatedApi api;
  for (const Refusal& row : refusals) {
    api.Refuses("POST", "faults",
                std::string(R"({"rules":[{"match":{},"do":)").append(row.rule).append("}]}"), 400,
                std::string("Rule 1: ") + row.sentence);
  }
}

TEST(FaultCalls, ABodyWithOneBadRuleAddsNone) {
  SimulatedApi api;
  api.Refuses("POST", "faults",
              R"({"rules":[{"match":{},"do":{"status":500}},{"match":{},"do":{"status":1}}]})", 400,
              R"(Rule 2: "status" is 500 or 503.)");
  api.Refuses("POST", "faults", R"({"rules":[]})", 400, R"("rules" is an empty list.)");
  api.Refuses("POST", "faults", "{}", 400, R"("rules" is missing in the body.)");
  api.Refuses("POST", "faults", R"({"rules":{},"seed":1})", 400,
              R"("rules" in the body is not a list.)");
  api.Refuses("POST", "faults", R"({"rule":[]})", 400,
              R"("rule" is no member of the body, which may have "seed" and "rules".)");
  api.Controls("GET", "faults", {}, R"({"rules":[]})");
}

TEST(FaultCalls, WhatIsAtALimitIsAllowed) {
  std::string reasons = R"("None")";
  for (int i = 1; i < 100; ++i) reasons += R"(,"None")";
  const std::string action =
      R"({"latency":"1h","error":{"type":"TransactionCanceledException","reasons":[)" + reasons +
      "]}}";
  const std::string match = R"({"table":")" + std::string(255, 't') + "\"}";
  std::string rules = R"({"match":)" + match + R"(,"do":)" + action + "}";
  for (std::size_t i = 1; i < FaultPlan::kMaxRules; ++i) {
    rules += R"(,{"match":{},"do":{"status":500}})";
  }
  SimulatedApi api;
  EXPECT_EQ(api.Control("POST", "faults", R"({"rules":[)" + rules + "]}").http_status, 200);
  EXPECT_EQ(api.faults.List().size(), FaultPlan::kMaxRules);
}

TEST(FaultCalls, NumberAndLengthOfRulesAreLimited) {
  SimulatedApi api;
  std::string body = R"({"rules":[)";
  for (int i = 0; i < 1001; ++i) body += "1,";  // no rule is read
  body.back() = ']';
  api.Refuses("POST", "faults", body + "}", 400, R"("rules" has at most 1000 rules.)");
  const std::string long_text(10'000, 'x');
  const auto rule = [](const std::string& match, const std::string& action) {
    return R"({"rules":[{"match":{)" + match + R"(},"do":{)" + action + "}}]}";
  };
  api.Refuses("POST", "faults", rule(R"("table":")" + long_text + '"', R"("status":500)"), 400,
              R"(Rule 1: "match" is longer than 8192 bytes.)");
  api.Refuses(
      "POST", "faults",
      rule({}, R"("error":{"type":"ValidationException","message":")" + long_text + R"("})"), 400,
      R"(Rule 1: "do" is longer than 8192 bytes.)");
  api.Refuses("POST", "faults",
              rule(R"("table":")" + long_text.substr(0, 256) + '"', R"("status":500)"), 400,
              R"(Rule 1: "table" is longer than 255 bytes.)");
  std::string deep;
  for (int i = 0; i < 900; ++i) deep += R"({"L":[)";
  for (int i = 0; i < 900; ++i) deep += "]}";
  EXPECT_EQ(api.Control("POST", "faults", rule(R"("key":{"PK":)" + deep + "}", R"("status":500)"))
                .http_status,
            400);
}

}  // namespace
}  // namespace hashrange
