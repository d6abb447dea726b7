#include "lab/report/lab_plans.h"

#include <algorithm>
#include <utility>

#include "lab/plan/request/request_template.h"
#include "lab/report/lab_growth.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/lab_warm_up.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_figures.h"
#include "measure/report/terminal_text.h"

namespace hashrange {
namespace {

// --- The JSON of a request in lines ---

constexpr std::size_t kIndent = 2;  // of a level
constexpr std::size_t kRequestIndent = 4;
constexpr std::size_t kMostLevels = 40;  // deeper JSON stays on its line

// Returns the length of the JSON text that begins here, quotes included.
std::size_t TextLength(std::string_view json) {
  std::size_t at = 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size());
}

// Returns the parts of what stands between the brackets, without their commas.
std::vector<std::string_view> PartsOf(std::string_view inner) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < inner.size();) {
    const char c = inner[at];
    if (c == '"') {
      at += TextLength(inner.substr(at));
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(inner.substr(begin, at - begin));
      begin = at + 1;
    }
    ++at;
  }
  if (begin < inner.size()) parts.push_back(inner.substr(begin));
  return parts;
}

// Returns where the object or array of a part begins, which may follow a member's name; npos where
// there is none.
std::size_t BracketOf(std::string_view part) {
  for (std::size_t at = 0; at < part.size();) {
    if (part[at] == '{' || part[at] == '[') return at;
    at += part[at] == '"' ? TextLength(part.substr(at)) : 1;
  }
  return std::string_view::npos;
}

// Whether the object or array that begins here ends with the part, as it does in JSON. Names of
// attributes stand in the text without escapes, so they may divide it in strange ways.
bool EndsWithBracket(std::string_view part) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < part.size();) {
    const char c = part[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 0) return at + 1 == part.size();
    at += c == '"' ? TextLength(part.substr(at)) : 1;
  }
  return false;
}

// Puts a blank behind each colon and comma that is outside texts.
std::string Spaced(std::string_view json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      const std::size_t length = TextLength(json.substr(at));
      text.append(json.substr(at, length));
      at += length;
      continue;
    }
    text.push_back(json[at]);
    if (json[at] == ':' || json[at] == ',') text.push_back(' ');
    ++at;
  }
  return ReadableText(text);
}

// `tail` is the comma behind the part, if there is one.
void AddLines(std::string_view part, std::string_view tail, std::size_t level, std::size_t width,
              std::vector<std::string>& lines) {
  const std::string indent(level * kIndent, ' ');
  std::string whole = indent + Spaced(part) + std::string(tail);
  const std::size_t bracket = BracketOf(part);
  const bool is_whole = TerminalColumns(whole) <= width || level >= kMostLevels ||
                        bracket == std::string_view::npos || !EndsWithBracket(part.substr(bracket));
  if (is_whole) {
    lines.push_back(std::move(whole));
    return;
  }
  lines.push_back(indent + Spaced(part.substr(0, bracket + 1)));
  const std::vector<std::string_view> parts =
      PartsOf(part.substr(bracket + 1, part.size() - bracket - 2));
  for (std::size_t at = 0; at < parts.size(); ++at) {
    AddLines(parts[at], at + 1 < parts.size() ? "," : "", level + 1, width, lines);
  }
  lines.push_back(indent + std::string(part.substr(part.size() - 1)) + std::string(tail));
}

// --- Plans ---

// Appends the requests of the plan, each below what it does.
void AddSteps(const LabFile& file, const PatternPlan& plan, std::size_t width, ReportParts& parts) {
  for (const PlanStep& step : plan.steps) {
    parts.push_back(ReportParagraph{.text = StepTitle(step), .css_class = "note", .lead = "  "});
    parts.push_back(ReportLines{RequestLines(ReadableStep(file, step), width)});
  }
}

ReportList ReasonList(const std::vector<std::string>& reasons, std::string_view lead) {
  ReportList list = ListOf(reasons);
  list.css_class = "reasons";
  list.lead = lead;
  return list;
}

// Whether the plan is the same as in the layout before: then it is not shown twice.
bool HasSameRequests(const LabFile& file, const PatternPlan& plan, const PatternPlan& other) {
  if (plan.service != other.service || plan.impossible != other.impossible ||
      plan.steps.size() != other.steps.size()) {
    return false;
  }
  for (std::size_t at = 0; at < plan.steps.size(); ++at) {
    const PlanStep& step = plan.steps[at];
    const PlanStep& same = other.steps[at];
    if (StepTitle(step) != StepTitle(same) ||
        ReadableStep(file, step) != ReadableStep(file, same)) {
      return false;
    }
  }
  return true;
}

void AddPlan(const LabFile& file, const PatternPlan& plan, ReportParts& parts) {
  constexpr std::size_t kRequestColumns = 100;
  if (!plan.impossible.empty()) {
    parts.push_back(ReportParagraph{"Not possible: " + plan.impossible});
    return;
  }
  if (!plan.reasons.empty()) parts.push_back(ReasonList(plan.reasons, "  why: "));
  AddSteps(file, plan, kRequestColumns, parts);
  if (plan.rejected.empty()) return;
  parts.push_back(
      ReportDetails{"Keys that do not serve it", {ReasonList(plan.rejected, "  not: ")}});
}

// Returns the first of the layouts before this one that makes the same requests for the pattern;
// null: none does.
const LabLayoutFigures* FirstWithRequests(const LabView& view, std::size_t layout,
                                          std::size_t pattern) {
  const PatternPlan& plan = *view.figures.layouts[layout].patterns[pattern].plan;
  for (std::size_t before = 0; before < layout; ++before) {
    const LabLayoutFigures& other = view.figures.layouts[before];
    const PatternPlan* const its_plan = other.patterns[pattern].plan;
    if (its_plan && HasSameRequests(view.file, plan, *its_plan)) return &other;
  }
  return nullptr;
}

// --- The explanation ---

std::string LeadingName(const std::string& layout) { return ClippedText(layout, 40); }

// Returns what a call takes of each table and index by the declarations, with all of the data.
std::vector<std::string> ExpectedTexts(const LabLayout& layout, const PatternCost& cost) {
  std::vector<std::string> texts;
  for (const KeyCost& one : cost.keys) {
    const LabIndex* const index = IndexOf(layout, one.key);
    texts.push_back(CountedText(one.units, one.is_write ? "write unit" : "read unit") + " of " +
                    ResourceLabel(TableOf(layout, one.key).name,
                                  index == nullptr ? std::string() : index->name) +
                    ", of which the hottest key gets " + PercentText(one.hottest_share));
  }
  for (const VectorCost& one : cost.vectors) {
    const std::string& table = TableOf(layout, {.table = one.table}).name;
    const auto add = [&](double bytes, const std::string& what) {
      if (bytes > 0) texts.push_back(BytesText(bytes) + what + table);
    };
    add(one.searched_bytes, " of vectors searched of ");
    add(one.written_bytes, " of vectors written to ");
  }
  return texts;
}

void AddExplained(const LabFile& file, const ExplainedLayout& layout,
                  const ExplainedPattern& pattern, std::size_t width, ReportParts& parts) {
  const PatternPlan& plan = pattern.plan;
  parts.push_back(ReportParagraph{.text = plan.impossible.empty()
                                              ? ServiceText(plan) + "; " + SpreadsText(pattern)
                                              : "not possible: " + plan.impossible,
                                  .lead = LeadingName(layout.name) + ": "});
  const auto declared = std::ranges::find(file.layouts, layout.name, &LabLayout::name);
  if (declared != file.layouts.end()) {
    parts.push_back(ReasonList(ExpectedTexts(*declared, plan.cost), "  expected: "));
  }
  AddSteps(file, plan, width, parts);
  parts.push_back(ReasonList(plan.reasons, "  why: "));
  parts.push_back(ReasonList(plan.rejected, "  not: "));
}

// Returns the pattern as the file says it: "400 calls a second".
std::string DeclaredText(const LabFile& file, const std::string& name) {
  const auto found = std::ranges::find(file.patterns, name, &LabPattern::name);
  if (found == file.patterns.end() || !(found->calls_per_second >= 0)) return ", without a rate";
  return ", " + CountedText(found->calls_per_second, "call") + " a second";
}

ReportCards CardsOfPlans(const std::vector<ExplainedLayout>& layouts) {
  ReportCards cards;
  for (const ExplainedLayout& layout : layouts) {
    for (const PlanFinding& finding : layout.findings) {
      std::string text = FindingText(LeadingName(layout.name), finding.what, finding.where);
      if (!finding.evidence.empty()) text += " " + finding.evidence;
      if (!finding.advice.empty()) text += " " + finding.advice;
      cards.findings.push_back({.severity = finding.severity, .summary = std::move(text)});
    }
  }
  return cards;
}

// ", day after day from the newest until 50 items were returned, 92 requests at most".
std::string WalkText(const PlanStep& step) {
  const std::string name = BucketName(step.buckets->form);
  std::string text = ", " + name + " after " + name + " from the " +
                     (step.walk->is_backward ? "newest" : "oldest") + " until " +
                     CountedText(static_cast<double>(step.walk->items), "item was", "items were") +
                     " returned";
  if (step.shards > 1) {
    text +=
        ", at once for each of " + CountText(static_cast<std::uint64_t>(step.shards)) + " shards";
  }
  if (step.each != kLabNone) {
    text += step.shards > 1 ? " of each item" : ", at once for each item";
  }
  return text + ", " + CountedText(MostFanOut(step), "request") + " at most" +
         (step.each == kLabNone ? "" : " for each item");
}

}  // namespace

std::vector<std::string> RequestLines(std::string_view json, std::size_t width) {
  std::vector<std::string> lines;
  AddLines(json, "", 0, width, lines);
  return lines;
}

std::string StepTitle(const PlanStep& step) {
  std::string text = step.request.operation;
  if (!step.request.table.empty()) {
    text += " " + ResourceLabel(step.request.table, step.request.index);
  }
  if (step.kind == PlanStep::Kind::kFetchReferred) {
    return text + ", of what the items that were found refer to, by 100";
  }
  if (step.is_of_others) return text + ", which has what the answer returns of another instance";
  if (step.is_lookup) text += ", which finds a key that the caller does not know";
  if (IsFetch(step)) text += ", of the items that were found, by 100";
  if (step.walk) return text + WalkText(step);
  if (step.buckets) {
    text += ", once for each " + std::string(step.shards > 1 ? "shard of each " : "") +
            BucketName(step.buckets->form) + " of the range, " + CountText(MostFanOut(step)) +
            " at most";
  } else if (step.shards > 1) {
    text += ", once for each of " + CountText(static_cast<std::uint64_t>(step.shards)) + " shards";
  }
  if (step.each != kLabNone) {
    text += step.each_count == 1 ? ", once for each item"
                                 : ", for each " + CountText(step.each_count) + " items";
  }
  if (!step.is_paged) return text;
  text += ", page by page";
  if (step.items <= 0) return text + " to the end";
  return text + " until " + CountedText(static_cast<double>(step.items), "item was", "items were") +
         " returned";
}

std::string SpreadText(const UnitSpread& units, std::string_view noun) {
  const std::string least = NumberText(units.least);
  const std::string greatest = NumberText(units.greatest);
  std::string text;
  if (least == greatest) {
    text = CountedText(units.least, noun);
  } else {
    text = least + " to " + greatest + ", mean " + CountedText(units.mean, noun);
  }
  if (units.is_computed) return text + " (computed)";
  text += " (measured, " + CountedText(static_cast<double>(units.calls), "call");
  if (units.data_share < 1) text += ", with " + PercentText(units.data_share) + " of the data";
  return text + ")";
}

namespace {

// Returns "14 KB", or "12 KB to 15 KB, mean 14 KB".
std::string BytesSpreadText(const UnitSpread& bytes) {
  const std::string least = BytesText(bytes.least);
  const std::string greatest = BytesText(bytes.greatest);
  return least == greatest ? least : least + " to " + greatest + ", mean " + BytesText(bytes.mean);
}

}  // namespace

std::string SpreadsText(const ExplainedPattern& pattern) {
  const UnitSpread& read = pattern.read_units;
  const UnitSpread& write = pattern.write_units;
  const auto is_known = [](const UnitSpread& units) {
    return units.is_computed || units.calls > 0;
  };
  if (!is_known(read) && !is_known(write)) return "units not known: no call succeeded";
  const bool has_reads = is_known(read) && read.greatest > 0;
  const bool has_writes = is_known(write) && write.greatest > 0;
  std::string vectors;
  const auto add = [&](const UnitSpread& bytes, const char* what) {
    if (is_known(bytes) && bytes.greatest > 0) vectors += ", " + BytesSpreadText(bytes) + what;
  };
  add(pattern.searched_bytes, " of vectors searched");
  add(pattern.vector_write_bytes, " of vectors written");
  if (!vectors.empty() && !has_reads && !has_writes) return vectors.substr(2);
  if (has_reads && has_writes) {
    return SpreadText(read, "read unit") + ", " + SpreadText(write, "write unit") + vectors;
  }
  if (has_writes) return SpreadText(write, "write unit") + vectors;
  return SpreadText(is_known(read) ? read : write, is_known(read) ? "read unit" : "write unit") +
         vectors;
}

ReportParts PlanParts(const LabView& view) {
  ReportParts parts;
  for (std::size_t at = 0; at < view.file.patterns.size(); ++at) {
    parts.push_back(ReportHeading{view.file.patterns[at].name});
    for (std::size_t number = 0; number < view.figures.layouts.size(); ++number) {
      const LabPatternFigures& pattern = view.figures.layouts[number].patterns[at];
      if (!pattern.plan) continue;
      std::string head = MarkedName(view, number) + ": " + ServiceText(*pattern.plan);
      if (pattern.succeeded > 0) head += ", " + CallUnitsText(pattern) + " a call";
      const LabLayoutFigures* const same = FirstWithRequests(view, number, at);
      if (same) head += ", by the same requests as " + QuotedName(same->name);
      parts.push_back(ReportParagraph{.text = std::move(head), .is_strong = true});
      if (!same) AddPlan(view.file, *pattern.plan, parts);
    }
  }
  return parts;
}

std::string ExplanationText(const LabFile& file, const std::vector<ExplainedLayout>& layouts,
                            const TextReportForm& form, const std::vector<ForecastCurve>& curves) {
  std::vector<ReportSection> sections;
  if (layouts.empty()) sections.push_back({.parts = {ReportParagraph{"No layout was explained."}}});
  for (std::size_t at = 0; !layouts.empty() && at < layouts.front().patterns.size(); ++at) {
    const std::string& name = layouts.front().patterns[at].name;
    ReportSection section{.heading = ClippedText(name, 60) + DeclaredText(file, name)};
    for (const ExplainedLayout& layout : layouts) {
      if (at >= layout.patterns.size()) continue;
      AddExplained(file, layout, layout.patterns[at], WidthOf(form) - kRequestIndent,
                   section.parts);
    }
    sections.push_back(std::move(section));
  }
  std::vector<GrownLayout> grown;
  for (const ExplainedLayout& layout : layouts) {
    const auto one = GrownLayoutOf(file, layout.name, layout.growth);
    if (one) grown.push_back(*one);
  }
  std::vector<LayoutBilling> billing;
  for (const GrownLayout& layout : grown) {
    billing.push_back({ShortLayoutName(layout.layout->name), ExpectedBilling(layout)});
  }
  AddSection(std::string(kBillingHeading), BillingParts(file, billing), sections);
  AddSection(std::string(kGrowthHeading), PartsOfGrowth(grown, kMostGrownInText), sections);
  AddSection(std::string(kWarmUpHeading), WarmUpParts(grown), sections);
  if (const std::string text = UnusualPartitionsText(file); !text.empty()) {
    sections.push_back({.heading = "Partitions", .parts = {ReportParagraph{text}}});
  }
  ReportCards cards = CardsOfPlans(layouts);
  if (!cards.findings.empty()) {
    sections.push_back({.heading = "Findings", .parts = {std::move(cards)}});
  }
  std::string text = TerminalText(sections, form);
  if (!curves.empty()) text += "\n" + CurvesText(curves, form);
  return text;
}

}  // namespace hashrange
