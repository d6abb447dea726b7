// The expected costs of patterns are held against what runs took: the figures of the examples
// (lab/examples/figures.json, which conformance/lab/test_examples.py holds against runs).
#include "lab/plan/request/pattern_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "lab/language/lab_reader.h"
#include "plan_text.h"
#include "support/source_root.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

const std::filesystem::path kExamples = std::filesystem::path(SourceRoot()) / "lab/examples";

std::string TextOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Returns the number before a word: 2.5 of "1.0 requests, 2.5 read units".
double NumberBefore(const std::string& text, const std::string& word) {
  const std::size_t end = text.rfind(" " + word);
  const std::size_t begin = text.rfind(' ', end - 1) + 1;
  double number = 0;
  std::from_chars(text.data() + begin, text.data() + end, number);
  return number;
}

struct RunFigure {
  std::string where;
  const char* what;
  double expected;
  double measured;
};

// Returns whether the expectation is right to 10 %, or to a twentieth of a unit.
bool IsRight(const RunFigure& figure) {
  return std::abs(figure.expected - figure.measured) <= std::max(0.05, 0.1 * figure.measured);
}

TEST(PatternCost, IsWhatRunsOfTheExamplesTook) {
  const auto figures = OwnedJson::Parse(TextOf(kExamples / "figures.json"), JsonDialect::kDocument);
  ASSERT_TRUE(figures.ok());
  int compared = 0;
  for (const JsonMember& example : figures->value().members()) {
    const std::string name(example.name);
    const LabFile file = FileOf(TextOf(kExamples / (name + ".yaml")));
    for (std::size_t layout = 0; layout < file.layouts.size(); ++layout) {
      const LayoutPlan plan = PlanOf(file, static_cast<int>(layout));
      const JsonValue* const patterns =
          example.value.Find(file.layouts[layout].name)->Find("patterns");
      for (const PatternPlan& one : plan.patterns) {
        const std::string& pattern = file.patterns[static_cast<std::size_t>(one.pattern)].name;
        const std::string text(patterns->Find(pattern)->string());
        if (text.find("None") != text.npos) continue;
        const std::string where = name + " / " + file.layouts[layout].name + " / " + pattern;
        for (const RunFigure& figure :
             {RunFigure{where, "requests", one.cost.requests, NumberBefore(text, "requests")},
              RunFigure{where, "read units", one.cost.ReadUnits(),
                        NumberBefore(text, "read units")},
              RunFigure{where, "write units", one.cost.WriteUnits(),
                        NumberBefore(text, "write units")}}) {
          ++compared;
          EXPECT_TRUE(IsRight(figure)) << figure.where << ": " << figure.what << " expected "
                                       << figure.expected << ", measured " << figure.measured;
        }
      }
    }
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace hashrange
