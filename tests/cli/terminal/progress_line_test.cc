#include "cli/terminal/progress_line.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(ProgressLine, TheLineShowsTheShare) {
  EXPECT_EQ(ProgressLine(0), "hashrange: 0 % [                                        ]");
  EXPECT_EQ(ProgressLine(0.5), "hashrange: 50 % [####################                    ]");
  EXPECT_EQ(ProgressLine(1), "hashrange: 100 % [########################################]");
  EXPECT_EQ(ProgressLine(1.2), ProgressLine(1));
  EXPECT_EQ(ProgressLine(-1), ProgressLine(0));
}

TEST(ProgressLine, NothingIsShownWithoutATerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar;
    bar.Show(0.5);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace hashrange
