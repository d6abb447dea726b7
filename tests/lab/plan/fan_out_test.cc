// What writes for each of the instances that are found are expected to take, held against figures
// that were worked out by hand.
#include <gtest/gtest.h>

#include <string>

#include "plan_text.h"

namespace hashrange {
namespace {

// Each of 100 users follows ten, so each is followed by ten, on average. All items have less than
// 1 KB, and ten entries of an index less than 4 KB.
constexpr const char* kFeeds = R"(
lab: 1
entities:
  User: {count: 100, attributes: {user_id: {sequence: 4}, name: {text: 20}}}
  Follow: {of: User, count: 10, distinct: followee, attributes: {followee: {ref: User.user_id}, followee_name: {ref: User.name, with: followee}}}
  Post: {of: User, count: 5, attributes: {post_id: {ulid: at}, at: {time: {past: 90d}}, body: {text: 100}}}
  FeedItem: {of: User, count: 40, attributes: {post_id: {ref: Post.post_id}, at: {ref: Post.at, with: post_id}}}
access_patterns:
  publish: {create: Post, also: [{create: FeedItem, each: Follow, by: [followee], set: {post_id: "{post_id}", at: "{at}"}}], rate: 1/min}
  rename: {update: User, by: [user_id], set: {name: {text: 20}}, also: [{update: Follow, each: Follow, by: [followee], set: {followee_name: "{name}"}}], rate: 1/min}
  leave: {delete: User, by: [user_id], also: [{delete: Follow, each: Follow, by: [user_id]}], rate: 0.001/s}
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
traffic: [{for: 1m, rate: 1}]
)";

// A Query of the followers, the post, and ten items of feeds in one batch.
TEST(FanOut, PutsAnItemForEachThatIsFound) {
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "publish").ReadUnits(), 0.5, 0.02);
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "publish").WriteUnits(), 1 + 10, 0.05);
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "publish").requests, 3, 0.05);
}

// The copies are not in the index, which keeps its entries.
TEST(FanOut, UpdatesEachThatIsFound) {
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "rename").ReadUnits(), 0.5, 0.02);
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "rename").WriteUnits(), 1 + 10, 0.05);
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "rename").requests, 1 + 1 + 10, 0.05);
}

// Each follow takes a unit of the table and one of the index.
TEST(FanOut, DeletesEachThatIsFound) {
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "leave").ReadUnits(), 0.5, 0.02);
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "leave").WriteUnits(), 1 + 10 + 10, 0.1);
  EXPECT_NEAR(CostOfPattern(FileOf(kFeeds), "leave").requests, 3, 0.05);
}

// In a minute, 600 posts of users who each have ten followers, on average: 6,000 items of 100
// feeds, of which half are there by the average call; with the 40 of each at first, 70.
TEST(FanOut, GrowsWhatReadsFind) {
  LabFile file = FileOf(kFeeds);
  file.patterns[0].calls_per_second = 10;
  const FileModel model(file);
  constexpr int kUser = 0;
  constexpr int kFeedItem = 3;
  EXPECT_NEAR(model.Created(kFeedItem), 3000, 1);
  EXPECT_NEAR(model.Descendants(kFeedItem, kUser, 0).mean, 40 + 30, 0.1);
  EXPECT_NEAR(model.CreatedDescendants(kFeedItem, kUser, 0).mean, 30, 0.1);
}

// The first of two users gets 2 of 3 posts and 2 of 3 follows: of the four follows of each user, 16
// thirds are of the first user and 8 thirds of the second one. A post is found by 2/3 · 16/3 + 1/3
// · 8/3 follows. The feeds of both grow alike, for both follow as much.
TEST(FanOut, FindsMoreOfWhatIsPickedMost) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  User: {count: 2, attributes: {user_id: {sequence: 4}}}
  Follow: {of: User, count: 4, attributes: {followee: {ref: User.user_id, pick: {zipf: 1}}}}
  Post: {of: User, count: 1, attributes: {post_id: {uuid: true}}}
  FeedItem: {of: User, count: 1, attributes: {item_id: {uuid: true}}}
access_patterns:
  publish: {create: Post, also: [{create: FeedItem, each: Follow, by: [followee]}], rate: 1/s, pick: {zipf: 1}}
layouts:
  one: {tables: {app: {key: [PK, SK], items: {User: {PK: "U#{user_id}", SK: U}, Follow: {PK: "F#{followee}", SK: "U#{user_id}"}, Post: {PK: "P#{user_id}", SK: "P#{post_id}"}, FeedItem: {PK: "I#{user_id}", SK: "I#{item_id}"}}}}}
traffic: [{for: 60s, rate: 1}]
)");
  const FileModel model(file);
  EXPECT_NEAR(model.Created(3), 30 * 40.0 / 9, 0.1);
  EXPECT_NEAR(model.CreatedDescendants(3, 0, 0).mean, 15 * 40.0 / 9, 0.1);
  EXPECT_NEAR(model.CreatedDescendants(3, 0, 1).mean, 15 * 40.0 / 9, 0.1);
}

// One of two rooms is picked with probability 2 to 1, and each call writes its 10 members.
TEST(FanOut, IsAsHotAsWhatItIsFoundBy) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Room: {count: 2, attributes: {room_id: {sequence: 2}, topic: {text: 20}}}
  Member: {of: Room, count: 10, attributes: {member_id: {sequence: 4}, topic: {of: Room.topic}}}
access_patterns:
  rename: {update: Room, by: [room_id], set: {topic: {text: 20}}, also: [{update: Member, each: Member, by: [room_id], set: {topic: "{topic}"}}], rate: 1/s, pick: {zipf: 1}}
layouts:
  one: {tables: {app: {key: [PK, SK], items: {Room: {PK: "ROOM#{room_id}", SK: ROOM}, Member: {PK: "ROOM#{room_id}", SK: "{member_id}"}}}}}
traffic: [{for: 1m, rate: 1}]
)");
  for (const KeyCost& one : CostOfPattern(file, "rename").keys) {
    EXPECT_NEAR(one.hottest_share, 2.0 / 3, 0.001) << one.is_write;
  }
}

}  // namespace
}  // namespace hashrange
