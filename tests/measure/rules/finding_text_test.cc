#include "measure/rules/finding_text.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(FindingText, SizesHaveTheirUnit) {
  EXPECT_EQ(StoredSizeText(0), "0 bytes");
  EXPECT_EQ(StoredSizeText(1), "1 byte");
  EXPECT_EQ(StoredSizeText(1023), "1,023 bytes");
  EXPECT_EQ(StoredSizeText(1536), "1.5 KB");
  EXPECT_EQ(StoredSizeText(350.0 * 1024), "350 KB");
  EXPECT_EQ(StoredSizeText(10.0 * 1024 * 1024 * 1024), "10 GB");
  EXPECT_EQ(StoredSizeText(2048.0 * 1024 * 1024 * 1024), "2 TB");
}

TEST(FindingText, NamesStandInBackquotes) { EXPECT_EQ(InBackticks("status"), "`status`"); }

}  // namespace
}  // namespace hashrange
