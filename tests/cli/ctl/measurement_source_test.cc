// Tests what is read from files. conformance/program tests what is asked of a server.
#include "cli/ctl/measurement_source.h"

#include <gtest/gtest.h>

#include "cli/stored_files.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

// Returns the sentence of the error, with DIR for the folder of the files.
template <typename T>
std::string Complaint(const Result<T>& result, const StoredFiles& files) {
  if (result.ok()) return "";
  EXPECT_EQ(result.error().code, ErrorCode::kValidationException);
  std::string sentence = result.error().message;
  const std::string folder = files.Path("");
  for (std::size_t at; (at = sentence.find(folder)) != sentence.npos;) {
    sentence.replace(at, folder.size(), "DIR/");
  }
  return sentence;
}

TEST(MeasurementSource, AFileIsOneThatExistsOrEndsInJson) {
  const StoredFiles files;
  EXPECT_TRUE(IsStoredMeasurement("none.json"));
  EXPECT_TRUE(IsStoredMeasurement(files.Add("run", "{}")));
  EXPECT_FALSE(IsStoredMeasurement(files.Path("none")));
  EXPECT_FALSE(IsStoredMeasurement(files.Path("")));
  EXPECT_FALSE(IsStoredMeasurement("app"));
}

TEST(MeasurementSource, NamesAreEncodedInPaths) {
  EXPECT_EQ(*MeasurementTarget("app-1.2_x~"), "/_hashrange/measurements/app-1.2_x~");
  EXPECT_EQ(*MeasurementTarget("a b\u00e9"), "/_hashrange/measurements/a%20b%C3%A9");
  const Result<std::string> all = MeasurementTarget("");
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().message, "the name of a measurement is not empty");
}

TEST(MeasurementSource, AMeasurementIsReadFromAFile) {
  const StoredFiles files;
  const std::string file = files.Add("run.json", SignUpMeasurement());
  const Result<Measurement> read = LoadMeasurement(file, {});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->name, "shop");
  EXPECT_EQ(read->patterns.size(), 2u);
  EXPECT_EQ(*LoadMeasurementJson(file, {}), files.Content("run.json"));
}

TEST(MeasurementSource, TheJsonOfAFileKeepsUnknownMembersAndLosesBlanks) {
  const StoredFiles files;
  const std::string file = files.Add("run", "{ \"version\": 2,\n \"later\": [ 1.50 ] }\n");
  const Result<std::string> json = LoadMeasurementJson(file, {});
  ASSERT_TRUE(json.ok()) << json.error().message;
  EXPECT_EQ(*json, R"({"version":2,"later":[1.50]})");
}

TEST(MeasurementSource, WhatIsNoMeasurementIsNamed) {
  const StoredFiles files;
  EXPECT_EQ(Complaint(LoadMeasurement(files.Path("none.json"), {}), files),
            "cannot read DIR/none.json: No such file or directory");
  const std::string other = files.Add("other.json", "{}");
  const std::string sentence = "DIR/other.json: This is no measurement: it has no \"version\".";
  EXPECT_EQ(Complaint(LoadMeasurement(other, {}), files), sentence);
  EXPECT_EQ(Complaint(LoadStoredMeasurement(other), files), sentence);
  EXPECT_EQ(Complaint(LoadMeasurementJson(other, {}), files), sentence);
  const std::string text = files.Add("text.json", "no JSON");
  EXPECT_TRUE(Complaint(LoadMeasurement(text, {}), files).starts_with("DIR/text.json: "));
}

TEST(MeasurementSource, OptionsAndBudgetsAreReadFromFiles) {
  const StoredFiles files;
  EXPECT_TRUE(LoadAssessmentOptions("").ok());
  const Result<AssessmentOptions> options =
      LoadAssessmentOptions(files.Add("options.json", R"({"rates":{"sign up":120}})"));
  ASSERT_TRUE(options.ok()) << options.error().message;
  ASSERT_EQ(options->rates.size(), 1u);
  const Result<Budgets> budgets = LoadBudgets(files.Add("budgets.json", R"({"no_scans":true})"));
  ASSERT_TRUE(budgets.ok()) << budgets.error().message;
  EXPECT_TRUE(budgets->no_scans);
}

TEST(MeasurementSource, WrongOptionsAndBudgetsAreNamed) {
  const StoredFiles files;
  EXPECT_EQ(Complaint(LoadAssessmentOptions(files.Path("none")), files),
            "cannot read DIR/none: No such file or directory");
  EXPECT_EQ(Complaint(LoadAssessmentOptions(files.Add("list.json", "[]")), files),
            "DIR/list.json: The file is not an object.");
  EXPECT_EQ(Complaint(LoadAssessmentOptions(files.Add("a.json", R"({"profile":1})")), files),
            "DIR/a.json: \"profile\" is not a text.");
  EXPECT_EQ(Complaint(LoadBudgets(files.Add("b.json", "[]")), files),
            "DIR/b.json: The file is not an object.");
  EXPECT_EQ(Complaint(LoadBudgets(files.Path("none")), files),
            "cannot read DIR/none: No such file or directory");
}

}  // namespace
}  // namespace hashrange
