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

Result<PatternPlan> PlanPattern(const LayoutModel& model, int pattern) {
  const LabFile& file = model.file_model().file();
  if (const LabServe* serve = ServeOf(model.layout(), pattern); serve != nullptr) {
    return PlanDeclared(model, *serve);
  }
  const LabPattern::Kind kind = file.patterns[static_cast<std::size_t>(pattern)].kind;
  return kind == LabPattern::Kind::kWrite ? PlanWrite(model, pattern) : PlanRead(model, pattern);
}

}  // namespace

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
    plan.shapes.push_back(model.shape(pattern));
    HR_ASSIGN(PatternPlan one, PlanPattern(layout_model, pattern));
    plan.patterns.push_back(std::move(one));
  }
  plan.findings = FindPlanFindings(input, plan.patterns);
  return plan;
}

Result<LayoutPlan> PlanLayout(const LabFile& file, int layout) {
  return PlanLayout(FileModel(file), file.layouts[static_cast<std::size_t>(layout)]);
}

}  // namespace hashrange
