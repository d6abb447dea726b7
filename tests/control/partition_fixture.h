// PartitionFixture: a database whose clock stands still, and the maps of tables "app" that the
// model cuts into one small partition.
#pragma once

#include <string>

#include "control/control_fixture.h"

namespace hashrange {

// One partition that serves two units a second, and saves the units of one second.
inline constexpr char kSmall[] =
    R"({"read_units":2,"write_units":2,"new_table_read_units":2,"new_table_write_units":2,)"
    R"("burst":"1s"})";

// Returns the demand of so many writes of one unit, served and throttled: "4.0".
inline std::string DemandOf(const std::string& served, const std::string& throttled) {
  return std::to_string(std::stoi(served) + std::stoi(throttled)) + ".0";
}

// Returns the only partition of a table or an index after so many writes of one unit.
inline std::string OnePartition(const std::string& served, const std::string& throttled) {
  return R"({"number":1,"parent":0,"cause":"beginning","began_epoch_ms":1767225600000,)"
         R"("ended_epoch_ms":0,"first_hash":"0000000000000000","last_hash":"ffffffffffffffff",)"
         R"("first_key":"","last_key":"","read_units":0.0,"write_units":)" +
         served + R"(.0,"read_demand":0.0,"write_demand":)" + DemandOf(served, throttled) +
         R"(,"throttled_reads":0,"throttled_writes":)" + throttled +
         R"(,"read_heat":0.0,"write_heat":0.0,"uncut":""})";
}
inline std::string OneSlice(const std::string& served, const std::string& throttled) {
  return R"([{"begin_epoch_ms":1767225600000,"partitions":[{"number":1,"read_units":0.0,)"
         R"("write_units":)" +
         served + R"(.0,"read_demand":0.0,"write_demand":)" + DemandOf(served, throttled) +
         R"(,"throttled_reads":0.0,"throttled_writes":)" + throttled + ".0}]}]";
}

// Returns the map of a table "app" with the parameters kSmall after four writes of one unit.
inline std::string MapAfterFourWrites(const std::string& table, const std::string& mode) {
  return R"({"table":")" + table + R"(","index":"","mode":")" + mode +
         R"(","began_epoch_ms":1767225600000,"read_limit":2.0,"write_limit":2.0,)"
         R"("partition_read_units":2.0,"partition_write_units":2.0,)"
         R"("throttles":[{"reason":"TableWriteKeyRangeThroughputExceeded","count":2}],)"
         R"("partitions":[)" +
         OnePartition("2", "2") + R"(],"slice_ms":1000,"slices":)" + OneSlice("2", "2") + "}";
}

class PartitionFixture : public ControlFixture {
 protected:
  PartitionFixture() { Post("clock", R"({"frozen":"2026-01-01T00:00:00Z"})"); }

  // Models the tables "app" with the parameters kSmall.
  void ModelSmall(const std::string& mode) {
    const std::string answer = Post(
        "partitions", R"({"table":"app","mode":")" + mode + R"(","parameters":)" + kSmall + "}");
    EXPECT_EQ(answer.substr(0, 4), "200 ") << answer;
  }
  int Put(const char* account = "000000000000") {
    return database_
        .Call("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"}}})", {account, "us-east-1"})
        .status;
  }
};

}  // namespace hashrange
