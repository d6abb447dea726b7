// Tests of the partitions in the measurements that the control API gives.
#include <gtest/gtest.h>

#include <string>

#include "control/partition_fixture.h"

namespace hashrange {
namespace {

constexpr char kOther[] = "111122223333";

class MeasuredPartitions : public PartitionFixture {
 protected:
  // Returns the member "partitions" of a measurement.
  std::string Measured(const char* method) {
    const std::string body = Control(method, "measurements/m");
    const std::size_t begin = body.find(R"("partitions":)"), end = body.find(R"(,"patterns":)");
    return begin < end ? body.substr(begin, end - begin) : body;
  }
};

TEST_F(MeasuredPartitions, AMeasurementHasTheMapsOfItsTables) {
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

TEST_F(MeasuredPartitions, AMeasurementHasWhatHappenedSinceItBegan) {
  Ok("CreateTable", SimpleTable("app"));
  ModelSmall("watch");
  for (int i = 0; i < 4; ++i) Put();
  Post("clock", R"({"advance":"10s"})");
  Post("measurements", R"({"name":"m"})");
  Put();
  const std::string map = Measured("GET");
  EXPECT_NE(map.find(R"("write_units":1.0,"throttled_reads":0,"throttled_writes":0,)"), map.npos)
      << map;
  EXPECT_NE(map.find(R"("slices":[{"begin_epoch_ms":1767225610000,"partitions":[)"
                     R"({"number":1,"read_units":0.0,"write_units":1.0,"throttled_reads":0.0,)"
                     R"("throttled_writes":0.0}]}]})"),
            map.npos)
      << map;
  // The rule ends, and its maps with it.
  Control("DELETE", "partitions");
  EXPECT_EQ(Measured("GET"), R"("partitions":[])");
}

TEST_F(MeasuredPartitions, AReportShowsThem) {
  Ok("CreateTable", SimpleTable("app"));
  Post("measurements", R"({"name":"m"})");
  const auto report = [this] { return Post("measurements/m/report", R"({"format":"text"})"); };
  Put();
  EXPECT_EQ(report().find("Partitions, modelled"), std::string::npos);
  ModelSmall("enforce");
  for (const int status : {200, 200, 400}) EXPECT_EQ(Put(), status);
  const std::string text = report();
  EXPECT_NE(text.find("Partitions, modelled\napp: 1 partition, 0 splits; throttled: "
                      "TableWriteKeyRangeThroughputExceeded 1\n"),
            text.npos)
      << text;
}

}  // namespace
}  // namespace hashrange
