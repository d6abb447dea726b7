#include "lab/report/lab_growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/memory/output_buffer.h"
#include "lab/report/lab_warm_up.h"
#include "lab/run/run_file.h"
#include "measure/report/terminal_text.h"
#include "support/golden_text.h"
#include "support/json_in_lines.h"

namespace hashrange {
namespace {

// Readings of 1,010 bytes or so of one device, one each second.
std::string DeviceFile(const std::string& table) {
  return R"(
lab: 1
entities:
  Device: {count: 1, attributes: {device_id: {sequence: 2}}}
  Reading: {of: Device, count: 0, attributes: {at: {time: {past: 1d}}, value: {text: 920}}}
access_patterns:
  read: {create: Reading, rate: 1/s}
  readings of a day: {query: Reading, by: [device_id], range: {at: {last: 1d}}, rate: 0.001/s}
layouts:
  one: {tables: {app: )" +
         table + "}}\n";
}

struct GrowthCase {
  const char* table;
  std::vector<std::string> sentences;
};

// A reading has device_id 9 + 2, at 2 + 24, value 5 + 920 and entityType 10 + 7 bytes: 979. There
// are 2,628,000 a month, so that 10 GB are passed after 4.17 months, or after 2.1 with an entry of
// 962 bytes in a local index.
TEST(LabGrowth, CollectionsAboveTenGigabytesAreTold) {
  const GrowthCase kCases[] = {
      {"{key: [device_id, at], items: {Reading: {}}}",
       {"app: the largest item collection, device_id={device_id}, passes 10 GB after 4.17 months, "
        "more than one partition holds; the service cuts it by the sort key."}},
      {"{key: [device_id, at], indexes: {LSI1: {key: [device_id, value], local: true, projection: "
       "keys_only}}, items: {Reading: {}}}",
       {"app: the largest item collection, device_id={device_id}, passes 10 GB after 2.1 months; "
        "the table has a local index, so writes that make it larger fail from then on "
        "(ItemCollectionSizeLimitExceededException)."}},
      {"{key: [device_id, at], ttl: at, items: {Reading: {}}}",
       {"app: the largest item collection, device_id={device_id}, passes 10 GB after 4.17 months, "
        "more than one partition holds; the service cuts it by the sort key."}},
  };
  for (const GrowthCase& one : kCases) {
    const LabFile file = FileOf(DeviceFile(one.table));
    ASSERT_EQ(file.layouts.size(), 1u) << one.table;
    const auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
    ASSERT_TRUE(growth.ok());
    const auto grown = GrownLayoutOf(file, "one", *growth);
    ASSERT_TRUE(grown);
    EXPECT_EQ(GrowthSentences(*grown), one.sentences) << one.table;
  }
}

TEST(LabGrowth, FiguresAndSentencesAreShown) {
  const LabFile file = FileOf(DeviceFile("{key: [device_id, at], items: {Reading: {}}}"));
  const auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
  ASSERT_TRUE(growth.ok());
  const auto grown = GrownLayoutOf(file, "one", *growth);
  ASSERT_TRUE(grown);
  const std::vector<ReportSection> sections = {
      {.heading = std::string(kGrowthHeading), .parts = PartsOfGrowth({*grown}, kMostGrownInText)}};
  ExpectGolden("tests/lab/report/golden/growth.txt", TerminalText(sections, {.columns = 100}));
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  WriteGrowthMember(grown, writer);
  writer.EndObject();
  ExpectGolden("tests/lab/report/golden/growth.json", InLines(std::string(out.view())));
}

// Writes of 1 unit, 2,628,000 a month, at US$ 0.625 a million; 2,628 reads of the 86,400 readings
// of a day, each of about 86,400 × 979 ÷ 8,192 units, at US$ 0.125 a million; stored are 2,628,000
// × 1,079 bytes each month, of which the first 25 GB are free and others cost US$ 0.25.
TEST(LabGrowth, AMonthIsOfTheTrafficAndWhatIsStoredByThen) {
  const LabFile file = FileOf(DeviceFile("{key: [device_id, at], items: {Reading: {}}}"));
  const auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
  ASSERT_TRUE(growth.ok());
  const std::vector<GrowthCost> costs = CostsOfGrowth(*GrownLayoutOf(file, "one", *growth));
  ASSERT_EQ(costs.size(), 4u);
  const double gigabytes_a_month = 2'628'000.0 * 1079 / (1 << 30);
  for (const GrowthCost& cost : costs) {
    const double storage = std::max(0.0, gigabytes_a_month * cost.months - 25) * 0.25;
    EXPECT_NEAR(cost.storage_usd, storage, 0.001) << cost.months;
    const double reads = 2628 * (cost.months == 0 ? 36.1 : 10'381.5) * 0.125e-6;
    EXPECT_NEAR(cost.month_usd, storage + 1.6425 + reads, 0.001) << cost.months;
    EXPECT_EQ(cost.units_above_capacity, 0);
  }
}

std::vector<std::string> WarmUpOf(const std::string& devices, const std::string& rate,
                                  const std::string& more = "") {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Device: {count: )" + devices +
                              R"(, attributes: {device_id: {sequence: 6}}}
  Reading: {of: Device, count: 0, attributes: {at: {time: {past: 1d}}}}
access_patterns:
  read: {create: Reading, rate: )" +
                              rate + R"(}
layouts:
  one: {tables: {app: {key: [device_id, at], items: {Reading: {}}}}}
)" + more);
  const auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
  return WarmUpSentences(*GrownLayoutOf(file, "one", *growth));
}

// A new table has 4 partitions for 1,000 write units each. A cut takes 5 minutes of heat, and 1 to
// 5 minutes more.
TEST(LabWarmUp, RatesAboveTheFirstPartitionsNeedCuts) {
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(WarmUpOf("1000000", "3900/s"), Sentences());
  EXPECT_EQ(WarmUpOf("1000000", "5000/s"),
            Sentences{"app, writes: the hottest key range of a new table gets 1.25 × what one "
                      "partition serves. By the model, a cut helps after 6 to 10 minutes of such "
                      "traffic; until then it throttles."});
  EXPECT_EQ(WarmUpOf("1", "900/s"), Sentences());
  EXPECT_EQ(WarmUpOf("1", "1500/s"),
            Sentences{"app, writes: one key gets 1.5 × what one partition serves. By the model, a "
                      "cut inside of its item collection helps after 6 to 10 minutes of such "
                      "traffic, unless the calls are for one item or for sort keys that rise."});
}

// Partitions feel two thirds of reads that are eventually consistent, but the table serves 12,000
// units in all.
TEST(LabWarmUp, EventuallyConsistentReadsCountInFullForTheTable) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Device: {count: 1000000, attributes: {device_id: {sequence: 7}}}
access_patterns:
  read: {get: Device, by: [device_id], rate: 28000/s}
layouts:
  one: {tables: {app: {key: [device_id], items: {Device: {}}}}}
)");
  const auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
  ASSERT_TRUE(growth.ok());
  const std::vector<std::string> sentences = WarmUpSentences(*GrownLayoutOf(file, "one", *growth));
  EXPECT_EQ(
      sentences,
      std::vector<std::string>{
          "app, reads: it gets 14,000 read units a second, and a new table or index on demand "
          "serves 12,000. By the model, it serves twice its busiest minute 30 minutes after "
          "that; until then it throttles."});
}

// 40 partitions for 100 write units each.
TEST(LabWarmUp, FollowsThePartitionsOfTheFile) {
  using Sentences = std::vector<std::string>;
  const std::string small =
      "partitions: {write_units: 100, split_after: 1m, split_delay: {max: 1m}}\n";
  EXPECT_EQ(WarmUpOf("1000000", "3900/s", small), Sentences());
  EXPECT_EQ(
      WarmUpOf("1", "150/s", small),
      Sentences{"app, writes: one key gets 1.5 × what one partition serves (100 write units a "
                "second). By the model, a cut inside of its item collection helps after 1 to "
                "2 minutes of such traffic, unless the calls are for one item or for sort "
                "keys that rise."});
  EXPECT_EQ(WarmUpOf("1000000", "80/s",
                     "partitions: {new_table_read_units: 120, new_table_write_units: 40}\n"),
            Sentences{"app, writes: it gets 80 write units a second, and a new table or index on "
                      "demand serves 40. By the model, it serves twice its busiest minute 30 "
                      "minutes after that; until then it throttles."});
}

TEST(LabGrowth, APartitionOfTheFileHoldsLess) {
  const LabFile file = FileOf(DeviceFile("{key: [device_id, at], items: {Reading: {}}}") +
                              "partitions: {partition_bytes: 1073741824}\n");
  const auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
  ASSERT_TRUE(growth.ok());
  EXPECT_EQ(GrowthSentences(*GrownLayoutOf(file, "one", *growth)),
            std::vector<std::string>{
                "app: the largest item collection, device_id={device_id}, passes 1 GB after 0.417 "
                "months, more than one partition holds; the service cuts it by the sort key."});
}

// 50 write units a second for half of the day need a capacity of 72, 150 for the other half 215,
// which comes after 2 minutes of 78 units too many. The first 18,600 unit-hours of a month are
// free.
TEST(LabBilling, ADayOfTheTrafficRepeats) {
  LabFile file;
  constexpr std::int64_t kHalfDayMs = 43'200'000;
  file.traffic = {{.length_ms = kHalfDayMs, .from = 0.5, .to = 0.5},
                  {.length_ms = kHalfDayMs, .from = 1.5, .to = 1.5}};
  ThroughputLoad load{.table = "app", .on_demand = true};
  load.write_units = 100 * 3600;
  const BillingFigures billing = BillingOf(file, {load}, 7);
  const double days = 730.0 / 24;
  const double unit_hours = 12 * 72 + 72 / 30.0 + (12 - 1 / 30.0) * 215;
  EXPECT_TRUE(billing.has_day);
  EXPECT_NEAR(billing.mean_factor, 1, 1e-9);
  EXPECT_NEAR(billing.greatest_factor, 1.5, 1e-9);
  EXPECT_NEAR(billing.on_demand_usd, 100 * 3600 * 730 * 0.625e-6 + 7, 1e-6);
  EXPECT_NEAR(billing.provisioned_usd, (unit_hours * days - 18'600) * 0.00065 + 7, 0.01);
  EXPECT_NEAR(billing.units_above_capacity, 78 * 120 * days, 1);
  EXPECT_TRUE(billing.IsProvisionedCheaper());
  // The same rates all day need a capacity of 143.
  file.traffic = {{.length_ms = 60'000}};
  const BillingFigures even = BillingOf(file, {load}, 7);
  EXPECT_FALSE(even.has_day);
  EXPECT_NEAR(even.on_demand_usd, billing.on_demand_usd, 1e-6);
  EXPECT_NEAR(even.provisioned_usd, (143 * 730 - 18'600) * 0.00065 + 7, 0.01);
  EXPECT_EQ(even.units_above_capacity, 0);
}

}  // namespace
}  // namespace hashrange
