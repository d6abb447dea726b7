#include "lab/language/lab_starter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

TEST(LabStarter, IsReadWithoutAWarning) {
  const auto file = ReadLabFile(LabStarterText(), "lab.yaml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->warnings, std::vector<std::string>{});
  EXPECT_EQ(file->layouts.size(), 2U);
  EXPECT_EQ(file->patterns.size(), 6U);
}

}  // namespace
}  // namespace hashrange
