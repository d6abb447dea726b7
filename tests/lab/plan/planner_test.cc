// Each file reads/NAME.yaml or writes/NAME.yaml is a lab file, and NAME.txt beside it has the plans
// of all its patterns in all its layouts.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "lab/plan/plan_text.h"
#include "support/golden_text.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Planner : public testing::TestWithParam<const char*> {};

TEST_P(Planner, PlansAreAsExpected) {
  const std::string path = std::string("tests/lab/plan/") + GetParam();
  const LabFile file = FileOf(FileText((SourceRoot() / (path + ".yaml")).string()));
  ExpectGolden(path + ".txt", AllPlansText(file));
}

INSTANTIATE_TEST_SUITE_P(
    Files, Planner,
    testing::Values("reads/shop", "reads/ranges", "reads/numbers", "reads/added_numbers",
                    "reads/buckets", "reads/walks", "reads/ahead", "reads/leftovers",
                    "reads/parents", "reads/together", "reads/gets", "reads/findings",
                    "reads/sparse", "reads/roles", "reads/steps", "reads/others", "reads/forms",
                    "reads/each_walks", "reads/literals", "reads/key_values",
                    "reads/self_references", "reads/obstacles", "reads/searches",
                    "reads/several_items", "reads/apart", "reads/copied_references",
                    "writes/updates", "writes/embedded", "writes/together", "writes/read_before",
                    "writes/fan_out", "writes/ancestors"),
    [](const auto& test) {
      std::string name = test.param;
      std::ranges::replace(name, '/', '_');
      return name;
    });

}  // namespace
}  // namespace hashrange
