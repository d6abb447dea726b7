// Notes below the figures of runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lab/language/lab_reader.h"
#include "lab/report/lab_figures.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

// Returns the note about what is deleted, of a file with so many tickets; empty: there is none.
std::string NoteOfDeletes(const std::string& count) {
  const auto file = ReadLabFile(R"(
lab: 1
entities:
  Ticket: {count: )" + count + R"(, attributes: {ticket_id: {sequence: 6}}}
access_patterns:
  drop: {delete: Ticket, by: [ticket_id], rate: 20/s}
  open: {create: Ticket, rate: 5/s}
layouts:
  one: {tables: {app: {key: [PK], items: {Ticket: {PK: "T#{ticket_id}"}}}}}
traffic: [{for: 20s, rate: 1}]
)",
                                "test.yaml");
  EXPECT_TRUE(file.ok()) << file.error().message;
  const auto result = RunLab(*file, {.confirms_first_limit = false});
  EXPECT_TRUE(result.ok()) << result.error().message;
  const std::vector<std::string> notes = MakeLabFigures(*file, *result).notes;
  const auto found = std::ranges::find_if(
      notes, [](const std::string& note) { return note.starts_with("The traffic would delete"); });
  return found == notes.end() ? "" : *found;
}

TEST(LabNotes, MoreIsDeletedThanThereIs) {
  EXPECT_EQ(NoteOfDeletes("150"),
            "The traffic would delete about 400 instances of Ticket, and there are 150 when it "
            "begins and about 100 that it creates: after about 50 % of its calls none is left, and "
            "what is about one is left out. Raise `count`, or create as many as are deleted.");
  EXPECT_EQ(NoteOfDeletes("300"), "");
}

}  // namespace
}  // namespace hashrange
