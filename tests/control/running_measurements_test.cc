// Tests of the partitions in the measurements that the control API gives.
#include <gtest/gtest.h>

#include <string>

#include "control/partition_fixture.h"

namespace hashrange {
namespace {

constexpr char kOther[] = "111122223333";

class RunningMeasurements : public PartitionFixture {
 protected:
  // Returns the member "partitions" of a measurement.
  std::string Measured(const char* method, const std::string& name = "m") {
    const std::string body = Control(method, "measurements/" + name);
    const std::size_t begin = body.find(R"("partitions":)"), end = body.find(R"(,"patterns":)");
    return begin < end ? body.substr(begin, end - begin) : body;
  }
  // Returns the values of all members of this name, in order: "2.0 1.0".
  static std::string Values(const std::string& json, const std::string& member) {
    const std::string start = "\"" + member + "\":";
    std::string values;
    for (std::size_t at = 0; (at = json.find(start, at)) != json.npos;) {
      at += start.size();
      values += (values.empty() ? "" : " ") + json.substr(at, json.find_first_of(",}]", at) - at);
    }
    return values;
  }
  // Checks the map of one partition that took `served` units in one slice, which began `begin_s`
  // after the model, and throttled one access.
  void HasOneSlice(const std::string& map, const std::string& served, std::int64_t begin_s) {
    EXPECT_EQ(Values(map, "write_units"), served + ".0 " + served + ".0") << map;
    EXPECT_EQ(Values(map, "throttled_writes"), "1 1.0") << map;
    EXPECT_EQ(Values(map, "count"), "1") << map;
    // The partition and the map began with the model.
    const std::string begins = Values(map, "began_epoch_ms");
    const std::int64_t began = std::stoll(begins);
    EXPECT_EQ(begins, std::to_string(began) + " " + std::to_string(began));
    EXPECT_EQ(Values(map, "begin_epoch_ms"), std::to_string(began + begin_s * 1000)) << map;
  }
  // Models a small table for a day, with a little traffic at its begin and at its end.
  void ModelForADay() {
    Ok("CreateTable", SimpleTable("app"));
    ModelSmall("watch");
    for (int i = 0; i < 3; ++i) Put();
    Post("clock", R"({"advance":"1d"})");
    for (int i = 0; i < 4; ++i) Put();
  }
};

TEST_F(RunningMeasurements, AMeasurementHasTheMapsOfItsTables) {
  for (const char* account : {"000000000000", kOther})
    Ok("CreateTable", SimpleTable("app"), account);
  Ok("CreateTable", SimpleTable("gone"));
  Post("measurements", R"({"name":"m"})");
  EXPECT_EQ(Measured("GET"), R"("partitions":[])");
  ModelSmall("watch");
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(Put(), 200);
    EXPECT_EQ(Put(kOther), 200);
  }
  Post("partitions", R"({"table":"gone","mode":"watch"})");
  Ok("PutItem", R"({"TableName":"gone","Item":{"k":{"S":"1"}}})");
  Ok("DeleteTable", R"({"TableName":"gone"})");
  const std::string maps = R"("partitions":[)" + MapAfterFourWrites("000000000000 app", "watch") +
                           "," + MapAfterFourWrites("111122223333 app", "watch") + "]";
  EXPECT_EQ(Measured("GET"), maps);
  EXPECT_EQ(Measured("DELETE"), maps);
}

TEST_F(RunningMeasurements, EachTableHasTheLimitsOfItsRule) {
  Ok("CreateTable", SimpleTable("app"));
  Ok("CreateTable", SimpleTable("other"));
  Post("measurements", R"({"name":"m"})");
  ModelSmall("watch");
  const std::string json = Control("GET", "measurements/m");
  EXPECT_NE(json.find(R"("partition_limits":{"read_units":2.0,"write_units":2.0,)"
                      R"("new_table_read_units":2.0,"new_table_write_units":2.0,)"
                      R"("quota_read_units":40000.0,"quota_write_units":40000.0})"),
            json.npos)
      << json;
  EXPECT_NE(json.find(R"("partition_limits":{"read_units":3000.0,"write_units":1000.0,)"
                      R"("new_table_read_units":12000.0,"new_table_write_units":4000.0,)"
                      R"("quota_read_units":40000.0,"quota_write_units":40000.0})"),
            json.npos)
      << json;
}

// One put a second in each of ten seconds, of a partition that serves two units a second.
TEST_F(RunningMeasurements, AReportSaysWhatTheRuleServes) {
  Ok("CreateTable", SimpleTable("app"));
  ModelSmall("watch");
  Post("measurements", R"({"name":"m"})");
  for (int i = 0; i < 10; ++i) {
    Put();
    Post("clock", R"({"advance":"1s"})");
  }
  const std::string json = Post("measurements/m/report", "{}");
  EXPECT_NE(json.find("at 2 calls/s of this mix: app, key k=1, writes (a partition serves 2 write "
                      "units here)"),
            json.npos)
      << json;
  EXPECT_EQ(json.find("1,000"), json.npos) << json;
}

TEST_F(RunningMeasurements, AMeasurementHasWhatHappenedSinceItBegan) {
  Ok("CreateTable", SimpleTable("app"));
  ModelSmall("watch");
  for (int i = 0; i < 4; ++i) Put();
  Post("clock", R"({"advance":"10s"})");
  Post("measurements", R"({"name":"m"})");
  Put();
  const std::string map = Measured("GET");
  EXPECT_NE(map.find(R"("write_units":1.0,"read_demand":0.0,"write_demand":1.0,)"
                     R"("throttled_reads":0,"throttled_writes":0,)"),
            map.npos)
      << map;
  EXPECT_NE(map.find(R"("slices":[{"begin_epoch_ms":1767225610000,"partitions":[)"
                     R"({"number":1,"read_units":0.0,"write_units":1.0,"read_demand":0.0,)"
                     R"("write_demand":1.0,"throttled_reads":0.0,"throttled_writes":0.0}]}]})"),
            map.npos)
      << map;
  // The rule ends, and its maps with it.
  Control("DELETE", "partitions");
  EXPECT_EQ(Measured("GET"), R"("partitions":[])");
}

// The slices of a model that is a day old are 1,024 seconds long.
TEST_F(RunningMeasurements, WhatHappenedBeforeInTheSameSliceIsNotMeasured) {
  ModelForADay();
  Post("measurements", R"({"name":"m"})");
  EXPECT_EQ(Values(Measured("GET"), "write_units"), "0.0");
  EXPECT_EQ(Values(Measured("GET"), "count"), "");
  Post("clock", R"({"advance":"1s"})");
  for (int i = 0; i < 3; ++i) Put();
  HasOneSlice(Measured("GET"), "2", 84 * 1024);
  HasOneSlice(Measured("DELETE"), "2", 84 * 1024);
}

TEST_F(RunningMeasurements, LongerSlicesAreMeasuredFromTheBegin) {
  ModelForADay();
  Post("measurements", R"({"name":"m"})");
  Post("clock", R"({"advance":"1s"})");
  for (int i = 0; i < 3; ++i) Put();
  // Now slices are 4,096 seconds long.
  Post("clock", R"({"advance":"4d"})");
  Put();
  const std::string map = Measured("GET");
  EXPECT_EQ(Values(map, "slice_ms"), "4096000") << map;
  EXPECT_EQ(Values(map, "write_units"), "3.0 2.0 1.0") << map;
  EXPECT_EQ(Values(map, "throttled_writes"), "1 1.0 0.0") << map;
}

TEST_F(RunningMeasurements, AClockThatIsSetBackChangesNothing) {
  ModelForADay();
  Post("measurements", R"({"name":"m"})");
  Post("clock", R"({"frozen":"2026-01-01T06:00:00Z"})");
  Put();
  Post("clock", R"({"advance":"1s"})");
  for (int i = 0; i < 2; ++i) Put();
  HasOneSlice(Measured("GET"), "2", 84 * 1024);
}

TEST_F(RunningMeasurements, AMeasurementThatBeginsAfterTheClockWasSetBackHasOnlyItsOwn) {
  ModelForADay();
  Post("clock", R"({"frozen":"2026-01-01T06:00:00Z"})");
  Put();
  Post("measurements", R"({"name":"m"})");
  Post("clock", R"({"advance":"1s"})");
  for (int i = 0; i < 3; ++i) Put();
  HasOneSlice(Measured("GET"), "2", 84 * 1024);
}

TEST_F(RunningMeasurements, ANewModelIsMeasuredFromItsBegin) {
  ModelForADay();
  Post("measurements", R"({"name":"m"})");
  ModelSmall("watch");
  for (int i = 0; i < 3; ++i) Put();
  HasOneSlice(Measured("GET"), "2", 0);
}

TEST_F(RunningMeasurements, ATableThatIsMadeLaterIsMeasuredFromItsBegin) {
  Post("measurements", R"({"name":"m"})");
  ModelForADay();
  EXPECT_EQ(Values(Measured("GET"), "write_units"), "4.0 2.0 2.0");
}

TEST_F(RunningMeasurements, EachMeasurementHasItsOwnBegin) {
  ModelForADay();
  Post("measurements", R"({"name":"m"})");
  Post("clock", R"({"advance":"10s"})");
  Put();
  Post("measurements", R"({"name":"later"})");
  EXPECT_EQ(Post("measurements", R"({"name":"m"})").substr(0, 3), "409");
  Put();
  EXPECT_EQ(Values(Measured("GET"), "write_units"), "2.0 2.0");
  EXPECT_EQ(Values(Measured("DELETE", "later"), "write_units"), "1.0 1.0");
  EXPECT_EQ(Values(Measured("GET"), "write_units"), "2.0 2.0");
  // A measurement of the same name begins anew.
  for (const char* const path : {"measurements/m", "measurements"}) {
    Control("DELETE", path);
    Post("measurements", R"({"name":"m"})");
    EXPECT_EQ(Values(Measured("GET"), "write_units"), "0.0");
    Post("clock", R"({"advance":"1s"})");
    Put();
    EXPECT_EQ(Values(Measured("GET"), "write_units"), "1.0 1.0");
  }
}

TEST_F(RunningMeasurements, AReportShowsThem) {
  Ok("CreateTable", SimpleTable("app"));
  Post("measurements", R"({"name":"m"})");
  const auto report = [this] { return Post("measurements/m/report", R"({"format":"text"})"); };
  Put();
  EXPECT_EQ(report().find("Partitions, modelled"), std::string::npos);
  ModelSmall("enforce");
  for (const int status : {200, 200, 400}) EXPECT_EQ(Put(), status);
  const std::string text = report();
  EXPECT_NE(
      text.find("Partitions, modelled\napp: 1 partition, 0 splits; a partition serves 2 read and "
                "2 write units here; throttled:\nTableWriteKeyRangeThroughputExceeded 1\n"),
      text.npos)
      << text;
}

}  // namespace
}  // namespace hashrange
