#include "measure/measurement_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/four_partitions.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

std::string JsonOf(const Measurement& measurement) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteMeasurement(measurement, writer);
  return std::string(out.view());
}

// Returns the sentence with which the text is refused; empty when it is read.
std::string Refusal(const std::string& text) {
  const auto read = ReadMeasurementText(text);
  return read.ok() ? "" : read.error().message;
}

// One of each part, with values that differ from the defaults.
Measurement SmallMeasurement() {
  Measurement measurement;
  measurement.name = "a \"name\"";
  measurement.only_tables = {"shop"};
  measurement.began_epoch_ms = 1'700'000'000'000;
  measurement.ended_epoch_ms = 1'700'000'060'000;
  measurement.tables = {{.account = "000000000000", .region = "us-east-1", .name = "shop"}};
  measurement.tables[0].hash = {"PK"};
  measurement.tables[0].partition_limits.write_units = 100;
  measurement.tables[0].indexes = {{.name = "GSI1", .hash = {"GSI1PK"}, .projection = "ALL"}};
  PatternMeasure pattern{.id = "0123456789ab", .operation = "Query"};
  pattern.members = {{.kind = "query", .table = "shop", .index = "GSI1"}};
  pattern.members[0].key = {{"GSI1PK", "=", "CUST#{customer_id}", ""}};
  pattern.calls = 3;
  pattern.call.read_units.Add(0.5, 2);
  pattern.call.read_units.Add(130);
  pattern.units = {{"shop", "GSI1", 131, 0}};
  measurement.patterns = {pattern};
  measurement.resources = {{.table = "shop", .index = "GSI1", .read_units = 131}};
  measurement.resources[0].read_keys = {131, 0.5, {{"GSI1PK=CUST#1", "GSI1PK=CUST#{…}", 131, 1}}};
  measurement.resources[0].heat_over_time = {{1'700'000'000'000, {1, 2}, {0, 0.5}}};
  measurement.partitions = {FourPartitions(1'700'000'000'000)};
  measurement.time = {1000, {{.begin_epoch_ms = 1'700'000'000'000, .calls = 3}}};
  return measurement;
}

TEST(MeasurementJson, IsReadAsItWasWritten) {
  const std::string json = JsonOf(SmallMeasurement());
  auto read = ReadMeasurementText(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(JsonOf(*read), json);
  EXPECT_EQ(read->patterns[0].call.read_units, SmallMeasurement().patterns[0].call.read_units);
}

TEST(MeasurementJson, EqualHeatOfNeighboursIsOneRun) {
  Measurement measurement;
  measurement.resources = {{.table = "shop"}};
  std::vector<HeatRange>& heat = measurement.resources[0].heat;
  for (std::uint32_t range = 0; range < kHashRanges; ++range) heat.push_back({range, 0.25, 0});
  heat[7].write_units = 1;
  heat.erase(heat.begin() + 100);
  const std::string json = JsonOf(measurement);
  EXPECT_NE(json.find(R"("heat":[{"first":0,"last":6,"read_units":0.25,"write_units":0.0},)"
                      R"({"first":7,"last":7,"read_units":0.25,"write_units":1.0},)"
                      R"({"first":8,"last":99,"read_units":0.25,"write_units":0.0},)"
                      R"({"first":101,"last":4095,"read_units":0.25,"write_units":0.0}],)"),
            json.npos)
      << json;
  auto read = ReadMeasurementText(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->resources[0].heat.size(), kHashRanges - 1);
  EXPECT_EQ(read->resources[0].heat[7].write_units, 1);
  EXPECT_EQ(read->resources[0].heat[100].range, 101u);
  EXPECT_EQ(JsonOf(*read), json);
}

TEST(MeasurementJson, MissingMembersKeepTheirDefaultsAndUnknownOnesAreIgnored) {
  auto read = ReadMeasurementText(R"({"version":2,"later":[1],"tables":[{"name":"t"}]})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  Measurement expected;
  expected.tables = {{.name = "t"}};
  EXPECT_EQ(JsonOf(*read), JsonOf(expected));
}

TEST(MeasurementJson, ErrorsNameTheMember) {
  struct Case {
    std::string json;
    std::string sentence;
  };
  const Case cases[] = {
      {R"({"version":1,"resources":[{"heat":[{"range":1}]}]})",
       "This is a measurement of version 1, of an earlier Hashrange; this one reads version 2."},
      {R"({"version":3})",
       "This is a measurement of version 3, of a later Hashrange; this one reads version 2."},
      {"[]", "This is no measurement: it has no \"version\"."},
      {"{}", "This is no measurement: it has no \"version\"."},
      {R"({"version":"1"})", "\"version\" is not a whole number."},
      {R"({"version":2,"patterns":{}})", "\"patterns\" is not a list."},
      {R"({"version":2,"patterns":[{"calls":-1}]})",
       "\"patterns[0].calls\" is not a whole number of 0 or more."},
      {R"({"version":2,"tables":[{"items":-1}]})",
       "\"tables[0].items\" is not a whole number of 0 or more."},
      {R"({"version":2,"resources":[{"read_units":-0.5}]})",
       "\"resources[0].read_units\" is not a number from 0 to 1e15."},
      {R"({"version":2,"resources":[{"write_units":1.1e15}]})",
       "\"resources[0].write_units\" is not a number from 0 to 1e15."},
      {R"({"version":2,"patterns":[{"call":{"read_units":{"sum":1e300,"buckets":[]}}}]})",
       "\"patterns[0].call.read_units.sum\" is not a number from 0 to 1e15."},
      {R"({"version":2,"patterns":[{"call":{"read_units":{"max":-1,"buckets":[]}}}]})",
       "\"patterns[0].call.read_units.max\" is not a number from 0 to 1e15."},
      {R"({"version":2,"patterns":[{"call":{"read_units":{"buckets":[[1e300,1]]}}}]})",
       "\"patterns[0].call.read_units.buckets\" is not a list of pairs of a value and a count."},
      {R"({"version":2,"patterns":[{"call":{"read_units":{}}}]})",
       "\"patterns[0].call.read_units.buckets\" is not a list."},
      {R"({"version":2,"patterns":[{"call":{"read_units":{"buckets":[[2,1],[1,1]]}}}]})",
       "\"patterns[0].call.read_units.buckets\" is not a list with ascending values."},
      {R"({"version":2,"resources":[{"heat":[{"first":0,"last":4096}]}]})",
       "\"resources[0].heat\" is not a list of ascending runs of ranges below 4096."},
      {R"({"version":2,"resources":[{"heat":[{"first":4,"last":3}]}]})",
       "\"resources[0].heat\" is not a list of ascending runs of ranges below 4096."},
      {R"({"version":2,"resources":[{"heat":[{"first":0,"last":3},{"first":3,"last":4}]}]})",
       "\"resources[0].heat\" is not a list of ascending runs of ranges below 4096."},
      {R"({"version":2,"tables":[{"indexes":[{"is_local":1}]}]})",
       "\"tables[0].indexes[0].is_local\" is not a boolean."},
  };
  for (const Case& each : cases) EXPECT_EQ(Refusal(each.json), each.sentence) << each.json;
}

TEST(MeasurementJson, WhatPartitionsServeIsUsualWhereItIsMissing) {
  const std::string version = R"({"version":2,"tables":[{"name":"shop")";
  const auto old = ReadMeasurementText(version + "}]}");
  ASSERT_TRUE(old.ok()) << old.error().message;
  EXPECT_EQ(old->tables[0].partition_limits.write_units, 1000);
  EXPECT_EQ(old->tables[0].partition_limits.quota_read_units, 40'000);
  const auto other = ReadMeasurementText(version + R"(,"partition_limits":{"write_units":10}}]})");
  ASSERT_TRUE(other.ok()) << other.error().message;
  EXPECT_EQ(other->tables[0].partition_limits.write_units, 10);
  EXPECT_EQ(other->tables[0].partition_limits.read_units, 3000);
  EXPECT_EQ(Refusal(version + R"(,"partition_limits":{"read_units":0}}]})"),
            R"("tables[0].partition_limits.read_units" is not a number of 1 or more.)");
}

TEST(MeasurementJson, TimesAreInOrder) {
  struct Case {
    std::string time;
    std::string sentence;
  };
  const Case cases[] = {
      {R"("bucket_ms":60000,"buckets":[{"begin_epoch_ms":60000},{"begin_epoch_ms":0}])",
       "\"time.buckets\" is not a list of ascending buckets."},
      {R"("bucket_ms":60000,"buckets":[{"begin_epoch_ms":0},{"begin_epoch_ms":0}])",
       "\"time.buckets\" is not a list of ascending buckets."},
      {R"("bucket_ms":0,"buckets":[{"begin_epoch_ms":0}])",
       "\"time.bucket_ms\" is not a length of buckets above 0."},
      {R"("bucket_ms":60000,"buckets":[{"begin_epoch_ms":253402300800000}])",
       "\"time.buckets[0].begin_epoch_ms\" is not a time before the year 10000."},
      {R"("bucket_ms":60000,"buckets":[{"begin_epoch_ms":-1}])",
       "\"time.buckets[0].begin_epoch_ms\" is not a whole number of 0 or more."},
      {R"("bucket_ms":9000000000000000000)",
       "\"time.bucket_ms\" is not a time before the year 10000."},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(Refusal(R"({"version":2,"time":{)" + each.time + "}}"), each.sentence) << each.time;
  }
  EXPECT_EQ(Refusal(R"({"version":2,"time":{"bucket_ms":0,"buckets":[]}})"), "");
  EXPECT_EQ(Refusal(R"({"version":2,"ended_epoch_ms":253402300799999,"time":{"bucket_ms":1000,)"
                    R"("buckets":[{"begin_epoch_ms":0},{"begin_epoch_ms":5000}]}})"),
            "");
}

// A file without partitions is one of a measurement in which none was modelled.
TEST(MeasurementJson, PartitionsMayBeMissing) {
  const auto read = ReadMeasurementText(R"({"version":2})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->partitions.empty());
}

TEST(MeasurementJson, EveryMemberOfAPartitionIsKept) {
  Measurement measurement;
  measurement.partitions = {FourPartitions(60'000)};
  PartitionMap& map = measurement.partitions[0];
  map.slices.erase(map.slices.begin() + 1, map.slices.end());
  map.slices[0].partitions.resize(1);
  map.partitions.resize(1);
  map.partitions[0].first_key = "PK=A, SK=1";
  map.partitions[0].last_key = "PK=B, SK=2";
  const std::string json = JsonOf(measurement);
  const std::string expected =
      R"("partitions":[{"table":"shop","index":"","mode":"enforce","began_epoch_ms":60000,)"
      R"("read_limit":12000.0,"write_limit":4000.0,"partition_read_units":3000.0,)"
      R"("partition_write_units":1000.0,"throttles":[{"reason":)"
      R"("TableWriteKeyRangeThroughputExceeded","count":900}],"partitions":[{"number":1,)"
      R"("parent":0,"cause":"beginning","began_epoch_ms":60000,"ended_epoch_ms":0,)"
      R"("first_hash":"0000000000000000","last_hash":"3fffffffffffffff",)"
      R"("first_key":"PK=A, SK=1","last_key":"PK=B, SK=2","read_units":300.0,)"
      R"("write_units":114000.0,"read_demand":300.0,"write_demand":114900.0,"throttled_reads":0,"throttled_writes":900,"read_heat":0.0,)"
      R"("write_heat":0.95,"uncut":"order"}],"slice_ms":60000,"slices":[{)"
      R"("begin_epoch_ms":60000,"partitions":[{"number":1,"read_units":150.0,)"
      R"("write_units":57000.0,"read_demand":150.0,"write_demand":57450.0,"throttled_reads":0.0,"throttled_writes":450.0}]}]}])";
  EXPECT_NE(json.find(expected), json.npos) << json;
  const auto read = ReadMeasurementText(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(JsonOf(*read), json);
}

TEST(MeasurementJson, AMapOfPartitionsIsWrittenAndReadByItself) {
  OutputBuffer out;
  JsonWriter writer(out);
  WritePartitionMap(FourPartitions(60'000), writer);
  const auto json = OwnedJson::Parse(std::string(out.view()), JsonDialect::kStrict);
  ASSERT_TRUE(json.ok());
  const auto read = ReadPartitionMap(json->value());
  ASSERT_TRUE(read.ok());
  OutputBuffer again;
  JsonWriter second(again);
  WritePartitionMap(*read, second);
  EXPECT_EQ(again.view(), out.view());
  const auto wrong = ReadPartitionMap(JsonValue::String("map"));
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message, "This is no map of partitions.");
  const auto bad = OwnedJson::Parse(R"({"partitions":[{"number":0}]})", JsonDialect::kStrict);
  ASSERT_TRUE(bad.ok());
  const auto refused = ReadPartitionMap(bad->value());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "\"partitions[0].number\" is not above 0 and above the number before it.");
}

// A file from before the demand was counted: what was served stands for it.
TEST(MeasurementJson, DemandMayBeMissing) {
  const auto read = ReadMeasurementText(
      R"({"version":2,"partitions":[{"partitions":[{"number":1,"first_hash":"0000000000000000",)"
      R"("last_hash":"ffffffffffffffff","read_units":3,"write_units":4}],"slice_ms":1,"slices":)"
      R"([{"partitions":[{"number":1,"read_units":1,"write_units":2}]}]}]})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const PartitionMap& map = read->partitions[0];
  EXPECT_EQ(map.partitions[0].read_demand, 3);
  EXPECT_EQ(map.partitions[0].write_demand, 4);
  EXPECT_EQ(map.slices[0].partitions[0].read_demand, 1);
  EXPECT_EQ(map.slices[0].partitions[0].write_demand, 2);
}

TEST(MeasurementJson, PartitionsAreInOrder) {
  struct Case {
    std::string map;
    std::string sentence;
  };
  const std::string all = R"("first_hash":"0000000000000000","last_hash":"ffffffffffffffff")";
  const Case cases[] = {
      {R"("partitions":[{"number":0}])",
       "\"partitions[0].partitions[0].number\" is not above 0 and above the number before it."},
      {R"("partitions":[{"number":1,)" + all + R"(},{"number":1}])",
       "\"partitions[0].partitions[1].number\" is not above 0 and above the number before it."},
      {R"("partitions":[{"number":1,"parent":1,)" + all + "}]",
       "\"partitions[0].partitions[0].parent\" is not 0 or a number below its own."},
      {R"("partitions":[{"number":1,"parent":2,)" + all + R"(},{"number":2}])",
       "\"partitions[0].partitions[0].parent\" is not 0 or a number below its own."},
      {R"("partitions":[{"number":1,"first_hash":"12"}])",
       "\"partitions[0].partitions[0].first_hash\" is not 16 hexadecimal digits."},
      {R"("partitions":[{"number":1,"first_hash":"0000000000000000","last_hash":"x"}])",
       "\"partitions[0].partitions[0].last_hash\" is not 16 hexadecimal digits."},
      {R"("partitions":[{"number":1,"throttled_reads":-1}])",
       "\"partitions[0].partitions[0].throttled_reads\" is not a whole number of 0 or more."},
      {R"("partitions":[{"number":1,"read_heat":1e300}])",
       "\"partitions[0].partitions[0].read_heat\" is not a number from 0 to 1e15."},
      {R"("slices":[{"begin_epoch_ms":1}])",
       "\"partitions[0].slice_ms\" is not a length of slices above 0."},
      {R"("slice_ms":1,"slices":[{"begin_epoch_ms":1},{"begin_epoch_ms":1}])",
       "\"partitions[0].slices[1].begin_epoch_ms\" is not after the begin of the slice before it."},
      {R"("slice_ms":1,"slices":[{"partitions":[{"number":2},{"number":2}]}])",
       "\"partitions[0].slices[0].partitions\" is not a list of ascending numbers."},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(Refusal(R"({"version":2,"partitions":[{)" + each.map + "}]}"), each.sentence);
  }
}

// Returns a list of so many elements, in which "N" stands for the number of the element.
std::string ListOf(std::size_t count, const std::string& element) {
  std::string list = "[";
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = element;
    for (std::size_t at; (at = text.find('N')) != text.npos;) {
      text.replace(at, 1, std::to_string(i));
    }
    list += (i > 0 ? "," : "") + text;
  }
  return list + "]";
}

// The time of some questions grows with the product of two lists, and so does their memory.
TEST(MeasurementJson, ListsAreBounded) {
  const auto sentence = [](const std::string& members) {
    return Refusal(R"({"version":2,)" + members + "}");
  };
  const auto patterns = [](std::size_t count, const std::string& members) {
    return R"("patterns":)" + ListOf(count, "{" + members + "}");
  };
  EXPECT_EQ(sentence(patterns(2000, R"("text":"N")")), "");
  EXPECT_EQ(sentence(patterns(2001, "")),
            "\"patterns\" has 2001 elements, and a measurement may have 2000 there.");
  EXPECT_EQ(sentence(R"("tables":)" + ListOf(1001, "{}")),
            "\"tables\" has 1001 elements, and a measurement may have 1000 there.");
  const std::string indexes = R"("indexes":)" + ListOf(500, "{}");
  EXPECT_EQ(sentence(R"("tables":)" + ListOf(2, "{" + indexes + "}")), "");
  EXPECT_EQ(sentence(R"("tables":[{"indexes":[{}]},{)" + indexes + "},{" + indexes + "}]"),
            "The tables of a measurement have at most 1000 indexes in all.");
  EXPECT_EQ(sentence(R"("entities":)" + ListOf(10'001, "{}")),
            "\"entities\" has 10001 elements, and a measurement may have 10000 there.");
  const std::string errors = R"("errors":)" + ListOf(99, "{}");
  EXPECT_EQ(sentence(patterns(2000, errors)), "");
  EXPECT_EQ(sentence(R"("sequences":[{}],)" + patterns(2000, errors)),
            "The lists of a measurement have at most 200000 elements in all.");
}

// Eleven tables and indexes with heat in each of 1,440 buckets of time, which is what the meter
// keeps at most, are a measurement that a file may have.
TEST(MeasurementJson, HeatOverTimeOfManyTablesIsRead) {
  const HeatSlice slice = {.begin_epoch_ms = 1'700'000'000'000,
                           .read_units = std::vector<double>(32, 1),
                           .write_units = std::vector<double>(32, 0)};
  Measurement measurement = SmallMeasurement();
  measurement.resources.assign(11, {.heat_over_time = std::vector<HeatSlice>(1440, slice)});
  EXPECT_EQ(Refusal(JsonOf(measurement)), "");
  measurement.resources[3].heat_over_time[7].write_units.push_back(0);
  EXPECT_EQ(Refusal(JsonOf(measurement)),
            "\"resources[3].heat_over_time[7].write_units\" has 33 elements, and a measurement may "
            "have 32 there.");
}

// What a database of the same process has measured is never too long.
TEST(MeasurementJson, OwnMeasurementHasNoBounds) {
  Measurement measurement;
  measurement.tables.resize(1001);
  for (TableMeasure& table : measurement.tables) table.indexes.resize(2);
  measurement.entities.resize(10'001);
  measurement.patterns.resize(2001);
  for (PatternMeasure& pattern : measurement.patterns) pattern.errors.resize(99);
  for (std::size_t i = 0; i < 2001; ++i) {
    measurement.other_errors.push_back({.name = "error " + std::to_string(i)});
  }
  const std::string json = JsonOf(measurement);
  EXPECT_NE(Refusal(json), "");
  const auto read = ReadOwnMeasurement(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(JsonOf(*read), json);
}

TEST(MeasurementJson, WhatIsCountedByNameHasBoundedNames) {
  const std::string most = R"({"version":2,"resources":)" + ListOf(1000, R"({"table":"N"})") +
                           R"(,"patterns":[{"units":)" + ListOf(1000, R"({"table":"N"})") +
                           R"(,"callers":)" + ListOf(999, R"({"name":"callerN"})");
  EXPECT_EQ(Refusal(most + R"(,"errors":[{"name":"one more"}]}]})"), "");
  EXPECT_EQ(Refusal(most + R"(,"errors":[{"name":"one more"}],"throttles":[{"name":"two"}]}]})"),
            "A measurement names at most 2000 tables, indexes, errors and callers in all.");
}

}  // namespace
}  // namespace hashrange
