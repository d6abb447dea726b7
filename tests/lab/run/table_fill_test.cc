// The sentences about items that cannot be stored, as `lab run` and `lab explain` give them.
#include <gtest/gtest.h>

#include <string>

#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

// Returns a file whose notes have so many bytes, and are the sort keys.
LabFile FileOfNotes(const std::string& bytes) {
  return FileOf(R"(lab: 1
entities: {Note: {count: 60, attributes: {note_id: {sequence: 4}, note: {text: )" +
                bytes + R"(}}}}
access_patterns: {read: {get: Note, by: [note_id], rate: 1/s}}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {GSI1: {key: [GSI1PK]}}
        items: {Note: {PK: "N#{note_id}", SK: "T#{note}", GSI1PK: "{note}"}}
)");
}

template <typename T>
std::string Complaint(const Result<T>& result) {
  return result.ok() ? "nothing" : result.error().message;
}

TEST(RefusedItem, AKeyThatIsTooLongIsNamedWithItsTemplate) {
  const LabFile file = FileOfNotes("{uniform: [10, 1900]}");
  const std::string sentence = Complaint(RunLab(file, {}));
  EXPECT_TRUE(sentence.starts_with(
      "An item of Note cannot be stored. Layout \"one\": SK, by the template \"T#{note}\" in line "
      "10, has 1,"))
      << sentence;
  EXPECT_TRUE(sentence.ends_with(" bytes, and a sort key has 1,024 at most")) << sentence;
  EXPECT_EQ(Complaint(ExplainLab(file)), sentence);
}

TEST(RefusedItem, KeysOfIndexesAreNamedToo) {
  const std::string empty = Complaint(RunLab(FileOfNotes("{uniform: [0, 1]}"), {}));
  EXPECT_EQ(empty,
            "An item of Note cannot be stored. Layout \"one\": GSI1PK, by the template \"{note}\" "
            "in line 10, is empty, and a partition key must not be");
}

TEST(RefusedItem, KeysOfTheRightLengthAreStored) {
  EXPECT_EQ(Complaint(ExplainLab(FileOfNotes("{uniform: [10, 1000]}"))), "nothing");
}

}  // namespace
}  // namespace hashrange
