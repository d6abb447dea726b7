#include "lab/endpoint/endpoint_twin.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/plan/layout_plan.h"
#include "lab/run/run_file.h"

namespace hashrange {
namespace {

constexpr const char* kThings = R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 1/s}}
layouts: {only: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
)";

class EndpointTwinTest : public testing::Test {
 protected:
  EndpointTwinTest() { EXPECT_TRUE(database_.MakeTables(PlanOf(file_), 1).ok()); }

  double Take(const std::string& operation, const std::string& body, const std::string& answer,
              bool met_write = false) {
    const EndpointAnswer read({.status = 200, .body = answer, .error = {}, .message = {}});
    return twin_.Take(
        {.operation = operation, .body = body, .answer = read, .met_write = met_write}, counts_);
  }

  std::string Counts() const {
    std::string text;
    for (const std::uint64_t count :
         {counts_.compared, counts_.different, counts_.uncertain, counts_.not_comparable,
          counts_.unreported, counts_.twin_refused}) {
      text += std::to_string(count) + " ";
    }
    return text + std::to_string(counts_.reported_units) + " " + std::to_string(counts_.twin_units);
  }

  const LabFile file_ = FileOf(kThings);
  LayoutDatabase database_{file_, file_.layouts[0], nullptr};
  EndpointTwin twin_{database_};
  UnitComparison counts_ = {};
};

constexpr const char* kPut =
    R"({"TableName":"things","Item":{"PK":{"S":"1"}},"ReturnConsumedCapacity":"TOTAL"})";
constexpr const char* kGet =
    R"({"TableName":"things","Key":{"PK":{"S":"1"}},"ReturnConsumedCapacity":"TOTAL"})";

TEST_F(EndpointTwinTest, TheSameUnitsAreNoDifference) {
  EXPECT_EQ(Take("PutItem", kPut, R"({"ConsumedCapacity":{"CapacityUnits":1}})"), 1);
  EXPECT_EQ(Take("GetItem", kGet, R"({"ConsumedCapacity":{"CapacityUnits":0.5}})"), 0.5);
  EXPECT_EQ(Counts(), "2 0 0 0 0 0 1.500000 1.500000");
}

TEST_F(EndpointTwinTest, TheFirstCertainDifferenceIsTheExample) {
  EXPECT_EQ(Take("PutItem", kPut, R"({"ConsumedCapacity":{"CapacityUnits":3}})", true), 3);
  EXPECT_TRUE(counts_.first_difference.starts_with("PutItem {")) << counts_.first_difference;
  Take("GetItem", kGet, R"({"ConsumedCapacity":{"CapacityUnits":2}})");
  Take("GetItem", kGet, R"({"ConsumedCapacity":{"CapacityUnits":4}})");
  EXPECT_EQ(Counts(), "3 3 1 0 0 0 9.000000 2.000000");
  EXPECT_EQ(counts_.first_difference,
            std::string("GetItem ") + kGet + ": the endpoint reported 2, the twin took 0.5");
}

TEST_F(EndpointTwinTest, WhereNoUnitsAreReportedTheTwinsCount) {
  EXPECT_EQ(Take("PutItem", kPut, "{}"), 1);
  EXPECT_EQ(Counts(), "0 0 0 0 1 0 0.000000 0.000000");
}

TEST_F(EndpointTwinTest, PagesOfAScanAreNotCompared) {
  const std::string scan = R"({"TableName":"things","ReturnConsumedCapacity":"TOTAL"})";
  EXPECT_EQ(
      Take("Scan", scan,
           R"({"ConsumedCapacity":{"CapacityUnits":128},"LastEvaluatedKey":{"PK":{"S":"1"}}})"),
      128);
  EXPECT_EQ(Counts(), "0 0 0 1 0 0 0.000000 0.000000");
  EXPECT_EQ(Take("Scan", scan, R"({"ConsumedCapacity":{"CapacityUnits":128}})"), 128);
  EXPECT_EQ(Counts(), "1 1 0 1 0 0 128.000000 0.500000");
}

TEST_F(EndpointTwinTest, OfABatchTheTwinWritesWhatWasProcessed) {
  const std::string batch =
      R"({"RequestItems":{"things":[{"PutRequest":{"Item":{"PK":{"S":"1"}}}},)"
      R"({"PutRequest":{"Item":{"PK":{"S":"2"}}}}]},"ReturnConsumedCapacity":"TOTAL"})";
  EXPECT_EQ(Take("BatchWriteItem", batch,
                 R"({"UnprocessedItems":{"things":[{"PutRequest":{"Item":{"PK":{"S":"1"}}}}]},)"
                 R"("ConsumedCapacity":[{"TableName":"things","CapacityUnits":1}]})"),
            1);
  EXPECT_EQ(Counts(), "0 0 0 1 0 0 0.000000 0.000000");
  const auto items = database_.database().Call("Scan", R"({"TableName":"things"})");
  EXPECT_EQ(items.body, R"({"Items":[{"PK":{"S":"2"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(EndpointTwinTest, ARequestThatTheTwinRefusesIsCounted) {
  EXPECT_EQ(Take("GetItem", R"({"TableName":"none","Key":{"PK":{"S":"1"}}})",
                 R"({"ConsumedCapacity":{"CapacityUnits":2}})"),
            2);
  EXPECT_EQ(Counts(), "0 0 0 0 0 1 0.000000 0.000000");
}

LabLayout Layout() {
  LabLayout layout;
  layout.tables.resize(2);
  layout.tables[0].name = "t";
  layout.tables[0].hash = {"PK"};
  layout.tables[0].range = {"SK"};
  layout.tables[1].name = "u";
  layout.tables[1].hash = {"id"};
  return layout;
}

constexpr const char* kRequest =
    R"({"RequestItems":{"t":[{"PutRequest":{"Item":{"x":{"N":"1"},"PK":{"S":"a"},"SK":{"S":"1"}}}},)"
    R"({"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}}],)"
    R"("u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]},"ReturnConsumedCapacity":"TOTAL"})";

TEST(BatchPart, WhatIsUnprocessedIsLeftOut) {
  EXPECT_EQ(ProcessedPart(
                kRequest,
                R"({"t":[{"PutRequest":{"Item":{"SK":{"S":"1"},"PK":{"S":"a"},"x":{"N":"1"}}}}]})",
                Layout()),
            R"({"RequestItems":{"t":[{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}}],)"
            R"("u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]},"ReturnConsumedCapacity":"TOTAL"})");
  EXPECT_EQ(
      ProcessedPart(kRequest,
                    R"({"t":[{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"2"}}}},)"
                    R"({"PutRequest":{"Item":{"SK":{"S":"1"},"PK":{"S":"a"},"x":{"N":"1"}}}}]})",
                    Layout()),
      R"({"RequestItems":{"u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]},)"
      R"("ReturnConsumedCapacity":"TOTAL"})");
}

TEST(BatchPart, NothingIsLeftOfABatchThatWasNotProcessed) {
  EXPECT_EQ(ProcessedPart(R"({"RequestItems":{"u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]}})",
                          R"({"u":[{"PutRequest":{"Item":{"id":{"S":"7"}}}}]})", Layout()),
            "");
  EXPECT_EQ(ProcessedPart("{", "{}", Layout()), "");
}

}  // namespace
}  // namespace hashrange
