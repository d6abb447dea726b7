// Each file reads/NAME.yaml is a lab file, and reads/NAME.txt has the plans of all its patterns in
// all its layouts. With HASHRANGE_WRITE_PLANS in the environment the latter are written anew.
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

class ReadPlanner : public testing::TestWithParam<const char*> {};

TEST_P(ReadPlanner, PlansAreAsExpected) {
  const std::string path = std::string(HASHRANGE_SOURCE_DIR "/tests/lab/plan/reads/") + GetParam();
  const LabFile file = LabFileOf(FileText(path + ".yaml"));
  const std::string plans = AllPlansText(file);
  if (std::getenv("HASHRANGE_WRITE_PLANS") != nullptr) std::ofstream(path + ".txt") << plans;
  EXPECT_EQ(plans, FileText(path + ".txt"));
}

INSTANTIATE_TEST_SUITE_P(Files, ReadPlanner,
                         testing::Values("shop", "ranges", "leftovers", "together", "gets",
                                         "findings"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace hashrange
