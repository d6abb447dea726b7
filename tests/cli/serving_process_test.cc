#include "cli/serving_process.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(ServingProcess, ProgressTellsWhatWasDone) {
  EXPECT_EQ(SeedProgressText(0, 0), "Seeding: 0 items read");
  EXPECT_EQ(SeedProgressText(431'000, 0), "Seeding: 431,000 items read");
  EXPECT_EQ(SeedProgressText(431'000, 12'000), "Seeding: 431,000 items read, 12,000 stored");
}

TEST(ServingProcess, OneLineTellsWhatWasLoaded) {
  EXPECT_EQ(LoadedText("Seeded", {2, 1'000'000, "fixtures/", 1.94}),
            "Seeded 2 tables with 1,000,000 items from fixtures/ in 1.9 s");
  EXPECT_EQ(LoadedText("Seeded", {1, 1, "users.jsonl", 0.0042}),
            "Seeded 1 table with 1 item from users.jsonl in 0.004 s");
  EXPECT_EQ(LoadedText("Loaded", {1, 0, "users.table.json", 12}),
            "Loaded 1 table with 0 items from users.table.json in 12.0 s");
}

}  // namespace
}  // namespace hashrange
