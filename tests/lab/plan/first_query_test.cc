// What a pattern with `each` is expected to take, held against figures that were worked out by
// hand: what is queried first, and what is asked for each instance that comes.
#include <gtest/gtest.h>

#include <string>

#include "plan_text.h"

namespace hashrange {
namespace {

// An item of Follow has 4 + 8 + 2 + 12 bytes of keys (PK, USER#0001, SK, FOLLOWS#0001: 26 with
// their names), and user_id and followee with their values: less than 512 bytes for all five of
// them together. An item of Post has about 1,100 bytes.
constexpr const char* kTimeline = R"(
lab: 1
entities:
  User: {count: 100, attributes: {user_id: {sequence: 4}, name: {text: 20}}}
  Follow: {of: User, count: 5, distinct: followee, attributes: {followee: {ref: User.user_id}, kind: {choice: {close: 2, other: 3}}}}
  Post: {of: User, count: 30, attributes: {post_id: {sequence: 6}, at: {time: {past: 90d}}, body: {text: 1000}}}
access_patterns:
  timeline: {query: Post, each: {query: Follow, by: [user_id]}, by: [followee], order: -at, limit: 10, rate: 1/s}
  close ones: {query: Post, each: {query: Follow, by: [user_id, {kind: close}]}, by: [followee], order: -at, limit: 3, rate: 1/s}
  profiles: {get: User, each: {query: Follow, by: [user_id]}, by: [followee], rate: 1/s}
layouts:
  posts of users:
    tables:
      app:
        key: [PK, SK]
        items:
          User: {PK: "USER#{user_id}", SK: PROFILE}
          Follow: {PK: "USER#{user_id}", SK: "FOLLOWS#{followee}"}
          Post: {PK: "USER#{user_id}", SK: "POST#{at}#{post_id}"}
  index of posts:
    like: posts of users
    tables:
      app:
        indexes: {GSI1: {key: [GSI1PK, GSI1SK], projection: keys_only}}
        items:
          Post: {PK: "POST#{post_id}", SK: POST, GSI1PK: "USER#{user_id}", GSI1SK: "{at}"}
traffic: [{for: 1m, rate: 1}]
)";

TEST(FirstQuery, TakesARequestForEachThatItFinds) {
  // 0.5 for the five follows; then five times 10 posts of 1.1 KB, which are 3 times 4 KB.
  const PatternCost timeline = CostOfPattern(FileOf(kTimeline), "timeline", 0);
  EXPECT_NEAR(timeline.ReadUnits(), 0.5 + 5 * 1.5, 0.01);
  EXPECT_NEAR(timeline.requests, 1 + 5, 0.01);
  // Two of five follows are close; three posts of each are less than 4 KB.
  const PatternCost close = CostOfPattern(FileOf(kTimeline), "close ones", 0);
  EXPECT_NEAR(close.ReadUnits(), 0.5 + 2 * 0.5, 0.01);
  EXPECT_NEAR(close.requests, 1 + 2, 0.01);
}

// Five queries of an index find 50 posts, of which the ten newest are fetched.
TEST(FirstQuery, FetchesNoMoreThanTheLimitOfAll) {
  const PatternCost timeline = CostOfPattern(FileOf(kTimeline), "timeline", 1);
  EXPECT_NEAR(timeline.ReadUnits(), 0.5 + 5 * 0.5 + 10 * 0.5, 0.01);
  EXPECT_NEAR(timeline.requests, 1 + 5 + 1, 0.01);
}

TEST(FirstQuery, GetsWhatIsReferredToInOneBatch) {
  const PatternCost profiles = CostOfPattern(FileOf(kTimeline), "profiles", 0);
  EXPECT_NEAR(profiles.ReadUnits(), 0.5 + 5 * 0.5, 0.01);
  EXPECT_NEAR(profiles.requests, 1 + 1, 0.01);
}

// All users are followed alike, so each of the 100 partition keys gets a hundredth of the reads.
TEST(FirstQuery, IsAsHotAsWhatIsReferredTo) {
  EXPECT_NEAR(CostOfPattern(FileOf(kTimeline), "timeline", 0).keys.front().hottest_share, 0.01,
              0.002);
}

}  // namespace
}  // namespace hashrange
