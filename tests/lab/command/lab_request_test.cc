#include "lab/command/lab_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/output_buffer.h"
#include "lab/command/small_lab.h"
#include "lab/forecast/forecast_curve.h"
#include "lab/language/lab_reader.h"
#include "lab/language/lab_texts.h"
#include "lab/report/lab_report.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using testing::HasSubstr;

std::string Answered(std::string_view request, std::string_view text = kSmallLab,
                     const LabStopper& progress = {}) {
  return AnswerLabRequest(request, text, progress);
}

// Returns the answer of a request that is wrong.
std::string WrongAnswer(const std::string& sentence) {
  return R"({"outcome":"wrong","text":"","messages":[)" + JsonText(sentence) + "]}";
}

std::string Member(const std::string& answer, std::string_view name) {
  const auto json = OwnedJson::Parse(answer, JsonDialect::kDocument);
  return json.ok() ? std::string(TextMember(json->value(), name)) : "no JSON: " + answer;
}

TEST(LabRequest, ARunHasTheTextsOfTheReports) {
  const auto file = ReadLabFile(kSmallLab, "shop.yaml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  LabRunOptions options;
  options.scales = {1, 3};
  options.confirms_first_limit = false;
  const auto result = RunLab(*file, options);
  ASSERT_TRUE(result.ok()) << result.error().message;
  OutputBuffer figures;
  JsonWriter writer(figures);
  WriteLabJson(*file, *result, writer);
  const std::string expected =
      R"({"outcome":"done","text":)" + JsonText(LabTextReport(*file, *result, {.columns = 90})) +
      R"(,"messages":[],"json":)" + JsonText(std::string(figures.view()) + "\n") + R"(,"html":)" +
      JsonText(LabHtmlReport(*file, *result)) + "}";
  EXPECT_EQ(Answered(R"({"command":"run","name":"shop.yaml","scale":[3,1,3],"no_confirm":true,)"
                     R"("columns":90,"json":true,"html":true})"),
            expected);
}

TEST(LabRequest, AnExplanationHasItsTextAndItsCurves) {
  const auto lab = LoadLab(kSmallLab, "lab.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const auto layouts = ExplainLab(lab->file, {.only_layouts = {"plain"}});
  ASSERT_TRUE(layouts.ok()) << layouts.error().message;
  EXPECT_EQ(Answered(R"({"command":"explain","layout":["plain"]})"),
            R"({"outcome":"done","text":)" + JsonText(ExplanationText(lab->file, *layouts, {})) +
                R"(,"messages":[]})");
  const auto curves = DrawForecastCurves(*lab, {"rates.look=10/s..30/s"}, {"plain"}, nullptr);
  ASSERT_TRUE(curves.ok()) << curves.error().message;
  OutputBuffer plans;
  JsonWriter writer(plans);
  WriteExplanationJson(lab->file, *layouts, writer, *curves);
  const std::string answer = Answered(
      R"({"command":"explain","vary":["rates.look=10/s..30/s"],"layout":["plain"],"json":true})");
  EXPECT_EQ(Member(answer, "text"), ExplanationText(lab->file, *layouts, {}, *curves));
  EXPECT_EQ(Member(answer, "json"), std::string(plans.view()) + "\n");
}

TEST(LabRequest, ACheckSaysWhetherAllLimitsHold) {
  const auto check = [](const std::string& limits) {
    return Answered(R"({"command":"check"})", std::string(kSmallLab) + limits);
  };
  EXPECT_EQ(check("limits: {\"*\": {throttled: 0.01}}\n"),
            R"({"outcome":"done","text":"within limits\n","messages":[]})");
  EXPECT_THAT(check("limits: {\"*\": {headroom: 100000}}\n"),
              testing::StartsWith(R"({"outcome":"exceeded","text":"plain: headroom )"));
}

TEST(LabRequest, TextsForAuthorsNeedNoLabFile) {
  EXPECT_EQ(Member(Answered(R"({"command":"schema"})", ""), "text"), LabSchemaText());
  EXPECT_EQ(Member(Answered(R"({"command":"init"})", ""), "text"), LabStarterText());
}

TEST(LabRequest, AWrongRequestIsRefused) {
  for (const char* const request : {"", "[]", "7", "{\"command\":", "{\"command\":\"\xFF\"}"}) {
    EXPECT_EQ(Answered(request), WrongAnswer("The request is no JSON object.")) << request;
  }
  EXPECT_EQ(Answered("{}"), WrongAnswer("unknown command \"\""));
  EXPECT_EQ(Answered(R"({"command":"rum"})"),
            WrongAnswer("unknown command \"rum\"; did you mean run?"));
  EXPECT_EQ(Answered(R"({"command":"run","command_line":1})"),
            WrongAnswer(R"("command_line" is not known here. The members are "command", "name", )"
                        R"("columns", "json", "layout", "max_memory_bytes", "vary", "no_confirm", )"
                        R"("html", "thin", "scale".)"));
  EXPECT_EQ(Answered(R"({"command":"schema","name":"a"})"),
            WrongAnswer(R"("name" is not known here. The members are "command".)"));
  EXPECT_EQ(Answered(R"({"command":"run","layout":"plain"})"),
            WrongAnswer(R"("layout" is not a list.)"));
}

TEST(LabRequest, ANumberThatIsOutOfBoundsIsRefused) {
  for (const char* const number : {"0", "-1", "1.5", "1000001", "1e300", "\"2\"", "true", "[1]"}) {
    EXPECT_EQ(Answered(R"({"command":"run","thin":)" + std::string(number) + "}"),
              WrongAnswer("\"thin\" is not a whole number from 1 to 1000000."))
        << number;
    EXPECT_EQ(Answered(R"({"command":"run","scale":[2,)" + std::string(number) + "]}"),
              WrongAnswer("\"scale\" has an element that is not a whole number from 1 to 1000000."))
        << number;
  }
}

TEST(LabRequest, AWrongFileHasItsPlaceAndName) {
  EXPECT_EQ(Answered(R"({"command":"run"})", ""), WrongAnswer("lab.yaml:1:1: the file is empty"));
  EXPECT_EQ(Answered(R"({"command":"explain","name":"\u001B[2J"})", ""),
            WrongAnswer("\\u{1B}[2J:1:1: the file is empty"));
}

TEST(LabRequest, ARunThatTheHostStopsHasAReport) {
  const LabStopper at_once = [](double) { return true; };
  constexpr std::string_view kLong = R"({"command":"run","scale":[100],"json":true})";
  const std::string answer = Answered(kLong, kSmallLab, at_once);
  EXPECT_THAT(answer, testing::StartsWith(R"({"outcome":"interrupted","text":")"));
  EXPECT_THAT(
      answer,
      HasSubstr(R"("messages":["interrupted: the report is about what was done until then"])"));
  EXPECT_NE(Member(answer, "json"), "");
}

TEST(LabRequest, ACheckThatTheHostStopsHasNoVerdict) {
  const LabStopper at_once = [](double) { return true; };
  EXPECT_EQ(Answered(R"({"command":"check","scale":[100]})",
                     std::string(kSmallLab) + "limits: {\"*\": {throttled: 0.01}}\n", at_once),
            R"({"outcome":"interrupted","text":"","messages":["interrupted: the report is about )"
            R"(what was done until then"]})");
}

TEST(LabRequest, ProgressAscendsToItsEnd) {
  std::vector<double> told;
  const LabStopper listen = [&](double done) {
    told.push_back(done);
    return false;
  };
  Answered(R"({"command":"run","scale":[20]})", kSmallLab, listen);
  ASSERT_GT(told.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.back(), 1);
}

TEST(LabRequest, DataThatTakesTooMuchMemoryIsRefused) {
  EXPECT_THAT(Answered(R"({"command":"run","max_memory_bytes":1000})"),
              testing::StartsWith(R"({"outcome":"wrong","text":"","messages":["Layout \"plain\": )"
                                  R"(the data takes more memory than the run may take.)"));
}

}  // namespace
}  // namespace hashrange
