#include "remote/copy/copy_progress.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(CopyProgress, TheLineShowsWhatIsDoneAndLeft) {
  EXPECT_EQ(CopyProgressText({}), "");
  EXPECT_EQ(CopyProgressText({.table = "app"}), "Copying app: 0 items");
  EXPECT_EQ(CopyProgressText({.table = "app", .items = 1'200, .expected = 0, .seconds = 2}),
            "Copying app: 1,200 items, 600 a second");
  EXPECT_EQ(CopyProgressText({.table = "app", .items = 12'000, .expected = 100'000, .seconds = 2}),
            "Copying app: 12,000 of about 100,000 items, 6,000 a second, about 15 s left");
  EXPECT_EQ(
      CopyProgressText(
          {.table = "app", .items = 12'000, .before = 11'900, .expected = 100'000, .seconds = 2}),
      "Copying app: 12,000 of about 100,000 items, 50 a second, about 30 min left");
  EXPECT_EQ(CopyProgressText({.table = "app", .items = 110, .expected = 100, .seconds = 0.5}),
            "Copying app: 110 of about 100 items");
  EXPECT_EQ(CopyProgressText({.table = "app", .is_verifying = true}), "Verifying app");
}

TEST(CopyProgress, ItemsAreAdded) {
  CopyProgress progress;
  EXPECT_EQ(progress.Text(), "");
  progress.BeginTable("app", 5, 20);
  progress.AddItems(7);
  EXPECT_TRUE(progress.Text().starts_with("Copying app: 12 of about 20 items"));
  progress.BeginVerifying();
  EXPECT_EQ(progress.Text(), "Verifying app");
}

}  // namespace
}  // namespace hashrange
