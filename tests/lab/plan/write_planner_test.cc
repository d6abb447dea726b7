// Each file writes/NAME.yaml is a lab file, and writes/NAME.txt has the plans of all its patterns
// in all its layouts. With HASHRANGE_WRITE_PLANS in the environment the latter are written anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "plan_text.h"

namespace hashrange {
namespace {

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class WritePlanner : public testing::TestWithParam<const char*> {};

TEST_P(WritePlanner, PlansAreAsExpected) {
  const std::string path = std::string(HASHRANGE_SOURCE_DIR "/tests/lab/plan/writes/") + GetParam();
  const LabFile file = LabFileOf(FileText(path + ".yaml"));
  const std::string plans = AllPlansText(file);
  if (std::getenv("HASHRANGE_WRITE_PLANS") != nullptr) std::ofstream(path + ".txt") << plans;
  EXPECT_EQ(plans, FileText(path + ".txt"));
}

INSTANTIATE_TEST_SUITE_P(Files, WritePlanner, testing::Values("updates", "embedded", "together"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace hashrange
