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

std::string JsonOf(const LabFile& file, const LabResult& result) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteLabJson(file, result, writer);
  return std::string(out.view());
}

TEST(LabJson, EveryFigureIsThere) {
  LabFile file = ShopLab();
  file.limits_of_all.headroom = 5;
  ExpectGolden("tests/lab/report/golden/two.json", InLines(JsonOf(file, ShopLabAtTwoScales())));
}

TEST(LabJson, CallsAtAnEndpointAreOneMember) {
  const std::string json = JsonOf(ShopLab(), ShopLabAtEndpoint());
  const std::size_t begin = json.find(R"("endpoint":)");
  ASSERT_NE(begin, json.npos);
  const std::size_t end = json.find(R"("violations":)", begin);
  ExpectGolden("tests/lab/report/golden/endpoint.json", InLines(json.substr(begin, end - begin)));
  std::string rest = json;
  rest.erase(begin, end - begin);
  EXPECT_EQ(rest, JsonOf(ShopLab(), ShopLabResult()));
}

TEST(LabJson, FirstErrorOfAPatternIsANote) {
  LabResult result = ShopLabResult();
  result.runs[0].patterns[3].error = "PutItem was answered by ValidationException: too large.";
  EXPECT_NE(JsonOf(ShopLab(), result)
                .find(R"("notes":["\"sign up\" in \"one key\" had calls that failed by an error. )"
                      R"(The first: PutItem was answered by ValidationException: too large.",)"),
            std::string::npos);
}

TEST(LabJson, TimesOfTheMachineAreNot) {
  LabResult result = ShopLabResult();
  const std::string json = JsonOf(ShopLab(), result);
  for (LayoutRun& run : result.runs) {
    run.load_seconds = 77;
    run.run_seconds = 78;
  }
  EXPECT_EQ(json, JsonOf(ShopLab(), result));
}

TEST(LabJson, NothingWasRun) {
  EXPECT_EQ(
      JsonOf(ShopLab(), {}),
      R"({"seed":7,"thin":1,"verdict":{"layout":null,"headline":"No layout was run.",)"
      R"("reasons":[],"rule":"A layout that keeps every item, can serve every pattern and )"
      R"(does not fail every call of one is taken before others, then one that carries the )"
      R"(declared rates, then one that holds the file's limits, then one whose cost is known, then the cheapest."},"layouts":[],"scales":[],"violations":[],"notes":[]})");
}

TEST(LabJson, HostileTextsAreValidUtf8WithoutControls) {
  const std::string json = JsonOf(HostileLab(), HostileLabResult());
  EXPECT_TRUE(IsValidUtf8(json));
  EXPECT_EQ(json, ReadableText(json));
}

}  // namespace
}  // namespace hashrange
