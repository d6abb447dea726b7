#include "server/exchange/limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "server/exchange/request_parser.h"

namespace hashrange {
namespace {

TEST(Limits, NoMoreIsTakenThanTheLimit) {
  Limits limits(100, 2);
  EXPECT_TRUE(limits.TakeBytes(60));
  EXPECT_FALSE(limits.TakeBytes(41));
  EXPECT_TRUE(limits.TakeBytes(40));
  limits.ReturnBytes(60);
  EXPECT_EQ(limits.bytes(), 40);
  // Bytes that are there already are taken in any case.
  EXPECT_FALSE(limits.AreBytesExceeded());
  limits.AddBytes(61);
  EXPECT_TRUE(limits.AreBytesExceeded());
}

TEST(Limits, ThePlacesAboveTheLimitAreSpareOnes) {
  Limits limits(100, 2);
  EXPECT_EQ(limits.TakeConnection(), Limits::Place::kOrdinary);
  EXPECT_FALSE(limits.AreConnectionsTaken());
  EXPECT_EQ(limits.TakeConnection(), Limits::Place::kOrdinary);
  EXPECT_TRUE(limits.AreConnectionsTaken());
  EXPECT_FALSE(limits.AreConnectionsExceeded());
  for (int i = 0; i < Limits::kSparePlaces; ++i) {
    EXPECT_EQ(limits.TakeConnection(), Limits::Place::kSpare);
    EXPECT_TRUE(limits.AreConnectionsExceeded());
  }
  EXPECT_EQ(limits.TakeConnection(), Limits::Place::kNone);
  limits.ReturnConnection();
  EXPECT_EQ(limits.TakeConnection(), Limits::Place::kNone);
  limits.ReturnConnection();
  limits.ReturnConnection();
  EXPECT_EQ(limits.TakeConnection(), Limits::Place::kSpare);
}

TEST(Limits, ConnectionsLeaveDescriptorsForOtherThings) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 256;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const int most = MaxConnections(0, 2);
  EXPECT_LT(most, 256);
  EXPECT_GT(most, 128);
  EXPECT_LT(MaxConnections(0, 4), most);
  EXPECT_EQ(MaxConnections(7, 2), 7);
  EXPECT_EQ(MaxConnections(1000, 2), most);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

// Fills the buffer until it is full or has `bytes`. Returns its size.
std::size_t Fill(ReadBuffer& buffer, std::size_t bytes) {
  while (buffer.size() < bytes) {
    const auto room = buffer.Prepare();
    if (room.empty()) break;
    buffer.Commit(std::min(room.size(), bytes - buffer.size()));
  }
  return buffer.size();
}

TEST(Limits, ABufferGrowsUpToTheLimit) {
  Limits limits(Limits::kMinRequestBytes, 1);
  ReadBuffer first(&limits);
  EXPECT_EQ(Fill(first, 100), 100u);
  EXPECT_EQ(limits.bytes(), 0);
  EXPECT_EQ(Fill(first, 16 << 20), 16u << 20);
  {
    ReadBuffer second(&limits);
    EXPECT_LT(Fill(second, 17 << 20), 17u << 20);
    EXPECT_TRUE(second.Prepare().empty());
    EXPECT_LE(limits.bytes(), Limits::kMinRequestBytes);
    first.Consume(16 << 20);
    first.ReleaseExcess();
    EXPECT_EQ(limits.bytes(), static_cast<std::int64_t>(second.capacity()));
    EXPECT_FALSE(second.Prepare().empty());
  }
  EXPECT_EQ(limits.bytes(), 0);
}

TEST(Limits, AnIdleBufferReleasesItsBytesWhenTheyAreScarce) {
  Limits limits(256 << 10, 1);
  ReadBuffer idle(&limits), busy(&limits);
  Fill(idle, 10'000);
  idle.Consume(10'000);
  idle.ReleaseExcess();
  EXPECT_EQ(idle.capacity(), 16u << 10);
  Fill(busy, 60'000);
  idle.ReleaseExcess();
  EXPECT_EQ(idle.capacity(), ReadBuffer::kInitialBytes);
  EXPECT_EQ(limits.bytes(), static_cast<std::int64_t>(busy.capacity()));
}

}  // namespace
}  // namespace hashrange
