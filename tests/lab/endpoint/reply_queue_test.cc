#include "lab/endpoint/reply_queue.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

using std::chrono::milliseconds;

TEST(ReplyQueue, AReplyThatCameBeforeIsTaken) {
  const Instant begin = Instant() + milliseconds(100);
  ReplyQueue queue;
  EXPECT_FALSE(queue.TakeIfBefore(begin));
  queue.Push({.request = 1, .came = begin, .reply = {}});
  queue.Push({.request = 2, .came = begin + milliseconds(5), .reply = {}});
  EXPECT_FALSE(queue.TakeIfBefore(begin));
  const auto first = queue.TakeIfBefore(begin + milliseconds(1));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->request, 1U);
  EXPECT_FALSE(queue.TakeIfBefore(begin + milliseconds(1)));
  const auto second = queue.TakeUntil(begin);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->request, 2U);
}

}  // namespace
}  // namespace hashrange
