#include <cstddef>
#include <string>

#include "lab/plan/request/request_template.h"
#include "lab/report/lab_html_sections.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/request_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kRequestColumns = 100;

void WriteSentences(const std::vector<std::string>& sentences, HtmlWriter& html) {
  if (sentences.empty()) return;
  html.Open("ul", {{"class", "reasons"}});
  for (const std::string& sentence : sentences) html.Element("li", sentence);
  html.Close("ul");
}

void WriteStep(const LabFile& file, const PlanStep& step, HtmlWriter& html) {
  html.Element("p", StepTitle(step), {{"class", "note"}});
  html.Open("pre", {{"class", "request"}, {"tabindex", "0"}});
  for (const std::string& line :
       RequestLines(ReadableRequest(file, step.request), kRequestColumns)) {
    html.Text(line);
    html.Raw("\n");
  }
  html.Close("pre");
}

// Whether the plan is that of the layout before: then it is not shown twice.
bool IsSamePlan(const LabFile& file, const PatternPlan& plan, const PatternPlan& other) {
  if (plan.service != other.service || plan.impossible != other.impossible ||
      plan.reasons != other.reasons || plan.rejected != other.rejected ||
      plan.steps.size() != other.steps.size()) {
    return false;
  }
  for (std::size_t at = 0; at < plan.steps.size(); ++at) {
    const PlanStep& step = plan.steps[at];
    const PlanStep& same = other.steps[at];
    if (StepTitle(step) != StepTitle(same) ||
        ReadableRequest(file, step.request) != ReadableRequest(file, same.request)) {
      return false;
    }
  }
  return true;
}

void WritePlan(const LabFile& file, const PatternPlan& plan, HtmlWriter& html) {
  if (!plan.impossible.empty()) {
    html.Element("p", "Not possible: " + plan.impossible);
    return;
  }
  WriteSentences(plan.reasons, html);
  for (const PlanStep& step : plan.steps) WriteStep(file, step, html);
  if (plan.rejected.empty()) return;
  html.Open("details");
  html.Element("summary", "Keys that do not serve it");
  WriteSentences(plan.rejected, html);
  html.Close("details");
}

}  // namespace

void WritePlans(const LabPage& page, HtmlWriter& html) {
  for (std::size_t at = 0; at < page.file.patterns.size(); ++at) {
    html.Element("h3", page.file.patterns[at].name);
    const PatternPlan* before = nullptr;
    for (const LabLayoutFigures& layout : page.figures.layouts) {
      const LabPatternFigures& pattern = layout.patterns[at];
      if (!pattern.plan) continue;
      std::string head = layout.name + ": " + ServiceText(*pattern.plan);
      if (pattern.succeeded > 0) head += ", " + CallUnitsText(pattern) + " a call";
      const bool is_same = before && IsSamePlan(page.file, *pattern.plan, *before);
      html.Open("p");
      html.Element("strong", is_same ? head + ", by the same requests" : head);
      html.Close("p");
      if (!is_same) WritePlan(page.file, *pattern.plan, html);
      before = pattern.plan;
    }
  }
}

}  // namespace hashrange
