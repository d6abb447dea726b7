#include "lab/plan/layout_plan.h"

#include "lab/plan/create_table_request.h"
#include "lab/plan/declared_plan.h"
#include "lab/plan/plan_findings.h"
#include "lab/plan/planner.h"

namespace hashrange {
namespace {

const LabServe* ServeOf(const LabLayout& layout, int pattern) {
  for (const LabServe& serve : layout.serves) {
    if (serve.pattern == pattern) return &serve;
  }
  return nullptr;
}

Result<PatternPlan> PlanPattern(const PlannerInput& input, int pattern, const CallShape& shape) {
  if (const LabServe* serve = ServeOf(input.layout, pattern); serve != nullptr) {
    return PlanDeclared(input, *serve, shape);
  }
  const bool is_write =
      input.file.patterns[static_cast<std::size_t>(pattern)].kind == LabPattern::Kind::kWrite;
  return is_write ? PlanWrite(input, pattern, shape) : PlanRead(input, pattern, shape);
}

}  // namespace

Result<LayoutPlan> PlanLayout(const LabFile& file, int layout) {
  const PlannerInput input = {file, file.layouts[static_cast<std::size_t>(layout)]};
  LayoutPlan plan;
  for (const LabTable& table : input.layout.tables) {
    plan.create_tables.push_back(CreateTableRequest(table));
    if (!table.ttl_attribute.empty()) plan.update_ttls.push_back(UpdateTimeToLiveRequest(table));
  }
  plan.items = StoredItemsOf(input);
  for (std::size_t i = 0; i < file.patterns.size(); ++i) {
    plan.shapes.push_back(ShapeOfCalls(file, file.patterns[i]));
    HR_ASSIGN(PatternPlan one, PlanPattern(input, static_cast<int>(i), plan.shapes.back()));
    plan.patterns.push_back(std::move(one));
  }
  plan.findings = FindPlanFindings(input, plan.patterns);
  return plan;
}

}  // namespace hashrange
