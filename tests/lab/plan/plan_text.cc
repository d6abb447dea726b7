#include "plan_text.h"

namespace hashrange {
namespace {

constexpr const char* kServices[] = {"key",     "filtered", "fanned out", "looked up",
                                     "scanned", "declared", "searched"};

std::string StepText(const LabFile& file, const PlanStep& step) {
  std::string text = step.kind == PlanStep::Kind::kFetch ? "> fetch " : "> ";
  text += step.request.operation;
  if (step.walk) text += step.walk->is_backward ? " walks backward" : " walks forward";
  if (MostFanOut(step) > 1) text += " x" + std::to_string(MostFanOut(step));
  if (step.each != kLabNone) text += " each " + std::to_string(step.each_count);
  if (step.is_paged) text += step.items > 0 ? " to " + std::to_string(step.items) : " to the end";
  return text + " " + ReadableStep(file, step) + "\n";
}

}  // namespace

std::string PlanText(const LabFile& file, const PatternPlan& plan) {
  if (!plan.impossible.empty()) return "impossible: " + plan.impossible + "\n";
  std::string text = kServices[static_cast<std::size_t>(plan.service)];
  if (plan.sorts_at_client) text += ", client sorts";
  text += "\n";
  for (const PlanStep& step : plan.steps) text += StepText(file, step);
  for (const std::string& reason : plan.reasons) text += "+ " + reason + "\n";
  for (const std::string& rejected : plan.rejected) text += "- " + rejected + "\n";
  return text;
}

PatternCost CostOfPattern(const LabFile& file, const std::string& pattern, int layout) {
  for (const PatternPlan& one : PlanOf(file, layout).patterns) {
    if (file.patterns[static_cast<std::size_t>(one.pattern)].name == pattern) return one.cost;
  }
  ADD_FAILURE() << "there is no pattern " << pattern;
  return {};
}

std::string AllPlansText(const LabFile& file) {
  std::string text;
  for (std::size_t i = 0; i < file.layouts.size(); ++i) {
    const LayoutPlan plan = PlanOf(file, static_cast<int>(i));
    text += (i > 0 ? "\n# " : "# ") + file.layouts[i].name + "\n";
    for (const std::string& request : plan.create_tables) text += "CreateTable " + request + "\n";
    for (const std::string& request : plan.update_ttls)
      text += "UpdateTimeToLive " + request + "\n";
    for (const PatternPlan& one : plan.patterns) {
      text += "\n" + file.patterns[static_cast<std::size_t>(one.pattern)].name + ": " +
              PlanText(file, one);
    }
    for (const PlanFinding& finding : plan.findings) {
      text += "\n! " + finding.severity + " " + finding.rule + ": " + finding.what + "\n  " +
              finding.where + "\n  " + finding.evidence + "\n  " + finding.advice + "\n";
    }
  }
  return text;
}

}  // namespace hashrange
