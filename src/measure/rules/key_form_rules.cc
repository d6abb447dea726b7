// The rules that judge how keys and times are written: rules 34 and 35 of design_rules.def.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "measure/key_templates.h"
#include "measure/number_text.h"
#include "measure/rules/design_rules.h"

namespace hashrange {
namespace {

bool IsSortKey(const Measurement& measurement, const KeyTemplateMeasure& each) {
  const KeyAttributes keys = KeyAttributesOf(measurement, each.table, each.index);
  return std::ranges::find(keys.range, each.attribute) != keys.range.end();
}

bool HasVaryingNumbers(const PlaceholderMeasure& placeholder) {
  return placeholder.kind == "digits" && !placeholder.has_leading_zeros &&
         placeholder.least_length != placeholder.greatest_length;
}

// Whether a call relies on the order of the sort keys: it reads backward, or up to a Limit, or a
// range.
bool ReliesOnOrder(const Measurement& measurement, const KeyTemplateMeasure& each) {
  bool relies = false;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const bool reads_it = member.kind == "query" && member.table == each.table &&
                          member.index == each.index && pattern.calls > 0;
    const KeyTerm* const term = reads_it ? SortKeyTerm(measurement, member) : nullptr;
    if (!reads_it || (term && term->op == "=")) return;
    const bool is_range = term && term->op != "begins_with";
    const bool meets = !term || CanBeginWith(each.text, LiteralBeginning(term->value),
                                             measurement.settings.separators);
    relies |= meets && (member.backward || member.limit > 0 || is_range);
  });
  return relies;
}

}  // namespace

// --- Rule 34 ---

RuleOutcome AssessNumbersInSortKeys(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No stored sort key has digits in it."};
  for (const KeyTemplateMeasure& each : measurement.key_templates) {
    if (each.items == 0 || !IsSortKey(measurement, each)) continue;
    for (const PlaceholderMeasure& placeholder : each.placeholders) {
      if (placeholder.kind != "digits") continue;
      outcome.has_evidence = true;
      if (!HasVaryingNumbers(placeholder)) continue;
      const bool matters = ReliesOnOrder(measurement, each);
      std::string evidence = "{" + placeholder.text + "} has " +
                             NumberText(placeholder.least_length) + " to " +
                             CountedText(placeholder.greatest_length, "digit") + " in " +
                             CountedText(each.items, "item");
      if (matters) evidence += ", and calls read them in order";
      outcome.Add(
          matters ? FindingSeverity::kWarning : FindingSeverity::kHint,
          {.table = each.table, .index = each.index, .key = each.attribute + "=" + each.text},
          evidence + ".");
    }
  }
  return outcome;
}

namespace {

using TextSet = std::set<std::string, std::less<>>;

// The parts of "ISO, seconds".
void AddParts(std::string_view list, TextSet* parts) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    parts->insert(std::string(list.substr(0, end)));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
}

std::string JoinedText(const TextSet& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " and ") + part;
  return text;
}

}  // namespace

// An attribute is judged over all entities of its table, as a reader knows it by its name.
RuleOutcome AssessTimeForms(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No stored attribute looks like a time."};
  std::map<std::pair<std::string, std::string>, TextSet> forms;
  for (const EntityMeasure& entity : measurement.entities) {
    for (const AttributeMeasure& attribute : entity.attributes) {
      if (attribute.time_forms.empty()) continue;
      AddParts(attribute.time_forms, &forms[{entity.table, attribute.name}]);
    }
  }
  outcome.has_evidence = !forms.empty();
  for (const auto& [place, parts] : forms) {
    if (parts.size() < 2) continue;
    outcome.Add(FindingSeverity::kWarning, {.table = place.first, .key = place.second},
                "The attribute holds " + JoinedText(parts) + ".");
  }
  return outcome;
}

// --- Rule 35 ---

namespace {

// What one sentence names; of more, it says how many there are.
constexpr std::size_t kMostNamed = 3;

std::string NamesOf(const std::vector<const EntityMeasure*>& entities) {
  std::string names;
  for (std::size_t i = 0; i < std::min(entities.size(), kMostNamed); ++i) {
    names += (names.empty() ? "" : " and ") + EntityText(*entities[i]);
  }
  if (entities.size() > kMostNamed) {
    names += " and " + CountedText(entities.size() - kMostNamed, "other entity", "other entities");
  }
  return names;
}

// Whether the begins_with stops within a token, as begins_with USER#{id} does for keys
// USER#{id}#ORDER#{n}: it meets USER#1 and USER#10.
bool StopsWithinToken(std::string_view value, std::string_view separators) {
  return !value.empty() && separators.find(value.back()) == std::string_view::npos;
}

}  // namespace

// Only what calls ask for is judged: keys that begin alike are a hierarchy, which many good designs
// have, until a call that is meant for one level reads another.
RuleOutcome AssessAmbiguousPrefixes(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No query by begins_with met stored items."};
  const std::string& separators = measurement.settings.separators;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const KeyTerm* const term = member.kind == "query" ? SortKeyTerm(measurement, member) : nullptr;
    if (!term || term->op != "begins_with" || pattern.calls == 0) return;
    const std::vector<const EntityMeasure*> met = KindsMetBy(measurement, member);
    if (met.empty()) return;
    outcome.has_evidence = true;
    const bool is_literal = IsConstantTemplate(term->value);
    // A begins_with up to a placeholder, such as ORDER#{id}#, is a deliberate level.
    if (met.size() < 2 || (!is_literal && !StopsWithinToken(term->value, separators))) return;
    FindingPlace place = PlaceOf(pattern, member);
    place.key = term->attribute + " begins_with " + term->value;
    outcome.Add(FindingSeverity::kHint, place,
                CountedText(pattern.calls, "call") + " met items of " + NamesOf(met) + ".");
  });
  return outcome;
}

namespace {

// Whether a part of the template stands for words of which there were too many to tell apart. What
// these words are, and so whether two entities share one of them, is not known.
bool HasMergedWords(std::string_view text) { return text.find("{…}") != text.npos; }

bool TemplatesCanBeEqual(const Measurement& measurement, const EntityMeasure& one,
                         const EntityMeasure& other) {
  const std::string& separators = measurement.settings.separators;
  return CanBeEqual(one.sort_key, other.sort_key, separators) &&
         CanBeEqual(one.partition_key, other.partition_key, separators);
}

bool HasMergedKey(const EntityMeasure& entity) {
  return HasMergedWords(entity.partition_key) || HasMergedWords(entity.sort_key);
}

bool HasUniqueKey(const Measurement& measurement, const EntityMeasure& entity) {
  return HasUniquePart(measurement, entity.table, entity.partition_key) ||
         HasUniquePart(measurement, entity.table, entity.sort_key);
}

// Pairs of entities of one table whose keys can be equal.
struct EqualPairs {
  std::uint64_t count = 0;
  std::string first = {};  // the first of them, in words
};

void AddPair(const EntityMeasure& one, const EntityMeasure& other, EqualPairs* pairs) {
  if (++pairs->count > kMostNamed) return;
  pairs->first += (pairs->first.empty() ? "" : "; ") + ("an item of " + EntityText(one)) +
                  " can have the key of an item of " + EntityText(other);
}

// Adds the pairs of the entity at `place` with those after it.
void AddPairsOf(const Measurement& measurement, std::size_t place, EqualPairs* pairs,
                RuleOutcome* outcome) {
  const EntityMeasure& one = measurement.entities[place];
  if (one.items == 0) return;
  // The look-up among all templates is made once for the entity, and not for each pair.
  const bool is_unique = HasUniqueKey(measurement, one);
  for (std::size_t at = place + 1; at < measurement.entities.size(); ++at) {
    const EntityMeasure& other = measurement.entities[at];
    if (one.table != other.table || one.type == other.type || other.items == 0) continue;
    const bool can_be_equal = !is_unique && TemplatesCanBeEqual(measurement, one, other);
    if (can_be_equal && (HasMergedKey(one) || HasMergedKey(other))) continue;
    outcome->has_evidence = true;
    if (can_be_equal) AddPair(one, other, pairs);
  }
}

std::string EvidenceOf(const EqualPairs& pairs) {
  if (pairs.count == 1) return "A" + pairs.first.substr(1) + ".";
  return CountedText(pairs.count, "pair") + " of entities: " + pairs.first +
         (pairs.count > kMostNamed ? "; …" : ".");
}

}  // namespace

RuleOutcome AssessEqualTemplates(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{
      .missing = "No table has items of two entities whose keys are known by their words."};
  std::map<std::string, EqualPairs> by_table;
  for (std::size_t place = 0; place < measurement.entities.size(); ++place) {
    AddPairsOf(measurement, place, &by_table[measurement.entities[place].table], &outcome);
  }
  for (const auto& [table, pairs] : by_table) {
    if (pairs.count == 0) continue;
    outcome.Add(FindingSeverity::kWarning, {.table = table}, EvidenceOf(pairs));
  }
  return outcome;
}

}  // namespace hashrange
