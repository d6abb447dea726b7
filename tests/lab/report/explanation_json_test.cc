#include <gtest/gtest.h>

#include <string>

#include "base/output_buffer.h"
#include "base/utf8.h"
#include "lab/report/lab_example.h"
#include "lab/report/lab_report.h"
#include "measure/report/readable_text.h"
#include "support/golden_text.h"
#include "support/json_in_lines.h"

namespace hashrange {
namespace {

std::string JsonOf(const LabFile& file, const std::vector<ExplainedLayout>& layouts) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteExplanationJson(file, layouts, writer);
  return std::string(out.view());
}

TEST(ExplanationJson, PatternsHaveRequestsUnitsAndReasons) {
  ExpectGolden("tests/lab/report/golden/explain.json",
               InLines(JsonOf(ShopLab(), ShopExplanation())));
}

TEST(ExplanationJson, UnitsThatAreNotKnownAreNull) {
  std::vector<ExplainedLayout> layouts = ShopExplanation();
  layouts.resize(1);
  layouts[0].patterns.resize(1);
  layouts[0].patterns[0].read_units = {};
  const std::string json = JsonOf(ShopLab(), layouts);
  EXPECT_NE(json.find(R"("read_units_a_call":null)"), std::string::npos) << json;
}

TEST(ExplanationJson, NothingIsExplained) { EXPECT_EQ(JsonOf(ShopLab(), {}), R"({"layouts":[]})"); }

TEST(ExplanationJson, HostileTextsAreValidUtf8WithoutControls) {
  std::vector<ExplainedLayout> layouts = ShopExplanation();
  layouts[0].name = "\x1B[31m";
  layouts[0].patterns[0].name = "\xE2\x80\xAE";
  layouts[0].patterns[0].plan.reasons = {"\x07"};
  layouts[0].findings[0].what = "\x1B";
  const std::string json = JsonOf(HostileLab(), layouts);
  EXPECT_TRUE(IsValidUtf8(json));
  EXPECT_EQ(json, ReadableText(json));
}

}  // namespace
}  // namespace hashrange
