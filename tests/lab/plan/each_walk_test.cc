// What walks over periods for several instances cost, worked out by hand: of items that are so
// small that each request takes half a unit.
#include <gtest/gtest.h>

#include <string>

#include "lab/plan/request/pattern_plan.h"
#include "plan_text.h"

namespace hashrange {
namespace {

// Each user follows 3 others. A user has 40 posts, all of them in the half year before July.
std::string FeedFileText(const std::string& pattern) {
  return R"(lab: 1
start: 2026-07-01T00:00:00Z
entities:
  User: {count: 400, attributes: {user_id: {sequence: 5}, name: {text: 8}}}
  Follow: {of: User, count: 3, distinct: followee, attributes: {followee: {ref: User.user_id}}}
  Post: {of: User, count: 40, attributes: {post_id: {ulid: at}, at: {time: {past: 180d}}}}
access_patterns:
  feed: {query: Post, each: {query: Follow, by: [user_id]}, by: [followee], order: -at, )" +
         pattern + R"(, rate: 1/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        items:
          User: {PK: "USER#{user_id}", SK: USER}
          Follow: {PK: "USER#{user_id}", SK: "FOLLOW#{followee}"}
          Post: {PK: "FEED#{user_id}#{at:year}", SK: "{at}#{post_id}"}
)";
}

PatternPlan FeedOf(const std::string& pattern) {
  const LabFile file = FileOf(FeedFileText(pattern));
  return PlanOf(file, 0).patterns.front();
}

// All posts are of one year, whose first 20 each of three requests reads.
TEST(EachWalk, AsksOnePeriodForAllInstances) {
  const PatternPlan plan = FeedOf("limit: 20");
  EXPECT_NEAR(plan.cost.requests, 1 + 3, 1e-6);
  EXPECT_NEAR(plan.cost.ReadUnits(), 0.5 + 3 * 0.5, 1e-6);
  ASSERT_EQ(plan.steps.size(), 2U);
  ASSERT_TRUE(plan.steps[1].walk.has_value());
  EXPECT_NEAR(plan.steps[1].walk->mean_periods, 1, 1e-6);
  EXPECT_EQ(plan.steps[1].walk->items, 20);
}

// What 20 posts refer to are the three users for which they were asked, half a unit each, in one
// request.
TEST(EachWalk, FetchesWhatAllInstancesAre) {
  const PatternPlan plan = FeedOf("limit: 20, returns: [post_id, User.name]");
  EXPECT_NEAR(plan.cost.requests, 1 + 3 + 1, 1e-6);
  EXPECT_NEAR(plan.cost.ReadUnits(), 0.5 + 3 * 0.5 + 3 * 0.5, 0.02);
}

// The identity of the user is in each post.
TEST(EachWalk, FetchesNothingThatItemsHold) {
  const PatternPlan plan = FeedOf("limit: 20, returns: [post_id, User.user_id]");
  EXPECT_EQ(plan.steps.size(), 2U);
  EXPECT_NEAR(plan.cost.ReadUnits(), 0.5 + 3 * 0.5, 1e-6);
}

}  // namespace
}  // namespace hashrange
