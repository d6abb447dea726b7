#include "cli/ctl/measure_commands.h"

#include <gtest/gtest.h>

#include "cli/stored_files.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

// Returns what the command prints to stdout, or the sentence of its error.
std::string WhatIfOutcome(const MeasureLine& line) {
  testing::internal::CaptureStdout();
  const Result<int> result = ReportWhatIf(line);
  std::string printed = testing::internal::GetCapturedStdout();
  if (!result.ok()) return result.error().message;
  EXPECT_EQ(*result, 0);
  return printed;
}

MeasureLine LineFor(const StoredFiles& files) {
  MeasureLine line;
  line.measurements = {files.Add("run.json", SignUpMeasurement())};
  return line;
}

TEST(WhatIfCommand, TheMeasurementStandsBesideItselfWithoutAnIndex) {
  const StoredFiles files;
  MeasureLine line = LineFor(files);
  line.dropped_indexes = {"shop/GSI1"};
  EXPECT_EQ(WhatIfOutcome(line),
            R"(Modelled: What if GSI1 did not exist: its reads, writes and entries are left out.
It would not be served as it is: Query shop.GSI1 CUST#{id}

                       as it is  what if (modelled)
calls                     1,000         600 (-40 %)
read units                  200            0 (gone)
write units               1,200         600 (-50 %)
US$ per million calls     0.775       0.625 (-19 %)
stored                  1.34 MB      977 KB (-29 %)
errors                        0            0 (same)
throttled                     0            0 (same)
US$ a month               0.566       0.274 (-52 %)
findings: severe              0                   0
findings: warning             1                   0
findings: hint                1                   1

US$ per million calls, by pattern
                           as it is  what if (modelled)
sign up                        1.25       0.625 (-50 %)
Query shop.GSI1 CUST#{id}    0.0625                   -

First limit
as it is: at 66,667 calls/s of this mix: shop, quota, writes
what if (modelled): at 40,000 calls/s of this mix: shop, quota, writes
as it is: Tables are taken as warm, with a quota of 40,000 units a second each. A new table on
          demand takes 6,667 calls/s of this mix: shop, writes.
what if (modelled): Tables are taken as warm, with a quota of 40,000 units a second each. A new
                    table on demand takes 4,000 calls/s of this mix: shop, writes.
)");
}

TEST(WhatIfCommand, OtherBillingChangesTheMonth) {
  const StoredFiles files;
  MeasureLine line = LineFor(files);
  line.billings = {"shop=PROVISIONED"};
  const std::string text = WhatIfOutcome(line);
  EXPECT_EQ(text.find("Modelled: What if shop was provisioned, with the throughput of its busiest "
                      "minute at 70 % use.\n"),
            0u)
      << text;
  EXPECT_NE(text.find("\nUS$ a month "), text.npos) << text;
}

TEST(WhatIfCommand, SeveralChangesAreAppliedTogether) {
  const StoredFiles files;
  MeasureLine line = LineFor(files);
  line.dropped_indexes = {"shop/GSI1"};
  line.billings = {"shop=PROVISIONED"};
  line.asks_for_json = true;
  const std::string json = WhatIfOutcome(line);
  EXPECT_NE(json.find("What if GSI1 did not exist"), json.npos);
  EXPECT_NE(json.find("What if shop was provisioned"), json.npos);
  EXPECT_NE(json.find(R"({"sentence":"It would not be served as it is: Query shop.GSI1 CUST#{id}",)"
                      R"("method":"modelled"})"),
            json.npos);
}

TEST(WhatIfCommand, ErrorsSayWhatIsAllowed) {
  const StoredFiles files;
  MeasureLine line = LineFor(files);
  EXPECT_EQ(WhatIfOutcome(line),
            "what is the change? One of --drop-index TABLE/INDEX, --projection "
            "TABLE/INDEX=KEYS_ONLY|INCLUDE:a,b, --billing TABLE=PROVISIONED|PAY_PER_REQUEST");
  struct Case {
    std::vector<std::string> MeasureLine::*option;
    std::string given;
    std::string sentence;
  };
  const std::string projection_form =
      "TABLE/INDEX=KEYS_ONLY or TABLE/INDEX=INCLUDE:a,b; the measurement has shop/GSI1";
  const Case cases[] = {
      {&MeasureLine::dropped_indexes, "GSI1",
       "--drop-index \"GSI1\" is not TABLE/INDEX; the measurement has shop/GSI1"},
      {&MeasureLine::dropped_indexes, "shop/GSI2",
       "There is no index \"shop/GSI2\"; the measurement has shop/GSI1."},
      {&MeasureLine::projections, "shop/GSI1=ALL",
       "--projection \"shop/GSI1=ALL\" is not " + projection_form},
      {&MeasureLine::projections, "shop/GSI1=INCLUDE:,",
       "--projection \"shop/GSI1=INCLUDE:,\" is not " + projection_form},
      {&MeasureLine::projections, "shop=KEYS_ONLY",
       "--projection \"shop=KEYS_ONLY\" is not " + projection_form},
      {&MeasureLine::projections, "shop/GSI1=KEYS_ONLY",
       "No entity in the index \"GSI1\" has known attributes, so the sizes of smaller entries are "
       "not known."},
      {&MeasureLine::billings, "shop=CHEAP",
       "--billing \"shop=CHEAP\" is not TABLE=PROVISIONED or TABLE=PAY_PER_REQUEST; the "
       "measurement has shop"},
      {&MeasureLine::billings, "users=PROVISIONED",
       "There is no table \"users\"; the measurement has shop."},
      {&MeasureLine::billings, "shop=PAY_PER_REQUEST", "The table \"shop\" is on demand already."},
  };
  for (const Case& each : cases) {
    MeasureLine wrong = line;
    (wrong.*each.option).push_back(each.given);
    EXPECT_EQ(WhatIfOutcome(wrong), each.sentence);
  }
}

}  // namespace
}  // namespace hashrange
