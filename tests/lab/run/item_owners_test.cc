#include "lab/run/item_owners.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

// Three posts of each of twenty users: of one day or of two, so that one or two of the three have
// the key of another where the key has the day only.
LabFile UsersWith(const std::string& patterns, const std::string& items) {
  return FileOf(R"(
lab: 1
entities:
  User: {count: 20, attributes: {id: {sequence: 2}, name: {choice: [ann, bob]}, size: {constant: 1}}}
  Post: {of: User, count: 3, attributes: {post_id: {sequence: 3}, day: {choice: ["1", "2"]}, size: {constant: 1}}}
access_patterns:
)" + patterns + R"(
layouts: {only: {tables: {app: {key: [PK, SK], items: {)" +
                items + R"(}}}}}
traffic: [{for: 20s, rate: 1}]
)");
}

LayoutRun OnlyRunOf(const LabFile& file) {
  auto result = RunLab(file, {.confirms_first_limit = false});
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return result->runs.at(0);
}

std::string TextOf(const std::vector<ItemCollisions>& collisions) {
  std::string text;
  for (const ItemCollisions& found : collisions) {
    text += found.table + " " + found.entity + " by " + found.by_entity + ": " +
            std::to_string(found.replaced) + " of " + std::to_string(found.items);
    for (const ItemCollisions::Example& example : found.examples) {
      text += "; " + example.key + " of " + example.replaced + " and " + example.by;
    }
    text += "\n";
  }
  return text;
}

constexpr const char* kByName =
    R"(User: {PK: "USER#{name}", SK: A}, Post: {PK: "USER#{id}", SK: "{post_id}"})";
constexpr const char* kByDay =
    R"(User: {PK: "USER#{id}", SK: A}, Post: {PK: "USER#{id}", SK: "{day}"})";
constexpr const char* kInside =
    R"(User: {PK: "USER#{name}", SK: A}, Post: {embed: User.posts, map_by: post_id})";
constexpr const char* kById =
    R"(User: {PK: "USER#{id}", SK: A}, Post: {PK: "USER#{id}", SK: "{post_id}"})";

TEST(ItemOwners, CollisionsAreCountedWithExamples) {
  const LabFile file = UsersWith("  look: {get: User, by: [id], rate: 1/s}", kByName);
  const std::string collisions =
      "app User by User: 18 of 20; PK=USER#ann, SK=A of User 01 and User 03; PK=USER#bob, SK=A of "
      "User 02 and User 04\n";
  const LayoutRun run = OnlyRunOf(file);
  EXPECT_EQ(TextOf(run.collisions), collisions);
  EXPECT_EQ(run.items_replaced, 18U);
  auto explained = ExplainLab(file);
  ASSERT_TRUE(explained.ok());
  EXPECT_EQ(TextOf(explained->at(0).collisions), collisions);
  const PlanFinding& finding = explained->at(0).findings.back();
  EXPECT_EQ(finding.rule, "colliding-items");
  EXPECT_EQ(finding.what, "Items of User have the same key, so one takes the place of the other.");
  EXPECT_EQ(finding.evidence,
            "18 of 20 items of the sample data were replaced: PK=USER#ann, SK=A is the key of User "
            "01 and of User 03; PK=USER#bob, SK=A is the key of User 02 and of User 04.");
  EXPECT_EQ(finding.advice, "Let the key have what identifies the instances of User.");
}

TEST(ItemOwners, ItemsOfTwoEntitiesCollide) {
  const LabFile file = UsersWith("  look: {get: User, by: [id], rate: 1/s}",
                                 R"(User: {PK: "{id}", SK: "1"}, Post: {PK: "{id}", SK: "{day}"})");
  const LayoutRun run = OnlyRunOf(file);
  const std::string text = TextOf(run.collisions);
  EXPECT_TRUE(text.find("app User by Post: ") != std::string::npos) << text;
  EXPECT_TRUE(text.find("app Post by Post: ") != std::string::npos) << text;
}

// How many of the calls of the pattern are wrong, and doubtful.
struct WrongCase {
  const char* pattern;
  const char* items;
  const char* wrong;  // "none", "some" or "all"
  const char* doubtful;
};
constexpr WrongCase kWrongCases[] = {
    {"{get: User, by: [id], rate: 9/s}", kById, "not judged", "none"},
    {"{get: User, by: [id], rate: 9/s}", kByName, "some", "none"},
    {"{get: User, by: [id], rate: 9/s}", kByDay, "none", "none"},
    {"{query: Post, by: [id], rate: 9/s}", kByName, "none", "none"},
    {"{query: Post, by: [id], rate: 9/s}", kByDay, "all", "none"},
    {"{query: [User, Post], by: [id], rate: 9/s}", kByDay, "all", "none"},
    {"{query: Post, by: [id, day], rate: 9/s}", kByDay, "some", "none"},
    // Any one is an answer; the first by the day, of one or two days.
    {"{query: Post, by: [id], limit: 1, rate: 9/s}", kByDay, "none", "none"},
    {"{query: Post, by: [id], order: day, limit: 1, rate: 9/s}", kByDay, "none", "some"},
    {"{query: Post, by: [id], order: post_id, limit: 1, rate: 9/s}", kByDay, "some", "none"},
    {"{query: Post, by: [id], order: post_id, limit: 3, rate: 9/s}", kByDay, "all", "none"},
    {"{update: Post, by: [post_id], set: {size: 2}, rate: 9/s}", kByDay, "some", "none"},
    {"{create: User, rate: 9/s}", kByName, "all", "none"},
    {"{create: User, rate: 9/s}", kByDay, "none", "none"},
    // Two of the users have an item, and in it the posts of theirs.
    {"{create: Post, rate: 9/s}", kInside, "some", "none"},
    {"{query: Post, by: [id], rate: 9/s}", kInside, "none", "some"},
    // The first delete of a key takes the item of another along, whose delete then finds none.
    {"{delete: User, by: [id], rate: 9/s}", kByName, "all", "none"},
};

std::string HowMany(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "not judged";
  if (part == 0) return "none";
  return part == whole ? "all" : "some";
}

TEST(ItemOwners, CallsAboutLostItemsAreWrong) {
  for (const WrongCase& each : kWrongCases) {
    SCOPED_TRACE(std::string(each.pattern) + " " + each.items);
    const LayoutRun run = OnlyRunOf(UsersWith("  call: " + std::string(each.pattern), each.items));
    if (run.patterns.empty()) continue;
    const PatternRun& pattern = run.patterns[0];
    EXPECT_GT(pattern.calls, 10U);
    EXPECT_EQ(HowMany(pattern.wrong, pattern.judged), each.wrong);
    if (pattern.judged == 0) continue;
    EXPECT_EQ(HowMany(pattern.doubtful, pattern.judged), each.doubtful);
  }
}

// All posts get another value before they are asked for by it.
TEST(ItemOwners, LostItemsAreAskedForByTheirPresentValues) {
  const LabFile file = UsersWith(
      "  change: {update: Post, by: [post_id], set: {size: 2}, rate: 200/s}\n"
      "  list: {query: Post, by: [id, size], rate: 1/s}",
      kByDay);
  const LayoutRun run = OnlyRunOf(file);
  EXPECT_GT(run.patterns[1].wrong, run.patterns[1].judged / 2);
}

// A template that gives each instance a key of its own until traffic creates others.
TEST(ItemOwners, CreatesThatHitKeysOfOthersCount) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Day: {count: 2, attributes: {id: {sequence: 4}, day: {time: {past: 1000d}}, size: {constant: 1}}}}
access_patterns: {add: {create: Day, rate: 2/s}, look: {get: Day, by: [id], rate: 2/s}}
layouts: {only: {tables: {days: {key: [PK], indexes: {ById: {key: [id], projection: all}}, items: {Day: {PK: "{day:day}", id: "{id}"}}}}}}
traffic: [{for: 20s, rate: 1}]
)");
  const LayoutRun run = OnlyRunOf(file);
  EXPECT_EQ(run.items_replaced, 0U);
  EXPECT_EQ(run.patterns[0].wrong, run.patterns[0].calls - 1);  // all are of one day
  EXPECT_EQ(run.patterns[0].conditions, run.patterns[0].calls - 1);
  EXPECT_EQ(run.patterns[1].wrong, 0U);
}

}  // namespace
}  // namespace hashrange
