// Runs of a file whose partitions serve other units than the service's, held against runs with the
// usual ones.
#include <gtest/gtest.h>

#include <string>

#include "lab/language/lab_reader.h"
#include "lab/report/lab_figures.h"
#include "lab/report/lab_report.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

// Each score is an entry under one key of the index.
constexpr const char* kBoard = R"(
lab: 1
entities:
  Score: {count: 500, attributes: {player_id: {sequence: 6}, score: {number: [0, 9999]}}}
access_patterns:
  submit: {create: Score, rate: 20/s}
  top ten: {query: Score, order: -score, limit: 10, rate: 1/s}
layouts:
  one key:
    tables:
      scores:
        key: [PK]
        indexes: {ByScore: {key: [BOARD, RANK], projection: all}}
        items: {Score: {PK: "{player_id}", BOARD: ALL, RANK: "{score:04}"}}
traffic: [{for: 1m, rate: 1}]
limits: {"*": {headroom: 20}}
)";

constexpr const char* kTenth = "partitions: {write_units: 100, read_units: 300}\n";

// A file with its run. They do not move, as the figures refer to both.
struct Board {
  Board(const std::string& yaml, bool tries_limit) {
    auto read = ReadLabFile(yaml, "test.yaml");
    EXPECT_TRUE(read.ok()) << read.error().message;
    file = std::move(*read);
    LabRunOptions options;
    options.confirms_first_limit = tries_limit;
    auto run = RunLab(file, options);
    EXPECT_TRUE(run.ok()) << run.error().message;
    result = std::move(*run);
    figures = MakeLabFigures(file, result);
  }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  const LabLayoutFigures& layout() const { return figures.layouts.at(0); }
  std::string Text() const { return LabTextReport(file, result, {.columns = 1000}); }

  LabFile file = {};
  LabResult result = {};
  LabFigures figures = {};
};

TEST(LabPartitions, ATenthOfTheUnitsIsATenthOfTheHeadroom) {
  const Board usual(kBoard, false);
  const Board tenth(std::string(kBoard) + kTenth, true);
  ASSERT_TRUE(usual.layout().first_limit && tenth.layout().first_limit);
  const DeclaredLimit& first = *usual.layout().first_limit;
  const DeclaredLimit& of_tenth = *tenth.layout().first_limit;
  EXPECT_DOUBLE_EQ(of_tenth.computed, first.computed / 10);
  EXPECT_EQ(of_tenth.row.key, "BOARD=ALL");
  EXPECT_EQ(of_tenth.row.limit, 100);
  EXPECT_EQ(of_tenth.not_confirmed_because, "");  // trials confirm it
  EXPECT_DOUBLE_EQ(of_tenth.multiple, of_tenth.computed);
  EXPECT_EQ(LimitViolations(usual.file, usual.result), std::vector<std::string>{});
  EXPECT_EQ(LimitViolations(tenth.file, tenth.result).size(), 1u);
  const std::string text = tenth.Text();
  EXPECT_NE(text.find("(IndexWriteKeyRangeThroughputExceeded; a partition serves 100 write units "
                      "here)"),
            text.npos)
      << text;
  EXPECT_NE(text.find("read_units 300, not 3,000; write_units 100, not 1,000."), text.npos) << text;
}

TEST(LabPartitions, FindingsAndTheVerdictFollow) {
  std::string busy = kBoard;
  busy.replace(busy.find("20/s"), 4, "150/s");
  const Board usual(busy, false);
  const Board tenth(busy + kTenth, false);
  const auto evidence_of = [](const Board& board, const std::string& rule) {
    for (const ReportedFinding& finding : board.layout().input.findings) {
      if (finding.rule == rule) return finding.what + " " + finding.evidence;
    }
    return std::string("none");
  };
  EXPECT_EQ(evidence_of(usual, "hot-key-at-peak"), "none");
  EXPECT_EQ(
      evidence_of(tenth, "hot-key-at-peak"),
      "At the declared rates one partition key needs more than a partition gives. The key had "
      "100 % of the write units; at the declared rates it needs 150 units a second of at most "
      "100.");
  EXPECT_EQ(evidence_of(usual, "constant-partition-key").substr(0, 114),
            "All items of an entity have the same partition key, which takes at most 1,000 write "
            "and 3,000 read units a second.");
  EXPECT_EQ(evidence_of(tenth, "constant-partition-key").substr(0, 110),
            "All items of an entity have the same partition key, which takes at most 100 write and "
            "300 read units a second.");
  const std::string text = tenth.Text();
  EXPECT_NE(text.find("It does not carry the declared rates"), text.npos) << text;
  EXPECT_EQ(usual.Text().find("It does not carry the declared rates"), text.npos);
  const std::string page = LabHtmlReport(tenth.file, tenth.result);
  EXPECT_NE(page.find("One partition serves 100 write units and 300 read units a second, of "
                      "eventually consistent reads 450,"),
            page.npos);
  EXPECT_NE(page.find("one partition: 100 a second"), page.npos);
}

}  // namespace
}  // namespace hashrange
