#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "lab/report/lab_example.h"
#include "lab/report/lab_report.h"
#include "support/golden_text.h"

namespace hashrange {
namespace {

using Sentences = std::vector<std::string>;

Sentences Violations(const std::function<void(LabFile&)>& declare,
                     const LabResult& result = ShopLabResult()) {
  LabFile file = ShopLab();
  declare(file);
  return LimitViolations(file, result);
}

TEST(LimitViolations, WithoutLimitsThereAreNone) {
  EXPECT_EQ(Violations([](LabFile&) {}), Sentences{});
}

TEST(LimitViolations, LimitsThatHoldAreNotTold) {
  EXPECT_EQ(Violations([](LabFile& file) {
              LabLimits& limits = file.limits_of_all;
              limits.headroom = 0.1;
              limits.throttled = 0.9;
              limits.failed = 0.9;
              limits.wrong = 0;
              limits.month_usd = 1e6;
              limits.storage_gb = 10;
              limits.largest_collection_mb = 1'000;
              limits.severe_findings = 100;
              limits.patterns[0] = {.read_units = 1,
                                    .write_units = 0,
                                    .read_units_p99 = 1,
                                    .write_units_p99 = 0,
                                    .requests = 1,
                                    .requests_p99 = 1};
            }),
            Sentences{});
}

struct LimitCase {
  const char* name;
  void (*declare)(LabLimits&);
};
constexpr LimitCase kLimitCases[] = {
    {"headroom", [](LabLimits& limits) { limits.headroom = 1e6; }},
    {"throttled", [](LabLimits& limits) { limits.throttled = 0.001; }},
    {"failed", [](LabLimits& limits) { limits.failed = 0; }},
    {"month", [](LabLimits& limits) { limits.month_usd = 1; }},
    {"storage", [](LabLimits& limits) { limits.storage_gb = 0.5; }},
    {"collection", [](LabLimits& limits) { limits.largest_collection_mb = 100; }},
    {"findings", [](LabLimits& limits) { limits.severe_findings = 0; }},
    {"read units", [](LabLimits& limits) { limits.patterns[2].read_units = 3; }},
    {"write units", [](LabLimits& limits) { limits.patterns[3].write_units = 5; }},
    {"read p99", [](LabLimits& limits) { limits.patterns[0].read_units_p99 = 0.5; }},
    {"write p99", [](LabLimits& limits) { limits.patterns[3].write_units_p99 = 5; }},
    {"requests", [](LabLimits& limits) { limits.patterns[1].requests = 1; }},
    {"requests p99", [](LabLimits& limits) { limits.patterns[1].requests_p99 = 7; }},
    {"no call", [](LabLimits& limits) { limits.patterns[4].read_units = 1; }},
};

TEST(LimitViolations, EachLimitIsCompared) {
  std::string table;
  for (const LimitCase& each : kLimitCases) {
    table += std::string(each.name) + "\n";
    for (const std::string& sentence :
         Violations([&](LabFile& file) { each.declare(file.limits_of_all); })) {
      table += "  " + sentence + "\n";
    }
  }
  ExpectGolden("tests/lab/report/golden/limits.txt", table);
}

TEST(LimitViolations, ALayoutReplacesWhatHoldsForAll) {
  const auto declare = [](LabFile& file) {
    file.limits_of_all.storage_gb = 0.1;
    file.limits_of_all.patterns[0].read_units = 0.1;
    file.limits[0].storage_gb = 10;
    file.limits[1].patterns[0].read_units = 10;
  };
  EXPECT_EQ(Violations(declare),
            (Sentences{"one key: read_units of \"customer\" 0.505 is above 0.1",
                       "sharded, lines inside: storage_gb 0.447 is above 0.1"}));
}

TEST(LimitViolations, AStoppedRunDoesNotPass) {
  LabResult result = ShopLabResult();
  result.runs[1].is_partial = true;
  EXPECT_EQ(Violations([](LabFile& file) { file.limits_of_all.storage_gb = 10; }, result),
            Sentences{"sharded, lines inside: the run was stopped, so it is not known whether the "
                      "limits hold"});
  EXPECT_EQ(Violations([](LabFile&) {}, result), Sentences{});
}

TEST(LimitViolations, NothingToCompareWithIsAViolation) {
  LabResult result;
  result.runs = {{.layout = "one key"}};
  EXPECT_EQ(
      Violations(
          [](LabFile& file) {
            LabLimits& limits = file.limits_of_all;
            limits.headroom = 5;
            limits.throttled = 0;
            limits.month_usd = 100;
            limits.storage_gb = 1;
            limits.largest_collection_mb = 1;
            limits.patterns[0].read_units = 1;
          },
          result),
      (Sentences{"one key: headroom cannot be compared with 5: the first limit is not computed: no "
                 "call succeeded",
                 "one key: throttled cannot be compared with 0: no request was made",
                 "one key: month_usd cannot be compared with 100: the month is not computed: no "
                 "call of a pattern with a rate succeeded",
                 "one key: storage_gb cannot be compared with 1: no table was measured",
                 "one key: largest_collection_mb cannot be compared with 1: no collection was "
                 "measured",
                 "one key: read_units of \"customer\" cannot be compared with 1: no call of the "
                 "pattern succeeded"}));
  EXPECT_EQ(Violations([](LabFile& file) { file.limits[1].headroom = 5; }, {}),
            Sentences{"The limits cannot be compared with anything: no layout was run"});
}

TEST(LimitViolations, WhereEveryCallOfAPatternFailedTheFirstLimitIsNotKnown) {
  LabResult result = ShopLabResult();
  result.runs[0].patterns[3].failed = result.runs[0].patterns[3].calls;
  EXPECT_EQ(Violations([](LabFile& file) { file.limits[0].headroom = 1; }, result),
            Sentences{"one key: headroom cannot be compared with 1: no call of \"sign up\" "
                      "succeeded"});
}

TEST(LimitViolations, ThrottlesOfAThinnedRunAreRough) {
  LabResult result = ShopLabResult();
  result.thin = 20;
  EXPECT_EQ(Violations([](LabFile& file) { file.limits[0].throttled = 0.001; }, result),
            Sentences{"one key: throttled 0.00224 is above 0.001 (rough, as one of 20 calls was "
                      "made)"});
}

TEST(LimitViolations, HostileNamesAreReadable) {
  LabFile file = HostileLab();
  file.limits_of_all.headroom = 1e9;
  LabResult result = HostileLabResult();
  for (const std::string& sentence : LimitViolations(file, result)) {
    EXPECT_EQ(sentence.find('\x1B'), sentence.npos);
  }
}

}  // namespace
}  // namespace hashrange
