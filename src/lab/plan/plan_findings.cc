// The design rules that a lab file can contradict by itself (docs/service/21-layout-lab.md, section
// 5, rules 39 to 42).
#include <set>

#include "lab/plan/planner.h"
#include "lab/plan/read/asked_interval.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/plan/write_actions.h"

namespace hashrange {
namespace {

// Rule 39.
void FindMissingRate(const LabPattern& pattern, std::vector<PlanFinding>& findings) {
  if (pattern.calls_per_second >= 0) return;
  findings.push_back(
      {.rule = "pattern-without-rate",
       .severity = "warning",
       .what = "The pattern has no rate, so nothing of it is run or counted.",
       .where = "pattern " + pattern.name,
       .evidence = "access_patterns, line " + std::to_string(pattern.place.line) + ".",
       .advice = "Give it a rate, such as `rate: 10/s`."});
}

// Returns the tables and indexes that the plan's requests are about, or those that it scans.
std::string PlacesOf(const PatternPlan& plan) {
  std::vector<std::string> places;
  for (const PlanStep& step : plan.steps) {
    const bool scans = plan.service == PlanService::kScanned;
    if (step.request.table.empty() || (scans && step.request.operation != "Scan")) continue;
    std::string place = step.request.table;
    if (!step.request.index.empty()) place += " / " + step.request.index;
    if (places.empty() || places.back() != place) places.push_back(std::move(place));
  }
  return Enumeration(places);
}

std::string JoinedSentences(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    if (text.ends_with('.')) text.pop_back();
    text += (text.empty() ? "" : "; ") + sentence;
  }
  return text.empty() ? text : AsSentence(std::move(text));
}

// Rule 40.
void FindUnserved(const LabPattern& pattern, const PatternPlan& plan,
                  std::vector<PlanFinding>& findings) {
  PlanFinding finding = {.rule = "unserved-pattern", .severity = "severe"};
  const std::string places = PlacesOf(plan);
  finding.where = (places.empty() ? "" : places + ", ") + "pattern " + pattern.name;
  if (!plan.impossible.empty()) {
    finding.what = "The layout cannot serve the pattern.";
    finding.evidence = AsSentence(plan.impossible);
    finding.advice = "Store what the pattern needs, or say its requests under `serve`.";
  } else if (plan.service == PlanService::kScanned && plan.scan_beats_keys) {
    finding.severity = "warning";
    finding.what =
        "The pattern is a Scan, which costs less than half of what keys that serve cost.";
    finding.evidence = JoinedSentences(plan.rejected);
    finding.advice =
        "Project what the pattern needs into an index, or look at what the Scan reads "
        "when there is more data, with `--scale 1,10`.";
  } else if (plan.scans_only_asked) {
    finding.severity = "warning";
    finding.what = "No key serves the pattern: it is a Scan, of nothing that is not asked for.";
    finding.evidence = JoinedSentences(plan.rejected);
    finding.advice = "Look at what it reads when there is more data, with `--scale 1,10`.";
  } else if (plan.service == PlanService::kScanned) {
    finding.what = "No key serves the pattern, so it is a Scan.";
    finding.evidence = JoinedSentences(plan.rejected);
    finding.advice = "Add an index whose partition key is made of what the caller knows.";
  } else if (plan.service == PlanService::kLookedUp && !plan.unknown.empty()) {
    finding.severity = "warning";
    finding.what = "The writes need what the call cannot supply, so it is read first.";
    finding.evidence = JoinedSentences(plan.unknown);
    finding.advice = "Let the caller know it, or leave it out of what is written.";
  } else {
    return;
  }
  findings.push_back(std::move(finding));
}

// Rule 42.
void FindUnenforcedUnique(const PlannerInput& input, const LabPattern& pattern,
                          const PatternPlan& plan, std::vector<PlanFinding>& findings) {
  if (plan.service == PlanService::kDeclared) return;
  for (const LabWrite& write : pattern.writes) {
    for (const int attribute : write.unique) {
      const LabAttributeRef unique = {write.entity, attribute};
      if (SentinelOf(input.file, input.layout, unique) != nullptr) continue;
      const std::string& entity = EntityAt(input.file, write.entity).name;
      const std::string& name = LabAttributeAt(input.file, unique).name;
      findings.push_back(
          {.rule = "unenforced-unique",
           .severity = "severe",
           .what = "Nothing keeps two of " + entity + " from having the same " + name +
                   ", which is to be unique.",
           .where = "pattern " + pattern.name,
           .evidence =
               "No item of " + entity + " has a key of {" + name + "} and of no other attribute.",
           .advice = "Give " + entity + " a second item with such a key, and `attributes: [" +
                     EntityAt(input.file, write.entity).attributes.front().name + "]`."});
    }
  }
}

// Returns the attribute that the text has first; entity kLabNone: it has none.
LabAttributeRef FirstAttribute(const LabTemplate& text) {
  return text.parts.empty() ? LabAttributeRef() : text.parts.front().attribute;
}

// Returns whether instances of the entity say which tenant they belong to.
bool HasTenant(const LabFile& file, int entity) {
  if (IsAncestorOrSelf(file, file.tenant.entity, entity)) return true;
  const auto count = static_cast<int>(EntityAt(file, entity).attributes.size());
  for (int i = 0; i < count; ++i) {
    if (IsSameValue(file, {entity, i}, file.tenant)) return true;
  }
  return false;
}

// Rule 41, for one item and key.
void FindKeyWithoutTenant(const PlannerInput& input, const LabItem& item, LabKey key,
                          std::set<std::string>& known, std::vector<PlanFinding>& findings) {
  const LabItemKey* hash = KeyOfItem(item, HashOf(input.layout, key).front());
  if (hash == nullptr) return;
  const LabAttributeRef first = FirstAttribute(hash->text);
  if (first.entity != kLabNone && IsSameValue(input.file, first, input.file.tenant)) return;
  const std::string label = KeyLabel(input.layout, key);
  if (!known.insert(label + "\n" + hash->text.text).second) return;
  findings.push_back({.rule = "key-without-tenant",
                      .severity = "severe",
                      .what = "The partition key is not led by the tenant.",
                      .where = label + ", " + EntityAt(input.file, item.entity).name,
                      .evidence = hash->attribute + ": " + hash->text.text + ", line " +
                                  std::to_string(hash->text.place.line) + ".",
                      .advice = "Begin the key with {" +
                                LabAttributeAt(input.file, input.file.tenant).name +
                                "}, so that no caller reaches the items of another tenant."});
}

}  // namespace

std::vector<PlanFinding> FindPlanFindings(const PlannerInput& input,
                                          const std::vector<PatternPlan>& plans) {
  std::vector<PlanFinding> findings;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    FindMissingRate(input.file.patterns[i], findings);
    FindUnserved(input.file.patterns[i], plans[i], findings);
    FindUnenforcedUnique(input, input.file.patterns[i], plans[i], findings);
  }
  if (input.file.tenant.entity == kLabNone) return findings;
  std::set<std::string> known;
  for (const LabItem& item : input.layout.items) {
    if (!HasTenant(input.file, item.entity)) continue;
    for (const LabKey key : KeysOf(input.layout)) {
      if (key.table != item.table) continue;
      FindKeyWithoutTenant(input, item, key, known, findings);
    }
  }
  return findings;
}

}  // namespace hashrange
