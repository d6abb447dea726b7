// Hand-worked figures of months of declared traffic. A month has 730 hours, 2,628,000 seconds.
#include "lab/plan/layout_growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/run/run_file.h"

namespace hashrange {
namespace {

LayoutGrowth GrowthOf(const LabFile& file) {
  auto growth = GrowthOfLayout(FileModel(file), file.layouts.front());
  EXPECT_TRUE(growth.ok());
  return growth.ok() ? std::move(*growth) : LayoutGrowth();
}

using Figures = std::vector<double>;  // now, after 1, 12 and 36 months

template <typename Figure>
void ExpectStages(const LayoutGrowth& growth, const Figures& expected, const Figure& figure,
                  double tolerance = 1e-3) {
  ASSERT_EQ(growth.stages.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(growth.stages[i].months, kGrowthMonths[i]);
    EXPECT_NEAR(figure(growth.stages[i]), expected[i], expected[i] * tolerance) << i;
  }
}

double ReadUnitsOf(const LabFile& file, const GrowthStage& stage, const std::string& pattern) {
  const auto found = std::ranges::find(file.patterns, pattern, &LabPattern::name);
  return stage.patterns[static_cast<std::size_t>(found - file.patterns.begin())].ReadUnits();
}

constexpr const char* kGrowingShop = R"(
lab: 1
entities:
  Customer: {count: 100, attributes: {customer_id: {sequence: 4}}}
  Order: {of: Customer, count: 20, attributes: {order_id: {sequence: 8}, created_at: {time: {past: 100d}}}}
access_patterns:
  place: {create: Order, rate: 1/s}
  cancel: {delete: Order, by: [customer_id, created_at, order_id], rate: 0.25/s}
  orders: {query: Order, by: [customer_id], rate: 1/s}
  newest: {query: Order, by: [customer_id], order: -created_at, limit: 10, rate: 1/s}
  of a week: {query: Order, by: [customer_id], range: {created_at: {last: 7d}}, rate: 1/s}
  of an id: {query: Order, by: [order_id], rate: 1/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        items:
          Customer: {PK: "CUSTOMER#{customer_id}", SK: CUSTOMER}
          Order: {PK: "CUSTOMER#{customer_id}", SK: "ORDER#{created_at}#{order_id}"}
)";

// An order has PK 2 + 13, SK 2 + 39, customer_id 11 + 4, order_id 8 + 8, created_at 10 + 24 and
// entityType 10 + 5, which is 136 bytes; a customer 2 + 13, 2 + 8, 11 + 4 and 10 + 8, which is 58.
// Three of four orders stay, 1,971,000 more each month, and each customer gets as many.
TEST(LayoutGrowth, CreatesAndDeletesMoveWhatIsStoredAndRead) {
  const LabFile file = FileOf(kGrowingShop);
  const LayoutGrowth growth = GrowthOf(file);
  EXPECT_TRUE(growth.has_changes);
  const Figures orders = {2000, 1'973'000, 23'654'000, 70'958'000};
  const auto of_orders = [&](double factor, double more) {
    Figures figures;
    for (const double count : orders) figures.push_back(count * factor + more);
    return figures;
  };
  ExpectStages(growth, of_orders(1, 100), [](const auto& stage) { return stage.keys[0].items; });
  ExpectStages(growth, of_orders(136, 5800), [](const auto& stage) { return stage.keys[0].bytes; });
  EXPECT_EQ(growth.stages[0].keys[0].collection, "PK=CUSTOMER#{customer_id}");
  ExpectStages(
      growth, of_orders(1.36, 58), [](const auto& stage) { return stage.keys[0].collection_bytes; },
      0.05);
  const auto units_of = [&](const char* pattern) {
    return [&file, pattern](const GrowthStage& stage) { return ReadUnitsOf(file, stage, pattern); };
  };
  // Half a unit for each 4 KB, and what each page of 1 MB rounds up.
  ExpectStages(growth, {0.5, 328, 3934, 11803}, units_of("orders"), 0.002);
  ExpectStages(growth, {0.5, 0.5, 0.5, 0.5}, units_of("newest"));
  // 4,536 orders of a week, at any time after the first.
  ExpectStages(growth, {0.5, 75.5, 75.5, 75.5}, units_of("of a week"), 0.003);
  // The file's traffic has created 225 more by its average call.
  EXPECT_EQ(growth.stages[3].services[5], PlanService::kScanned);
  ExpectStages(growth, {37.9, 32'824, 393'464, 1'180'324}, units_of("of an id"), 0.01);
}

// Sessions live 15 days on average, so there are 15 × 86,400 of them at one a second.
TEST(LayoutGrowth, ATimeToLiveBoundsWhatIsStored) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  User: {count: 100, attributes: {user_id: {sequence: 4}}}
  Session: {of: User, count: 2, attributes: {session_id: {sequence: 8}, expires_at: {time: {ahead: 30d}, form: seconds}}}
access_patterns:
  log in: {create: Session, rate: 1/s}
  sessions: {query: Session, by: [user_id], rate: 1/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        ttl: expires_at
        items:
          User: {PK: "USER#{user_id}", SK: USER}
          Session: {PK: "USER#{user_id}", SK: "SESSION#{session_id}"}
)");
  const LayoutGrowth growth = GrowthOf(file);
  EXPECT_TRUE(growth.has_changes);
  ExpectStages(growth, {300, 1'296'100, 1'296'100, 1'296'100},
               [](const auto& stage) { return stage.keys[0].items; });
  // 12,960 sessions of a user, of PK 2 + 9, SK 2 + 16, user_id 7 + 4, session_id 10 + 8,
  // expires_at 10 + 6 and entityType 10 + 7 bytes: 91.
  ExpectStages(
      growth, {0.5, 144.3, 144.3, 144.3},
      [&](const auto& stage) { return ReadUnitsOf(file, stage, "sessions"); }, 0.003);
}

// Each month has 26,280 posts, and each user 26.28 followers more. So after m months there are
// 26,280 × (10 m + 13.14 m²) feed items.
TEST(LayoutGrowth, WhatEachCallCreatesMayGrowItself) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  User: {count: 1000, attributes: {user_id: {sequence: 4}}}
  Follow: {of: User, count: 10, attributes: {followee: {ref: User.user_id, pick: uniform}}}
  Post: {of: User, count: 1, attributes: {post_id: {sequence: 8}}}
  Comment: {of: Post, count: 1, attributes: {comment_id: {sequence: 8}, text: {text: 100}}}
  FeedItem: {of: User, count: 0, attributes: {post_id: {ref: Post.post_id}}}
access_patterns:
  post: {create: Post, also: [{create: FeedItem, each: Follow, by: [followee], set: {post_id: "{post_id}"}}], rate: 0.01/s}
  follow: {create: Follow, rate: 0.01/s}
  comment: {create: Comment, pick: zipf, rate: 0.1/s}
  feed: {query: FeedItem, by: [user_id], rate: 1/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        indexes: {GSI1: {key: [followee, PK]}}
        items:
          User: {PK: "USER#{user_id}", SK: USER}
          Follow: {PK: "USER#{user_id}", SK: "FOLLOW#{followee}", followee: "{followee}"}
          Post: {PK: "POST#{post_id}", SK: POST}
          Comment: {embed: Post.comments}
          FeedItem: {PK: "FEED#{user_id}", SK: "POST#{post_id}"}
)");
  const LayoutGrowth growth = GrowthOf(file);
  const auto follows = [](double months) { return 10'000 + 26'280 * months; };
  ExpectStages(growth, {follows(0), follows(1), follows(12), follows(36)},
               [](const auto& stage) { return stage.keys[1].items; });
  const auto all = [&](double months) {
    const double posts = 1000 + 26'280 * months;
    return 1000 + posts + follows(months) + 26'280 * (10 * months + 13.14 * months * months);
  };
  ExpectStages(growth, {all(0), all(1), all(12), all(36)},
               [](const auto& stage) { return stage.keys[0].items; });
  // A comment is 1 + 3 bytes, and 1 + 10 + 8, 1 + 4 + 100 of its attributes: 128. Most are of the
  // first post, so that its item would have more than 400 KB within the first month.
  ASSERT_EQ(growth.stages[1].fullest.size(), 1u);
  EXPECT_EQ(growth.stages[1].fullest[0].embedded, 3);
  EXPECT_LT(growth.stages[0].fullest[0].bytes, 1000);
  EXPECT_GT(growth.stages[1].fullest[0].bytes, 128 * 262'800 / 15.0);
  EXPECT_LT(growth.stages[1].fullest[0].bytes, 128 * 262'800 / 7.0);
}

TEST(LayoutGrowth, NothingChangesWithoutCreates) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  User: {count: 100, attributes: {user_id: {sequence: 4}, name: {text: 20}}}
access_patterns:
  user: {get: User, by: [user_id], rate: 10/s}
  rename: {update: User, by: [user_id], set: {name: {text: 20}}, rate: 1/s}
  sign up: {create: User}
layouts:
  one: {tables: {app: {key: [user_id], items: {User: {}}}}}
)");
  const LayoutGrowth growth = GrowthOf(file);
  EXPECT_FALSE(growth.has_changes);
  ExpectStages(growth, {100, 100, 100, 100}, [](const auto& stage) { return stage.keys[0].items; });
}

}  // namespace
}  // namespace hashrange
