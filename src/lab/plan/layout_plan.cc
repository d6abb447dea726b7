#include "lab/plan/layout_plan.h"

#include "lab/plan/planner.h"
#include "lab/plan/read/read_planner.h"

namespace hashrange {
namespace {

// Returns the items that the layout stores for each instance.
std::vector<StoredItem> StoredItemsOf(const PlannerInput& input) {
  std::vector<StoredItem> stored;
  for (const LabItem& item : input.layout.items) {
    StoredItem one = {.entity = item.entity, .table = TableOfItem(input.layout, item).name};
    RoleCondition condition = ConditionOfItem(input, item, 0);
    one.when = condition.when;
    std::vector<int> roles;
    for (const LabEmbedding* embedding : EmbeddedIn(input, item)) {
      one.embedded.push_back(embedding->entity);
      roles.push_back(static_cast<int>(roles.size()) + 1);
    }
    one.item.table = one.table;
    RequestNodes nodes;
    AppendItem(input, item, 0, roles, nodes);
    if (condition.IsForAll()) {
      one.item.nodes = std::move(nodes);
    } else {
      one.item.nodes.push_back({RequestWhen{std::move(condition), std::move(nodes)}});
    }
    stored.push_back(std::move(one));
  }
  return stored;
}

const LabServe* ServeOf(const LabLayout& layout, int pattern) {
  for (const LabServe& serve : layout.serves) {
    if (serve.pattern == pattern) return &serve;
  }
  return nullptr;
}

bool IsBetter(const PatternPlan& one, const PatternPlan& other) {
  if (one.impossible.empty() != other.impossible.empty()) return one.impossible.empty();
  return one.cost.ReadUnits() < other.cost.ReadUnits();
}

// Returns why a form of a pattern is not taken, as the end of a sentence.
std::string WhyNotTaken(const PatternPlan& plan) {
  return plan.impossible.empty() ? "would take more read units"
                                 : "is not possible: " + plan.impossible;
}

}  // namespace

Result<PatternPlan> PlanPattern(const LayoutModel& model, int pattern) {
  const LabFile& file = model.file_model().file();
  if (const LabServe* serve = ServeOf(model.layout(), pattern); serve != nullptr) {
    return PlanDeclared(model, *serve);
  }
  const LabPattern& asked = file.patterns[static_cast<std::size_t>(pattern)];
  if (asked.kind == LabPattern::Kind::kWrite) return PlanWrite(model, pattern);
  PatternPlan plan = PlanRead(model, pattern);
  if (asked.or_form == kLabNone) return plan;
  PatternPlan other = PlanRead(model, asked.or_form);
  if (!plan.impossible.empty() && !other.impossible.empty()) {
    plan.impossible += ", and for the form behind `or`: " + other.impossible;
    return plan;
  }
  const bool is_other_better = IsBetter(other, plan);
  if (is_other_better) std::swap(plan, other);
  plan.reasons.insert(plan.reasons.begin(),
                      (is_other_better ? "This is the form behind `or`: the first one "
                                       : "This is the first form: the one behind `or` ") +
                          WhyNotTaken(other));
  plan.pattern = pattern;
  if (is_other_better) plan.form = asked.or_form;
  return plan;
}

Result<LayoutPlan> PlanLayout(const FileModel& model, const LabLayout& layout) {
  const LabFile& file = model.file();
  const PlannerInput input = {file, layout};
  const LayoutModel layout_model(model, layout);
  LayoutPlan plan;
  for (const LabTable& table : layout.tables) {
    plan.create_tables.push_back(CreateTableRequest(table));
    if (!table.ttl_attribute.empty()) plan.update_ttls.push_back(UpdateTimeToLiveRequest(table));
  }
  plan.items = StoredItemsOf(input);
  for (int pattern = 0; pattern < static_cast<int>(file.patterns.size()); ++pattern) {
    HR_ASSIGN(PatternPlan one, PlanPattern(layout_model, pattern));
    plan.shapes.push_back(model.shape(one.form == kLabNone ? pattern : one.form));
    plan.patterns.push_back(std::move(one));
  }
  plan.findings = FindPlanFindings(input, plan.patterns);
  return plan;
}

Result<LayoutPlan> PlanLayout(const LabFile& file, int layout) {
  return PlanLayout(FileModel(file), file.layouts[static_cast<std::size_t>(layout)]);
}

}  // namespace hashrange
