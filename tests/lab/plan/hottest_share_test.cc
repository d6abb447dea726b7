// The share of the hottest partition key, held against figures that were worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plan_text.h"

namespace hashrange {
namespace {

constexpr const char* kTrips = R"(
lab: 1
entities:
  User: {count: 2000, attributes: {user_id: {sequence: 6}}}
  Follow: {of: User, count: 10, distinct: followee, attributes: {followee: {ref: User.user_id, pick: {zipf: 0.8}}}}
  Trip: {count: 1000, attributes: {trip_id: {ulid: started_at}, started_at: {time: {past: 90d}}, city: {choice: {ber: 5, muc: 3, ham: 2}}, kind: {choice: [x, y]}}}
access_patterns:
  start a trip: {create: Trip, rate: 50/s}
  follow: {create: Follow, rate: 1/s}
  unfollow: {delete: Follow, by: [user_id, followee], rate: 20/s}
  trips of a city: {query: Trip, by: [city, kind], rate: 1/s}
  user: {get: User, by: [user_id], rate: 1/s, pick: zipf}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        indexes: {Day: {key: [DayPK, PK]}, Kind: {key: [KindPK, PK]}, City: {key: [CityPK, PK]}, Inverse: {key: [SK, PK], projection: keys_only}}
        items:
          User: {PK: "USER#{user_id}", SK: "USER#{user_id}"}
          Follow: {PK: "USER#{user_id}", SK: "FOLLOWS#{followee}"}
          Trip: {PK: "TRIP#{trip_id}", SK: "TRIP#{trip_id}", DayPK: "{city}#{started_at:day}#{shard(trip_id, 4)}", KindPK: "{city}#{kind}", CityPK: "{city}#{shard(trip_id, 4)}"}
traffic: [{for: 1m, rate: 1}]
)";

// Returns the share of the index's hottest key, of the table's where the index is empty.
double HottestOf(const std::string& pattern, const std::string& index) {
  const LabFile file = FileOf(kTrips);
  const LabLayout& layout = file.layouts.front();
  const LayoutPlan plan = PlanOf(file);
  for (const PatternPlan& one : plan.patterns) {
    if (file.patterns[static_cast<std::size_t>(one.pattern)].name != pattern) continue;
    for (const KeyCost& key : one.cost.keys) {
      const LabIndex* const found = IndexOf(layout, key.key);
      if ((found == nullptr ? "" : found->name) == index) return key.hottest_share;
    }
  }
  return -1;
}

TEST(HottestShare, IndependentPartsOfAKeyDivideTheCalls) {
  EXPECT_NEAR(HottestOf("start a trip", "Day"), 0.5 * 0.25, 0.005);  // all are of today
  EXPECT_NEAR(HottestOf("start a trip", "Kind"), 0.5 * 0.5, 0.005);
  EXPECT_NEAR(HottestOf("start a trip", "City"), 0.5 * 0.25, 0.005);
  EXPECT_NEAR(HottestOf("trips of a city", "Kind"), 0.5 * 0.5, 0.005);
}

// The first of 2,000 ranks gets 5.4 % of draws by zipf 0.8, and is one of ten different ones that
// are drawn in 43.8 % of the cases. By zipf 0.99, it gets 11.8 %.
TEST(HottestShare, ReferencesAndPicksFollowTheirRanks) {
  EXPECT_NEAR(HottestOf("follow", "Inverse"), 0.0438, 0.002);
  EXPECT_NEAR(HottestOf("unfollow", "Inverse"), 0.0438, 0.002);
  EXPECT_NEAR(HottestOf("user", ""), 0.1176, 0.002);
}

// A text that is made of an identity is as hot as the identity, also together with it and as a copy
// in what belongs to it: of half of the calls, and of one of 1,000 of the others.
TEST(HottestShare, ATemplateIsAsHotAsWhatItIsMadeOf) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Rider: {count: 1000, attributes: {rider_id: {sequence: 6}, email: "r{rider_id}@x.com", login: "{email}!"}}
  Trip: {of: Rider, count: 1, attributes: {trip_id: {sequence: 6}, email: {of: Rider.email}, note: {text: 9}}}
access_patterns:
  by login: {get: Rider, by: [login, rider_id], rate: 1/s}
  note: {update: Trip, by: [trip_id, rider_id, email], set: {note: {text: 9}}, rate: 1/s}
layouts:
  one: {tables: {riders: {key: [PK], items: {Rider: {PK: "{login}#{rider_id}"}}}, trips: {key: [PK, SK], items: {Trip: {PK: "{email}#{rider_id}", SK: "{trip_id}"}}}}}
traffic: [{for: 1m, rate: 1, hot: {Rider: 0.5, Trip: 0.5}}]
)");
  EXPECT_NEAR(CostOfPattern(file, "by login").keys.front().hottest_share, 0.5005, 0.001);
  EXPECT_NEAR(CostOfPattern(file, "note").keys.front().hottest_share, 0.5005, 0.001);
}

// 100 posts come, beside 1,000; the newest gets 1 of 7.78 picks: 1,050 ranks by zipf 0.99. Each of
// the new ones gets 0.0068 of all picks: those of the first 100 ranks, 5.29 of 7.78, divided by
// 100. The longest of their times as the newest is 5.18 times the mean, which adds 4.18 of 778.
TEST(HottestShare, OfTheLatestIsThatOfTheOneThatStaysNewestForLongest) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Post: {count: 1000, attributes: {post_id: {sequence: 6}}}
access_patterns:
  post: {get: Post, by: [post_id], rate: 1/s, pick: latest}
  publish: {create: Post, rate: 1/s}
layouts:
  one: {tables: {app: {key: [PK], items: {Post: {PK: "P#{post_id}"}}}}}
traffic: [{for: 100s, rate: 1}]
)");
  EXPECT_NEAR(CostOfPattern(file, "post").keys.front().hottest_share, 0.01218, 0.00002);
}

// Uniform picks of 20,000 follows of 2,000 users.
TEST(HottestShare, OfAnEvenPickIsThatOfOneParent) {
  EXPECT_NEAR(HottestOf("unfollow", ""), 1.0 / 2000, 0.0002);
}

}  // namespace
}  // namespace hashrange
