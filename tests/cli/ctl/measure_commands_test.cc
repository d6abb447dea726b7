// Tests the commands that work on files. conformance/program tests those that call a server.
#include "cli/ctl/measure_commands.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/ctl/measurement_source.h"
#include "cli/stored_files.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

using MeasureFunction = Result<int>(const MeasureLine&);

struct Outcome {
  int exit_code;  // -1: an error
  std::string text;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << outcome.exit_code << " " << outcome.text;
}

// Returns what the command prints to stdout, or the sentence of its error.
Outcome OutcomeOf(MeasureFunction command, const MeasureLine& line) {
  testing::internal::CaptureStdout();
  const Result<int> result = command(line);
  std::string printed = testing::internal::GetCapturedStdout();
  if (result.ok()) return {*result, std::move(printed)};
  EXPECT_EQ(printed, "");
  return {-1, result.error().message};
}

// The same traffic, but an order query takes 1.5 read units.
Measurement DearerMeasurement() {
  Measurement measurement = SignUpMeasurement();
  PatternMeasure& orders = measurement.patterns[1];
  orders.units[0].read_units = 600;
  orders.call.read_units = {};
  orders.call.read_units.Add(1.5, 400);
  return measurement;
}

TEST(MeasureCommands, AComparisonPrintsEachRegressionAsALine) {
  const StoredFiles files;
  MeasureLine line;
  line.against = files.Add("before.json", SignUpMeasurement());
  line.measurements = {files.Add("now.json", DearerMeasurement())};
  EXPECT_EQ(OutcomeOf(CompareMeasures, line),
            (Outcome{1,
                     "Query shop.GSI1 CUST#{id}: read units a call rose from 0.5 to 1.5.\n"
                     "Query shop.GSI1 CUST#{id}: p99 of read units rose from 0.5 to 1.5.\n"
                     "Query shop.GSI1 CUST#{id}: US$ per million calls rose from 0.0625 to "
                     "0.188.\n"}));
  line.options =
      files.Add("options.json", R"({"names":[{"name":"orders\t1","operation":"Query"}]})");
  EXPECT_EQ(OutcomeOf(CompareMeasures, line),
            (Outcome{1,
                     "orders\\u{9}1: read units a call rose from 0.5 to 1.5.\n"
                     "orders\\u{9}1: p99 of read units rose from 0.5 to 1.5.\n"
                     "orders\\u{9}1: US$ per million calls rose from 0.0625 to 0.188.\n"}));
  line.asks_for_json = true;
  const Outcome json = OutcomeOf(CompareMeasures, line);
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(json.text.starts_with(R"({"passed":false,"regressions":[)")) << json.text;
}

TEST(MeasureCommands, WhatGotBetterIsNoRegression) {
  const StoredFiles files;
  MeasureLine line;
  line.against = files.Add("before.json", DearerMeasurement());
  line.measurements = {files.Add("now.json", SignUpMeasurement())};
  EXPECT_EQ(OutcomeOf(CompareMeasures, line), (Outcome{0, "no regressions\n"}));
  line.against = files.Path("none.json");
  EXPECT_EQ(OutcomeOf(CompareMeasures, line),
            (Outcome{-1, "cannot read " + line.against + ": No such file or directory"}));
}

TEST(MeasureCommands, ACheckPrintsEachViolationAsALine) {
  const StoredFiles files;
  MeasureLine line;
  line.measurements = {files.Add("run.json", SignUpMeasurement())};
  line.budgets = files.Add("budgets.json", R"({"patterns":{"sign up":{"write_units":2}}})");
  EXPECT_EQ(OutcomeOf(CheckMeasure, line), (Outcome{0, "within budgets\n"}));
  line.asks_for_json = true;
  EXPECT_EQ(OutcomeOf(CheckMeasure, line), (Outcome{0, "{\"passed\":true,\"violations\":[]}\n"}));
  files.Add("budgets.json",
            R"({"patterns":{"sign up":{"write_units":1},"sign out":{"errors":0}}})");
  const Outcome json = OutcomeOf(CheckMeasure, line);
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(json.text.starts_with(R"({"passed":false,"violations":[)")) << json.text;
  line.asks_for_json = false;
  EXPECT_EQ(OutcomeOf(CheckMeasure, line),
            (Outcome{1,
                     "sign up: write_units max is 2; at most 1 is allowed.\n"
                     "No call matches the budget of \"sign out\".\n"}));
}

// An exit code of 1 is a verdict.
TEST(MeasureCommands, AMissingFileIsNoVerdict) {
  for (const char* const command : {"check", "compare"}) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(RunMeasure(command, {.measurements = {"no-such.json"},
                                   .against = "no-such.json",
                                   .budgets = "no-budgets.json"}),
              2)
        << command;
    EXPECT_NE(testing::internal::GetCapturedStderr(), "");
  }
}

TEST(MeasureCommands, AReportIsTextOrJson) {
  const StoredFiles files;
  MeasureLine line;
  line.measurements = {files.Add("run.json", SignUpMeasurement())};
  const Outcome text = OutcomeOf(ReportMeasures, line);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.text.find("sign up"), text.text.npos) << text.text;
  EXPECT_EQ(text.text.find('\x1b'), text.text.npos);
  line.asks_for_json = true;
  const Outcome json = OutcomeOf(ReportMeasures, line);
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_TRUE(json.text.starts_with(R"({"measurements":[{)")) << json.text;
  EXPECT_TRUE(json.text.ends_with("}\n"));
}

TEST(MeasureCommands, AReportIsAnHtmlFile) {
  const StoredFiles files;
  MeasureLine line;
  line.measurements = {files.Add("run.json", SignUpMeasurement())};
  line.output = files.Path("report.html");
  EXPECT_EQ(OutcomeOf(ReportMeasures, line), (Outcome{0, ""}));
  EXPECT_TRUE(files.Content("report.html").starts_with("<!DOCTYPE html>"));
  line.asks_for_json = true;
  EXPECT_EQ(OutcomeOf(ReportMeasures, line), (Outcome{-1, "--html and --json exclude each other"}));
  line.asks_for_json = false;
  line.output = files.Path("no/report.html");
  EXPECT_EQ(OutcomeOf(ReportMeasures, line),
            (Outcome{-1, line.output + ": it cannot be written: No such file or directory"}));
}

TEST(MeasureCommands, MeasurementsOfOneNameAreCalledAsTheirFiles) {
  const StoredFiles files;
  Measurement other = DearerMeasurement();
  other.name = "another";
  MeasureLine line;
  line.output = files.Path("report.html");
  line.measurements = {files.Add("a.json", SignUpMeasurement()), files.Add("c.json", other)};
  ASSERT_EQ(OutcomeOf(ReportMeasures, line).exit_code, 0);
  EXPECT_EQ(files.Content("report.html").find("a.json"), std::string::npos);
  line.measurements.push_back(files.Add("b.json", DearerMeasurement()));
  ASSERT_EQ(OutcomeOf(ReportMeasures, line).exit_code, 0);
  const std::string page = files.Content("report.html");
  EXPECT_NE(page.find("a.json"), page.npos);
  EXPECT_NE(page.find("b.json"), page.npos);
  EXPECT_EQ(page.find("c.json"), page.npos);
}

TEST(MeasureCommands, AMeasurementIsShownAsJson) {
  const StoredFiles files;
  MeasureLine line;
  line.measurements = {files.Add("run.json", SignUpMeasurement())};
  EXPECT_EQ(OutcomeOf(ShowMeasure, line), (Outcome{0, files.Content("run.json") + "\n"}));
}

TEST(MeasureCommands, ThePrintedPricesCanBeRead) {
  const Outcome printed = OutcomeOf(PrintPrices, {});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_TRUE(printed.text.starts_with("{\n  \"region\": \"us-east-1\",\n")) << printed.text;
  const StoredFiles files;
  const Result<PriceList> prices = LoadPriceList(files.Add("prices.json", printed.text));
  ASSERT_TRUE(prices.ok()) << prices.error().message;
  EXPECT_EQ(prices->prices, BuiltInPrices().prices);
}

TEST(MeasureCommands, AFileThatCannotBeWrittenLeavesTheMeasurementRunning) {
  const StoredFiles files;
  MeasureLine line;
  line.name = "app";
  line.server.port = 1;  // no server listens there, so a call would give another sentence
  line.output = files.Path("no/run.json");
  EXPECT_EQ(OutcomeOf(StopMeasure, line),
            (Outcome{-1, line.output + ": it cannot be written: No such file or directory"}));
  line.output = files.Add("old.json", "old");
  EXPECT_EQ(OutcomeOf(StopMeasure, line),
            (Outcome{-1, "no server at 127.0.0.1 port 1: Connection refused"}));
  EXPECT_EQ(files.Content("old.json"), "old");
  line.name = "";
  EXPECT_EQ(OutcomeOf(StopMeasure, line), (Outcome{-1, "the name of a measurement is not empty"}));
}

}  // namespace
}  // namespace hashrange
