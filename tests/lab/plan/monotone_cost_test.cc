// Expected costs are monotone (pattern_cost.h): each layout of each example is changed by one thing
// at a time, and nothing that has to cost more costs less.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/file_model.h"
#include "plan_text.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

constexpr double kTolerance = 1e-6;

// What may not become less.
enum class Costs { kWrites, kAll };

std::vector<LabFile> Examples() {
  std::vector<LabFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(SourceRoot() / "lab/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    files.push_back(FileOf(text.str()));
  }
  return files;
}

std::vector<PatternPlan> PlansOf(const FileModel& model, const LabLayout& layout) {
  auto plan = PlanLayout(model, layout);
  EXPECT_TRUE(plan.ok());
  return plan.ok() ? std::move(plan->patterns) : std::vector<PatternPlan>();
}

// Returns how many patterns cost more.
std::size_t ExpectNoLess(const std::vector<PatternPlan>& before,
                         const std::vector<PatternPlan>& after, Costs costs) {
  EXPECT_EQ(before.size(), after.size());
  std::size_t dearer = 0;
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (!before[i].impossible.empty() || !after[i].impossible.empty()) continue;
    const PatternCost& now = after[i].cost;
    const PatternCost& then = before[i].cost;
    const double more = now.WriteUnits() - then.WriteUnits() + now.ReadUnits() - then.ReadUnits();
    dearer += more > kTolerance ? 1 : 0;
    EXPECT_GE(after[i].cost.WriteUnits(), before[i].cost.WriteUnits() - kTolerance) << i;
    if (costs == Costs::kWrites) continue;
    EXPECT_GE(after[i].cost.ReadUnits(), before[i].cost.ReadUnits() - kTolerance) << i;
  }
  return dearer;
}

// Plans each layout of each example before and after a change, which is made for each of its items.
void ExpectMonotone(Costs costs, const std::function<void(std::size_t, LabLayout&)>& change) {
  std::size_t dearer = 0;
  for (const LabFile& file : Examples()) {
    const FileModel model(file);
    for (const LabLayout& layout : file.layouts) {
      const std::vector<PatternPlan> before = PlansOf(model, layout);
      for (std::size_t item = 0; item < layout.items.size(); ++item) {
        LabLayout changed = layout;
        change(item, changed);
        SCOPED_TRACE(layout.name + ": " + EntityAt(file, layout.items[item].entity).name);
        dearer += ExpectNoLess(before, PlansOf(model, changed), costs);
      }
    }
  }
  EXPECT_GT(dearer, 50U);
}

// One more index that has the item: what is written may not cost less.
TEST(MonotoneCost, AKeyMakesNoWriteCheaper) {
  ExpectMonotone(Costs::kWrites, [](std::size_t number, LabLayout& layout) {
    LabItem& item = layout.items[number];
    LabTable& table = layout.tables[static_cast<std::size_t>(item.table)];
    table.indexes.push_back({.name = "Another", .hash = {"AnotherPK"}});
    table.key_types["AnotherPK"] = LabType::kString;
    item.keys.push_back(
        {.attribute = "AnotherPK",
         .text = {.text = "x#{…}", .parts = {{.literal = "x#", .attribute = {item.entity, 0}}}}});
  });
}

// The item once more, under another partition key.
TEST(MonotoneCost, ACopyMakesNoWriteCheaper) {
  ExpectMonotone(Costs::kWrites, [](std::size_t number, LabLayout& layout) {
    LabItem copy = layout.items[number];
    std::string& literal = copy.keys.front().text.parts.front().literal;
    literal.insert(0, "COPY#");
    layout.items.push_back(std::move(copy));
  });
}

// The item once more, in the same collections, behind the first one. It may be what a read finds by
// a beginning of the sort key, and it makes no read cheaper.
TEST(MonotoneCost, AMateInACollectionMakesNothingCheaper) {
  ExpectMonotone(Costs::kAll, [](std::size_t number, LabLayout& layout) {
    LabItem mate = layout.items[number];
    const LabTable& table = layout.tables[static_cast<std::size_t>(mate.table)];
    for (LabItemKey& key : mate.keys) {
      bool is_range = HasName(table.range, key.attribute);
      for (const LabIndex& index : table.indexes) {
        is_range = is_range || HasName(index.range, key.attribute);
      }
      if (is_range) key.text.parts.push_back({.literal = "#MATE"});
    }
    layout.items.push_back(std::move(mate));
  });
}

// Longer texts, more children.
TEST(MonotoneCost, LargerItemsAndMoreOfThemMakeNothingCheaper) {
  for (const LabFile& file : Examples()) {
    const FileModel model(file);
    LabFile longer = file;
    for (LabEntity& entity : longer.entities) {
      for (LabAttribute& attribute : entity.attributes) {
        if (attribute.generator.kind != LabGenerator::Kind::kText) continue;
        attribute.generator.distribution.first *= 2;
        attribute.generator.distribution.second *= 2;
      }
    }
    const FileModel longer_model(longer);
    std::size_t dearer = 0;
    for (const LabLayout& layout : file.layouts) {
      SCOPED_TRACE(layout.name);
      dearer += ExpectNoLess(PlansOf(model, layout), PlansOf(longer_model, layout), Costs::kAll);
    }
    EXPECT_GT(dearer, 0U);
  }
}

}  // namespace
}  // namespace hashrange
