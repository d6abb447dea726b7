#include "lab/plan/request/time_buckets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text/time_text.h"
#include "lab/plan/layout_plan.h"
#include "plan_text.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

constexpr std::int64_t kDayMs = 86'400'000;

std::int64_t At(const char* text) { return ParseInstant(text).value_or(-1); }

// Returns the periods of a call, as long as keys write them.
std::vector<std::string> Periods(const TimeBuckets& buckets, const char* now, std::size_t length) {
  std::vector<std::string> periods;
  for (std::size_t i = 0; i < CountBuckets(buckets, At(now)); ++i) {
    periods.push_back(InstantText(TimeInBucket(buckets, At(now), i)).substr(0, length));
  }
  return periods;
}

TEST(TimeBuckets, AreThosePeriodsThatTheRangeTouches) {
  const TimeBuckets week = {.form = Form::kMonth, .from_ms = -7 * kDayMs};
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Periods(week, "2026-01-05T00:00:00Z", 7), (Texts{"2025-12", "2026-01"}));
  EXPECT_EQ(Periods(week, "2026-01-20T00:00:00Z", 7), (Texts{"2026-01"}));
  EXPECT_EQ(MostBuckets(week), 2U);
  const TimeBuckets days = {.form = Form::kDay, .from_ms = -kDayMs};
  EXPECT_EQ(Periods(days, "2024-03-01T00:00:00Z", 10), (Texts{"2024-02-29", "2024-03-01"}));
  EXPECT_EQ(MostBuckets(days), 2U);
  const TimeBuckets years = {Form::kYear, false, At("2023-12-31"), At("2026-01-01")};
  EXPECT_EQ(Periods(years, "1999-01-01", 4), (Texts{"2023", "2024", "2025", "2026"}));
  EXPECT_EQ(MostBuckets(years), 4U);
  const TimeBuckets hours = {.form = Form::kHour, .to_ms = 3'600'000};
  EXPECT_EQ(Periods(hours, "2026-01-01T23:59:00Z", 13), (Texts{"2026-01-01T23", "2026-01-02T00"}));
  const TimeBuckets minutes = {.form = Form::kMinute};
  EXPECT_EQ(Periods(minutes, "2026-01-01T23:59:59Z", 16), (Texts{"2026-01-01T23:59"}));
}

TEST(TimeBuckets, EachPeriodIsARequest) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Car: {count: 3, attributes: {car_id: {sequence: 2}}}
  Ride: {of: Car, count: 2, attributes: {ride_id: {uuid: true}, at: {time: {past: 9d}}}}
access_patterns:
  rides: {query: Ride, by: [car_id], range: {at: {last: 7d}}, rate: 1/s}
layouts:
  one: {tables: {tab: {key: [pk, ride_id], items: {Ride: {pk: "{car_id}#{at:month}"}}}}}
)");
  const LayoutPlan plan = PlanOf(file, 0);
  ASSERT_EQ(plan.patterns[0].steps.size(), 1U);
  const PlanStep& step = plan.patterns[0].steps[0];
  const Population population(file, 1);
  LabCall call = {.now_epoch_ms = At("2026-01-03T00:00:00Z"), .roles = {{{0, 0}}}};
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < CountRequests(step, call); ++i) {
    SelectRequest(step, i, call);
    std::string request;
    RenderRequest(step.request, population, call, request);
    const std::size_t key = request.find(R"(":pk":{"S":")");
    ASSERT_NE(key, std::string::npos) << request;
    keys.push_back(request.substr(key + 12, 10));
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"01#2025-12", "01#2026-01"}));
  call.now_epoch_ms = At("2026-01-30T00:00:00Z");
  EXPECT_EQ(CountRequests(step, call), 1U);
}

}  // namespace
}  // namespace hashrange
