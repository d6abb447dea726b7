// No sentence of the lab ends in two stops, or has a semicolon behind a stop.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "lab/language/lab_reader.h"
#include "lab/plan/layout_plan.h"
#include "lab/report/lab_plans.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

// Returns the place of a stop with another behind it, which is no part of "…" in three dots, of a
// path or of a number; npos: there is none.
std::size_t DoubleStop(const std::string& text) {
  for (std::size_t at = text.find('.'); at != std::string::npos; at = text.find('.', at + 1)) {
    if (text.compare(at, 2, ".;") == 0) return at;
    if (text.compare(at, 2, "..") != 0) continue;
    std::size_t end = at;
    while (end < text.size() && text[end] == '.') ++end;
    if (end - at == 2 && (end == text.size() || text[end] != '/')) return at;
    at = end - 1;
  }
  return std::string::npos;
}

TEST(LabStops, AreFoundWhereTheyAreTwo) {
  EXPECT_EQ(DoubleStop("It is so.. And"), 8u);
  EXPECT_EQ(DoubleStop("It is so.; and"), 8u);
  EXPECT_EQ(DoubleStop("a ... b ../c. 1.5; d."), std::string::npos);
}

TEST(LabStops, SentencesOfGoldensAndMessagesHaveOne) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SourceRoot() / "tests/lab")) {
    const std::string extension = entry.path().extension();
    if (extension != ".txt" && extension != ".json" && extension != ".html" &&
        extension != ".inc") {
      continue;
    }
    ++files;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::size_t at = DoubleStop(all);
    EXPECT_EQ(at, std::string::npos)
        << entry.path() << ": " << all.substr(at < 60 ? 0 : at - 60, 90);
  }
  EXPECT_GT(files, 20);
}

// A write that cannot be served, one that reads first what it needs, and a Scan.
TEST(LabStops, FindingsHaveOne) {
  const auto file = ReadLabFile(R"(
lab: 1
entities:
  User: {count: 5, attributes: {id: {sequence: 1}, name: {text: 9}}}
  Post: {of: User, count: 2, attributes: {post_id: {sequence: 2}, state: {choice: [a, b]}}}
access_patterns:
  write: {create: Post, rate: 1/s}
  posts: {query: Post, by: [id], rate: 1/s}
  find: {query: User, by: [name], rate: 1/s}
  change: {update: Post, by: [post_id], set: {state: b}, rate: 1/s}
layouts:
  users: {tables: {app: {key: [PK, SK], items: {User: {PK: "{id}", SK: A}}}}}
  both: {tables: {app: {key: [PK, SK], indexes: {ByState: {key: [state, PK]}}, items: {User: {PK: "{id}", SK: A}, Post: {PK: "{id}", SK: "{post_id}", state: "{state}"}}}}}
)",
                                "lab");
  ASSERT_TRUE(file.ok()) << file.error().message;
  std::string text;
  for (int layout = 0; layout < 2; ++layout) {
    const auto plan = PlanLayout(*file, layout);
    ASSERT_TRUE(plan.ok());
    for (const PlanFinding& finding : plan->findings) {
      text += finding.rule + " " + finding.where + ": " + finding.evidence + "\n";
    }
  }
  EXPECT_EQ(DoubleStop(text), std::string::npos) << text;
  EXPECT_EQ(text,
            "unserved-pattern pattern write: the layout does not store Post.\n"
            "unserved-pattern pattern posts: the layout does not store Post.\n"
            "unserved-pattern app, pattern find: app: its partition key {id} needs id, which the "
            "caller does not know.\n"
            "unserved-pattern pattern change: the layout does not store Post.\n"
            "unserved-pattern app, pattern find: app: its partition key {id} needs id, which the "
            "caller does not know; ByState: it holds no items of User.\n"
            "unserved-pattern app / ByState, pattern change: app: its partition key {id} needs id, "
            "which the caller does not know; ByState: its partition key {state} needs state, which "
            "the caller does not know.\n");
}

}  // namespace
}  // namespace hashrange
