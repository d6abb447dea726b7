#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_text.h"
#include "cli/lab_line.h"
#include "cli/stored_files.h"

namespace hashrange {
namespace {

// Returns what `lab explain` says to stderr about the file, without "hashrange: " and the line end.
std::string ExplainComplaint(const std::string& name, std::vector<std::string> layouts = {}) {
  LabLine line;
  line.command = LabLine::Command::kExplain;
  line.file = name;
  line.options.only_layouts = std::move(layouts);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = RunLabLine(line);
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(exit_code, printed.empty() ? 2 : 0) << said;
  constexpr std::string_view kBegin = "hashrange: ";
  return said.empty() ? "" : said.substr(kBegin.size(), said.size() - kBegin.size() - 1);
}

// A lab file whose pattern asks for a value that no entity has, which is worth a warning.
constexpr const char* kWarned = R"(lab: 1
entities: {Page: {count: 9, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {query: Page, by: [{kind: c}], rate: 1/s}}
layouts: {only: {tables: {pages: {key: [id], items: {Page: {}}}}}}
traffic: [{for: 1m, rate: 1}]
)";

TEST(LabCommands, WhatCannotBeReadIsNamedWithTheReason) {
  const StoredFiles files;
  const std::string none = files.Path("none.yaml");
  EXPECT_EQ(ExplainComplaint(none), "cannot read " + none + ": No such file or directory");
  const std::string folder = files.Path("");
  EXPECT_EQ(ExplainComplaint(folder), "cannot read " + folder + ": Is a directory");
  const std::string inside = files.Add("file", "") + "/a.yaml";
  EXPECT_EQ(ExplainComplaint(inside), "cannot read " + inside + ": Not a directory");
}

TEST(LabCommands, AnEmptyFileIsReadAndIsEmpty) {
  const StoredFiles files;
  const std::string name = files.Add("empty.yaml", "");
  EXPECT_EQ(ExplainComplaint(name), name + ":1:1: the file is empty");
}

TEST(LabCommands, WarningsSayThatTheyAreWarnings) {
  const StoredFiles files;
  const std::string name = files.Add("warned.yaml", kWarned);
  EXPECT_TRUE(ExplainComplaint(name).starts_with("warning: " + name + ":3:"));
}

TEST(LabCommands, NumbersThatVaryAreFoundInTheFileOrRefused) {
  const StoredFiles files;
  const std::string name = files.Add("plain.yaml", R"(lab: 1
entities: {Page: {count: 9, attributes: {id: {sequence: 4}}}}
access_patterns: {look: {get: Page, by: [id], rate: 20/s}}
layouts: {only: {tables: {pages: {key: [id], items: {Page: {}}}}}}
traffic: [{for: 1m, rate: 1}]
)");
  const auto explained = [&](const std::string& varied) {
    LabLine line;
    line.command = LabLine::Command::kExplain;
    line.file = name;
    line.varied = {varied};
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    RunLabLine(line);
    return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  };
  const std::string curve = explained("rates.look=10/s..30/s");
  EXPECT_NE(curve.find("US$ a month and headroom, by rates.look"), curve.npos) << curve;
  EXPECT_NE(curve.find("20/s (declared)"), curve.npos) << curve;
  EXPECT_EQ(explained("rates.lok=10/s..30/s"),
            "hashrange: unknown number \"rates.lok\"; did you mean rates.look? Numbers of the "
            "file are \"counts.Page\", \"rates.look\", \"Page.id.sequence\", "
            "\"traffic.0.for\", \"traffic.0.rate\"\n");
}

TEST(LabCommands, UnknownLayoutsAreNamedWithThoseOfTheFile) {
  const StoredFiles files;
  const std::string name = files.Add("layouts.yaml", R"(lab: 1
entities: {Page: {count: 9, attributes: {id: {sequence: 4}}}}
access_patterns: {look: {get: Page, by: [id], rate: 1/s}}
layouts:
  plain: {tables: {pages: {key: [id], items: {Page: {}}}}}
  lines inside: {tables: {pages: {key: [id], items: {Page: {}}}}}
traffic: [{for: 1m, rate: 1}]
)");
  EXPECT_EQ(ExplainComplaint(name), "");
  EXPECT_EQ(ExplainComplaint(name, {"lines inside", "plain"}), "");
  EXPECT_EQ(ExplainComplaint(name, {"plain", "line inside"}),
            "unknown layout \"line inside\"; did you mean lines inside? The file has \"plain\", "
            "\"lines inside\"");
  EXPECT_EQ(ExplainComplaint(name, {"sharded"}),
            "unknown layout \"sharded\". The file has \"plain\", \"lines inside\"");
}

// What `lab propose` does, without a run.
TEST(LabCommands, AProposalIsPrintedAndWritten) {
  const StoredFiles files;
  LabLine line;
  line.command = LabLine::Command::kPropose;
  line.file = files.Add("app.yaml", R"(lab: 1
entities: {Page: {count: 900, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns:
  page: {get: Page, by: [id], rate: 1/s}
  pages of a kind: {query: Page, by: [kind], limit: 5, returns: [id], rate: 1/s}
)");
  line.propose.write = files.Path("proposed.yaml");
  line.propose.skips_run = true;
  line.html = files.Path("proposed.html");
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunLabLine(line), 0);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(printed.starts_with("Best within the stated space: ")) << printed;
  // The page has the layouts and no run.
  const auto page = ReadFileText(*line.html);
  ASSERT_TRUE(page.ok());
  EXPECT_NE(page->find("id=\"why\""), page->npos);
  EXPECT_EQ(page->find("id=\"run\""), page->npos);
  // What was written is a lab file that can be explained.
  EXPECT_EQ(ExplainComplaint(line.propose.write, {"cheapest"}), "");
}

TEST(LabCommands, AProposalDoesNotOverwriteItsFile) {
  const StoredFiles files;
  LabLine line;
  line.command = LabLine::Command::kPropose;
  line.file = files.Add("app.yaml", kWarned);
  line.propose.write = line.file;
  line.propose.skips_run = true;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunLabLine(line), 2);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "hashrange: the result would overwrite the lab file " + line.file + "\n");
}

}  // namespace
}  // namespace hashrange
