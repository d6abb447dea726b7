// Tests of how the meter links the pages of one call.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "measure/meter/metered_api.h"

namespace hashrange {
namespace {

class MeterPagesTest : public testing::Test, protected MeteredApi {};

TEST_F(MeterPagesTest, PagesOfOneCallAreLinked) {
  for (int i = 0; i < 5; ++i) Put({"PK", "A", "SK", "S" + std::to_string(i)});
  Start();
  std::string start;
  for (int page = 0; page < 3; ++page) {
    const std::string reply =
        api.Ok("Query", R"({"TableName":"app","KeyConditionExpression":"PK = :p","Limit":2)" +
                            start + R"(,"ExpressionAttributeValues":{":p":{"S":"A"}}})");
    const std::string last = "S" + std::to_string(2 * page + 1);
    start = R"(,"ExclusiveStartKey":{"PK":{"S":"A"},"SK":{"S":")" + last + "\"}}";
  }
  const PatternMeasure pattern = PatternOfText(Read(), "Query app where PK = A, limit 2");
  EXPECT_EQ(pattern.calls, 1u);
  EXPECT_EQ(pattern.requests, 3u);
  EXPECT_EQ(pattern.call.items_returned.count(), 1u);
  EXPECT_EQ(pattern.call.items_returned.max(), 5);
  EXPECT_EQ(pattern.call.read_units.sum(), 1.5);
  EXPECT_EQ(pattern.page.items_returned.count(), 3u);
  EXPECT_EQ(pattern.pages_a_call.Percentile(0.5), 3);
}

// The threads number their tables in the order in which they first use them.
TEST_F(MeterPagesTest, PagesThatSeveralThreadsServeAreLinked) {
  CreateSimple("other");
  for (int i = 0; i < 3; ++i) Put({"PK", "A", "SK", "S" + std::to_string(i)});
  Start();
  const auto page = [&](const std::string& start) {
    api.Ok("Query", R"({"TableName":"app","KeyConditionExpression":"PK = :p","Limit":2)" + start +
                        R"(,"ExpressionAttributeValues":{":p":{"S":"A"}}})");
  };
  std::thread([&] { page(""); }).join();
  std::thread([&] {
    api.Ok("Scan", R"({"TableName":"other"})");
    page(R"(,"ExclusiveStartKey":{"PK":{"S":"A"},"SK":{"S":"S1"}})");
  }).join();
  const PatternMeasure pattern = PatternOfText(Read(), "Query app where PK = A, limit 2");
  EXPECT_EQ(pattern.calls, 1u);
  EXPECT_EQ(pattern.pages_a_call.max(), 2);
}

TEST_F(MeterPagesTest, PagesOfAStatementThatReadsSeveralRangesAreOneCall) {
  for (const char* const key : {"1", "2", "3"}) {
    for (int i = 0; i < 2; ++i) Put({"PK", key, "SK", "S" + std::to_string(i)});
  }
  Start();
  std::string token;
  int pages = 0;
  do {
    const std::string reply = api.Ok(
        "ExecuteStatement",
        R"({"Statement":"SELECT * FROM app WHERE PK IN ['1','2','3']","Limit":3)" + token + "}");
    const std::size_t at = reply.find(R"("NextToken":")");
    token = at == reply.npos ? "" : "," + reply.substr(at, reply.find('"', at + 13) + 1 - at);
    ++pages;
  } while (!token.empty());
  const Measurement measurement = Read();
  ASSERT_EQ(measurement.patterns.size(), 1u);
  EXPECT_GT(pages, 1);
  EXPECT_EQ(measurement.patterns[0].requests, static_cast<std::uint64_t>(pages));
  EXPECT_EQ(measurement.patterns[0].calls, 1u);
}

// Some programs go on at a key that no page ended at.
TEST_F(MeterPagesTest, ARequestThatContinuesNoPageIsACall) {
  for (int i = 0; i < 5; ++i) Put({"PK", "A", "SK", "S" + std::to_string(i)});
  Start();
  for (const char* const last : {"S0", "S2", "S2"}) {
    const std::string start = R"({"PK":{"S":"A"},"SK":{"S":")" + std::string(last) + "\"}}";
    api.Ok("Query", R"({"TableName":"app","KeyConditionExpression":"PK = :p","Limit":1,
      "ExpressionAttributeValues":{":p":{"S":"A"}},"ExclusiveStartKey":)" +
                        start + "}");
  }
  const PatternMeasure pattern = PatternOfText(Read(), "Query app where PK = A, limit 1");
  EXPECT_EQ(pattern.calls, 3u);
  EXPECT_EQ(pattern.call.items_returned.count(), 3u);
}

}  // namespace
}  // namespace hashrange
