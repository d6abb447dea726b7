// Forecasts, held against figures that were worked out by hand.
#include "lab/forecast/layout_forecast.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lab/forecast/score_lab.h"
#include "lab/language/lab_reader.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

std::vector<LayoutForecast> ForecastOf(std::string_view yaml) {
  const auto file = ReadLabFile(yaml, "test.yaml");
  if (!file.ok()) {
    ADD_FAILURE() << file.error().message;
    return {};
  }
  auto forecasts = ForecastLayouts(*file);
  EXPECT_TRUE(forecasts.ok()) << forecasts.error().message;
  return forecasts.ok() ? std::move(*forecasts) : std::vector<LayoutForecast>();
}

// "50 × scores / ByScore, key BOARD=ALL, write"
std::string LimitText(const LayoutForecast& forecast) {
  if (!forecast.first_limit) return "none";
  const LimitRow& row = *forecast.first_limit;
  return NumberText(row.multiple_of_declared) + " × " + row.table + " / " + row.index + ", " +
         row.what + (row.key.empty() ? "" : " " + row.key) + ", " + row.direction;
}

TEST(LayoutForecast, OneKeyAgainstTenShards) {
  const std::vector<LayoutForecast> forecasts = ForecastOf(kScoreLab);
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_EQ(forecasts[0].layout, "one key");
  EXPECT_EQ(forecasts[1].layout, "ten shards");
  // 20 scores a second at two write units, and 100 lists at half a read unit, or ten halves; a
  // month has 2,628,000 seconds. Less than 25 GB are stored, which is free.
  constexpr double kSeconds = 730.0 * 3600;
  const double writes = 20 * 2 * kSeconds * 0.625 / 1e6;
  EXPECT_NEAR(*forecasts[0].month_usd, writes + 100 * 0.5 * kSeconds * 0.125 / 1e6, 0.01);
  EXPECT_NEAR(*forecasts[1].month_usd, writes + 100 * 5 * kSeconds * 0.125 / 1e6, 0.01);
  // The one key gets 20 of 1,000 write units, and 50 of 4,500 read units. One of ten shards gets a
  // tenth of the writes, and half a read unit of each list: 90 ×. All ten together take 500 of
  // the 40,000 read units of the index.
  EXPECT_EQ(LimitText(forecasts[0]), "50 × scores / ByScore, key BOARD=ALL, write");
  EXPECT_EQ(LimitText(forecasts[1]), "80 × scores / ByScore, quota, read");
  EXPECT_TRUE(forecasts[0].HasAllPatterns());
}

// All but the quotas is a tenth: 2 of 20 scores a second would take a tenth of the key.
TEST(LayoutForecast, FollowsThePartitionsOfTheFile) {
  const std::vector<LayoutForecast> forecasts =
      ForecastOf(std::string(kScoreLab) + "partitions: {write_units: 100, read_units: 300}\n");
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_EQ(LimitText(forecasts[0]), "5 × scores / ByScore, key BOARD=ALL, write");
  EXPECT_EQ(LimitText(forecasts[1]),
            "9 × scores / ByScore, key BOARD=S#{shard(player_id, 10)}, read");
  const std::vector<LayoutForecast> of_quota =
      ForecastOf(std::string(kScoreLab) + "partitions: {quota_read_units: 4000}\n");
  ASSERT_EQ(of_quota.size(), 2u);
  EXPECT_EQ(LimitText(of_quota[1]), "8 × scores / ByScore, quota, read");
}

// Half of 900 strongly consistent reads are of one user. No event has a user's key.
TEST(LayoutForecast, KeysOfOtherTemplatesDoNotAddUp) {
  const std::vector<LayoutForecast> forecasts = ForecastOf(R"(
lab: 1
entities:
  User: {count: 1000, attributes: {user_id: {sequence: 6}, name: {text: 20}}}
  Event: {count: 10, attributes: {event_id: {sequence: 6}, text: {text: 100}}}
access_patterns:
  user: {get: User, by: [user_id], rate: 900/s, consistent: true, pick: {hot: {share: 0.001, traffic: 0.5}}}
  event: {get: Event, by: [event_id], rate: 3000/s, consistent: true}
layouts:
  told apart: {tables: {app: {key: [PK], items: {User: {PK: "U#{user_id}"}, Event: {PK: "E#{event_id}"}}}}}
  alike: {tables: {app: {key: [PK], items: {User: {PK: "{user_id}"}, Event: {PK: "E#{event_id}"}}}}}
)");
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_EQ(LimitText(forecasts[0]), "6.67 × app / , key PK=U#{user_id}, read");
  EXPECT_EQ(LimitText(forecasts[1]), "4 × app / , key PK={user_id}, read");  // 3,000 of 450 + 300
}

constexpr const char* kEvents = R"(
lab: 1
entities:
  Event: {count: 1000, attributes: {event_id: {sequence: 6}, at: {time: {past: 30d}}, text: {text: 100}}}
  Note: {count: 10, attributes: {note_id: {sequence: 6}}}
access_patterns:
  record: {create: Event, rate: 10/s}
  all events: {query: Event, rate: 1/s}
  note: {get: Note, by: [note_id], rate: 1/s}
layouts:
  by day:
    tables: {app: {key: [PK, SK], items: {Event: {PK: "{at:day}", SK: "{event_id}"}}}}
    serve: {all events: [{Scan: {TableName: app}}]}
  provisioned:
    tables:
      app: {key: [PK], billing: {read: 30, write: 50}, items: {Event: {PK: "E#{event_id}"}, Note: {PK: "N#{note_id}"}}}
    serve: {all events: [{Scan: {TableName: app}}]}
traffic: [{for: 10d, rate: 1}]
)";

// What is written at one moment is of one day, however long the traffic is.
TEST(LayoutForecast, WritesOfAPeriodMeetInItsKey) {
  const std::vector<LayoutForecast> forecasts = ForecastOf(kEvents);
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_EQ(LimitText(forecasts[0]), "100 × app / , key PK={at:day}, write");
}

TEST(LayoutForecast, WhatIsNotExpectedIsNamed) {
  const std::vector<LayoutForecast> forecasts = ForecastOf(kEvents);
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_EQ(forecasts[0].impossible, std::vector<std::string>{"note"});
  EXPECT_EQ(forecasts[0].unknown, std::vector<std::string>{"all events"});
  EXPECT_EQ(forecasts[1].unknown, std::vector<std::string>{"all events"});
  EXPECT_FALSE(forecasts[0].HasAllPatterns());
}

// 50 write units at US$ 0.00065 and 30 read units at US$ 0.00013 an hour, for 730 hours; the first
// 18,600 hours of a unit are free.
TEST(LayoutForecast, ProvisionedTablesPayForWhatTheyDeclare) {
  const std::vector<LayoutForecast> forecasts = ForecastOf(kEvents);
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_EQ(LimitText(forecasts[1]), "5 × app / , throughput, write");
  EXPECT_NEAR(*forecasts[1].month_usd,
              (730 * 50 - 18'600) * 0.00065 + (730 * 30 - 18'600) * 0.00013, 0.001);
}

// Of 100 posts a second, 90 are of one user, whose followers differ: of 1,000 items of feeds, each
// of 100 users gets ten.
TEST(LayoutForecast, WhatAHotAuthorWritesGoesToManyFeeds) {
  const std::vector<LayoutForecast> forecasts = ForecastOf(R"(
lab: 1
entities:
  User: {count: 100, attributes: {user_id: {sequence: 4}}}
  Follow: {of: User, count: 10, distinct: followee, attributes: {followee: {ref: User.user_id}}}
  Post: {of: User, count: 5, attributes: {post_id: {ulid: at}, at: {time: {past: 90d}}}}
  FeedItem: {of: User, count: 40, attributes: {post_id: {ref: Post.post_id}, at: {ref: Post.at, with: post_id}}}
access_patterns:
  publish: {create: Post, also: [{create: FeedItem, each: Follow, by: [followee], set: {post_id: "{post_id}", at: "{at}"}}], rate: 100/s, pick: {hot: {share: 0.01, traffic: 0.9}}}
layouts:
  feeds:
    tables:
      app:
        key: [PK, SK]
        indexes: {GSI1: {key: [GSI1PK, GSI1SK], projection: keys_only}}
        items:
          User: {PK: "USER#{user_id}", SK: PROFILE}
          Follow: {PK: "USER#{user_id}", SK: "FOLLOWS#{followee}", GSI1PK: "FOLLOWERS#{followee}", GSI1SK: "{user_id}"}
          Post: {PK: "USER#{user_id}", SK: "POST#{at}#{post_id}"}
          FeedItem: {PK: "FEED#{user_id}", SK: "{at}#{post_id}"}
)");
  ASSERT_EQ(forecasts.size(), 1u);
  EXPECT_EQ(LimitText(forecasts[0]), "11.1 × app / , key PK=USER#{user_id}, write");
}

TEST(LayoutForecast, LayoutsAreChosenByName) {
  const auto file = ReadLabFile(kEvents, "test.yaml");
  ASSERT_TRUE(file.ok());
  const auto forecasts = ForecastLayouts(*file, {"provisioned"});
  ASSERT_TRUE(forecasts.ok());
  ASSERT_EQ(forecasts->size(), 1u);
  EXPECT_EQ(forecasts->front().layout, "provisioned");
}

}  // namespace
}  // namespace hashrange
