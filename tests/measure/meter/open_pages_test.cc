#include "measure/meter/open_pages.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

PagesSoFar PagesOf(std::uint64_t pages) { return {{}, pages}; }

TEST(OpenPages, ACallIsContinuedOnceWhereItStopped) {
  OpenPages open;
  open.Put(7, PagesOf(1));
  EXPECT_FALSE(open.Take(8));
  ASSERT_TRUE(open.Take(7));
  EXPECT_FALSE(open.Take(7));
}

TEST(OpenPages, OfSeveralCallsAtOnePlaceTheOldestIsContinuedFirst) {
  OpenPages open;
  for (std::uint64_t pages = 1; pages <= 3; ++pages) open.Put(7, PagesOf(pages));
  for (std::uint64_t pages = 1; pages <= 3; ++pages) EXPECT_EQ(open.Take(7)->pages, pages);
  EXPECT_FALSE(open.Take(7));
}

// Most calls that stop where others did, such as those for the latest item, are never continued.
TEST(OpenPages, FewCallsAreKeptForOnePlace) {
  OpenPages open;
  open.Put(1, PagesOf(1));
  for (std::size_t call = 0; call < 2 * OpenPages::kMax; ++call) open.Put(7, PagesOf(call));
  EXPECT_EQ(open.Take(7)->pages, 2 * OpenPages::kMax - OpenPages::kMaxAtPlace);
  EXPECT_TRUE(open.Take(1));
  EXPECT_EQ(open.forgotten(), 0u);
}

TEST(OpenPages, CallsOneAfterAnotherAreNeverForgotten) {
  OpenPages open;
  for (std::size_t call = 0; call < 3 * OpenPages::kMax; ++call) {
    open.Put(7, PagesOf(1));
    ASSERT_TRUE(open.Take(7)) << call;
  }
  EXPECT_EQ(open.forgotten(), 0u);
}

TEST(OpenPages, TheOldestCallIsForgottenWhenThereAreTooMany) {
  OpenPages open;
  for (std::uint64_t place = 0; place <= OpenPages::kMax; ++place) open.Put(place, PagesOf(1));
  EXPECT_EQ(open.forgotten(), 1u);
  EXPECT_FALSE(open.Take(0));
  EXPECT_TRUE(open.Take(1));
}

}  // namespace
}  // namespace hashrange
