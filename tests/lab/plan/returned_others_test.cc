// What it takes to return attributes of others, held against figures that were worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "plan_text.h"

namespace hashrange {
namespace {

// All items have less than 1 KB, and six comments less than 4 KB.
constexpr const char* kPosts = R"(
lab: 1
entities:
  User: {count: 100, attributes: {user_id: {sequence: 4}, name: {text: 20}}}
  Post: {of: User, count: 10, attributes: {post_id: {sequence: 6}, body: {text: 500}}}
  Comment: {of: Post, count: 6, attributes: {comment_id: {sequence: 6}, writer: {ref: User.user_id}, text: {text: 50}}}
access_patterns:
  comments: {query: Comment, by: [post_id], order: -comment_id, limit: 5, returns: [text, writer.name], rate: 1/s}
  with the post: {query: Comment, by: [post_id], returns: [text, Post.body], rate: 1/s}
  post: {get: Post, by: [post_id], returns: [body, User.name], rate: 1/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        items:
          User: {PK: "USER#{user_id}", SK: PROFILE}
          Post: {PK: "POST#{post_id}", SK: POST}
          Comment: {PK: "POST#{post_id}", SK: "C#{comment_id}"}
traffic: [{for: 1m, rate: 1}]
)";

// Of 100 users, five comments have 100 × (1 − 0.99⁵) different writers, who take half a unit each.
TEST(ReturnedOthers, AreFetchedOnceEach) {
  const double writers = 100 * (1 - std::pow(0.99, 5));
  EXPECT_NEAR(CostOfPattern(FileOf(kPosts), "comments").ReadUnits(), 0.5 + writers * 0.5, 0.01);
  EXPECT_NEAR(CostOfPattern(FileOf(kPosts), "comments").requests, 2, 0.01);
}

TEST(ReturnedOthers, ThatTheCallerKnowsAreOneItem) {
  EXPECT_NEAR(CostOfPattern(FileOf(kPosts), "with the post").ReadUnits(), 0.5 + 0.5, 0.01);
  EXPECT_NEAR(CostOfPattern(FileOf(kPosts), "with the post").requests, 2, 0.01);
}

// A post says its user_id, by which the name is fetched.
TEST(ReturnedOthers, OfAGetAreFetchedByWhatItReturns) {
  EXPECT_NEAR(CostOfPattern(FileOf(kPosts), "post").ReadUnits(), 0.5 + 0.5, 0.01);
  EXPECT_NEAR(CostOfPattern(FileOf(kPosts), "post").requests, 2, 0.01);
}

}  // namespace
}  // namespace hashrange
