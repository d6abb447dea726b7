// The model of a layout is held against all instances of a population: how many bytes their items
// have, and how many of them are in a key.
#include "lab/plan/cost/layout_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "lab/language/data/population.h"
#include "lab/plan/request/request_template.h"
#include "lab/plan/unit_estimate.h"
#include "plan_text.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr const char* kTasks = R"(
lab: 1
entities:
  Team: {count: 1000, attributes: {team_id: {sequence: 5}, name: {text: [50, 150]}}}
  Task: {of: Team, count: 10, attributes: {task_id: {uuid: true}, state: {choice: {OPEN: 1, DONE: 4}},
         title: {text: [20, 80]}, due_at: {time: {ahead: 30d}, present: 0.2}, urgent: {flag: 0.4},
         text: {choice: {SHORT: 1, "This text is a lot longer than the other one, and most tasks have it, so it counts for more in the mean of both.": 9}}}}
  Note: {of: Team, count: 5, attributes: {note_id: {uuid: true}, text: {text: [60, 140]}}}
access_patterns:
  team: {get: Team, by: [team_id], rate: 1/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        indexes:
          Due: {key: [due_of, due_at], projection: [title]}
          Calm: {key: [calm, SK], projection: keys_only}
          Open: {key: [open, SK]}
        items:
          Team: {PK: "T#{team_id}", SK: TEAM}
          Task: {PK: "T#{team_id}", SK: "TASK#{task_id}", due_of: "T#{team_id}", calm: {template: "T#{team_id}", when: {urgent: false}}, open: {template: OPEN, when: {state: OPEN}}}
          Note: {embed: Team.notes}
)";

// The items of one entity of a population, as the layout stores them.
class StoredInstances {
 public:
  StoredInstances(const LayoutPlan& plan, const Population& population, std::size_t item) {
    const StoredItem& stored = plan.items[item];
    for (std::uint64_t i = 0; i < population.InitialCount(stored.entity); ++i) {
      std::string text = StoredJson(stored, {stored.entity, i}, population);
      const auto json = ParseJson(std::span<char>(text.data(), text.size()), arena_);
      EXPECT_TRUE(json.ok()) << text;
      texts_.push_back(std::move(text));
      items_.emplace_back(**json);
    }
  }

  // Of the items that have all of the attributes; with none, of all items as they are.
  double MeanBytes(const std::vector<std::string>& attributes = {}) const {
    double bytes = 0;
    double count = 0;
    for (const RenderedItem& item : items_) {
      if (!item.HasAll(attributes)) continue;
      bytes +=
          static_cast<double>(attributes.empty() ? item.SizeBytes() : item.SizeBytesOf(attributes));
      ++count;
    }
    return bytes / count;
  }
  double ShareWith(const std::vector<std::string>& attributes) const {
    double count = 0;
    for (const RenderedItem& item : items_) count += item.HasAll(attributes) ? 1 : 0;
    return count / static_cast<double>(items_.size());
  }

 private:
  Arena arena_;
  std::deque<std::string> texts_;
  std::vector<RenderedItem> items_;
};

class LayoutModelTest : public testing::Test {
 protected:
  enum Item : std::size_t { kTeam, kTask };

  const LabItem& ItemAt(Item item) const { return file_.layouts[0].items[item]; }
  StoredInstances StoredOf(Item item) const { return {plan_, population_, item}; }
  static constexpr LabKey kTable = {.table = 0};
  static LabKey Index(int index) { return {.table = 0, .index = index}; }

  const LabFile file_ = FileOf(kTasks);
  const LayoutPlan plan_ = PlanOf(file_);
  const Population population_{file_, 1};
  const FileModel numbers_{file_};
  const LayoutModel model_{numbers_, file_.layouts[0]};
};

// Returns whether the estimate is right to 3.5 %, which is as far as these samples may be away.
testing::AssertionResult IsAbout(double estimate, double truth) {
  if (std::abs(estimate - truth) <= 0.035 * truth) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the estimate is " << estimate << " of " << truth;
}

TEST_F(LayoutModelTest, BytesOfItemsAreAboutThoseOfTheInstances) {
  EXPECT_TRUE(IsAbout(model_.Bytes(ItemAt(kTeam), kTable).Mean(), StoredOf(kTeam).MeanBytes()));
  EXPECT_TRUE(IsAbout(model_.Bytes(ItemAt(kTask), kTable).Mean(), StoredOf(kTask).MeanBytes()));
}

TEST_F(LayoutModelTest, BytesInAnIndexAreAboutThoseOfItsEntries) {
  const StoredInstances tasks = StoredOf(kTask);
  EXPECT_TRUE(
      IsAbout(model_.Bytes(ItemAt(kTask), Index(1)).Mean(), tasks.MeanBytes({"PK", "SK", "calm"})));
  EXPECT_TRUE(IsAbout(model_.Bytes(ItemAt(kTask), kTable).Mean(), tasks.MeanBytes()));
}

TEST_F(LayoutModelTest, SharesInSparseIndexesAreAboutThoseOfTheInstances) {
  const StoredInstances tasks = StoredOf(kTask);
  const std::map<int, std::vector<std::string>> keys = {
      {0, {"due_of", "due_at"}}, {1, {"calm"}}, {2, {"open"}}};
  for (const auto& [index, attributes] : keys) {
    EXPECT_TRUE(
        IsAbout(model_.ShareInKey(ItemAt(kTask), Index(index), {}), tasks.ShareWith(attributes)))
        << index;
  }
  EXPECT_EQ(model_.ShareInKey(ItemAt(kTask), kTable, {}), 1);
}

}  // namespace
}  // namespace hashrange
