#include "lab/import/pattern_yaml.h"

#include <algorithm>

#include "lab/import/imported_entities.h"
#include "lab/import/usual_generators.h"
#include "lab/import/yaml_text.h"

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;
using Range = ImportedPattern::Range;

std::string_view VerbName(Verb verb) {
  switch (verb) {
    case Verb::kGet:
      return "get";
    case Verb::kQuery:
      return "query";
    case Verb::kCreate:
      return "create";
    case Verb::kUpdate:
      return "update";
    case Verb::kDelete:
      return "delete";
    case Verb::kNone:
      break;
  }
  return "";
}

std::string RateYaml(double calls_per_second) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "/s"}, {60, "/min"}, {3600, "/h"}, {86400, "/d"}};
  for (const Unit& unit : kUnits) {
    const double rate = calls_per_second * unit.seconds;
    if (rate >= 1 || unit.seconds == 86400) return YamlNumber(std::min(rate, 1e7)) + unit.name;
  }
  return "1/s";
}

const ImportedAttribute* AttributeOf(const ImportedModel& model, const ImportedPattern& pattern,
                                     std::string_view name) {
  const ImportedEntity* const entity = FindImportedEntity(model, pattern.entities.front());
  return entity == nullptr ? nullptr : FindImportedAttribute(*entity, name);
}

// Returns bounds of the attribute; empty where none can be given.
std::string RangeYaml(const ImportedModel& model, const ImportedPattern& pattern) {
  const ImportedAttribute* const attribute = AttributeOf(model, pattern, pattern.range_attribute);
  if (attribute == nullptr) return "";
  const std::string name = "{" + YamlPlain(pattern.range_attribute) + ": {";
  const std::string generator = GeneratorOf(*attribute).yaml;
  const bool is_first =
      FindImportedEntity(model, pattern.entities.front())->identity == pattern.range_attribute;
  if (generator.starts_with("{time")) {
    const bool is_past = generator.find("past") != generator.npos;
    if (pattern.range == Range::kTo) return name + "to: \"2025-07\"}}";
    return name + (is_past ? "last: 30d}}" : "next: 7d}}");
  }
  if (attribute->type == ImportedType::kNumber) {
    if (pattern.range == Range::kTo) return name + "to: 500}}";
    if (pattern.range == Range::kBetween) return name + "between: [100, 900]}}";
    return name + "from: 500}}";
  }
  if (pattern.range == Range::kPrefix || !is_first) return name + "prefix: 4}}";
  return name + (pattern.range == Range::kTo ? "to: \"00000500\"}}" : "from: \"00000500\"}}");
}

// Returns a generator of a new value.
std::string NewValueYaml(const ImportedModel& model, const ImportedPattern& pattern,
                         std::string_view name) {
  const ImportedAttribute* attribute = AttributeOf(model, pattern, name);
  if (attribute == nullptr) return "{text: [8, 24]}";
  ImportedAttribute value = *attribute;
  value.present = 1;
  return GeneratorOf(value).yaml;
}

std::string SetYaml(const ImportedModel& model, const ImportedPattern& pattern) {
  std::string yaml;
  for (const std::string& name : pattern.set) {
    yaml +=
        (yaml.empty() ? "{" : ", ") + YamlPlain(name) + ": " + NewValueYaml(model, pattern, name);
  }
  return yaml + "}";
}

std::string AlsoYaml(const ImportedModel& model, const ImportedPattern& also) {
  std::string yaml =
      "{" + std::string(VerbName(also.verb)) + ": " + YamlPlain(also.entities.front());
  if (also.verb != Verb::kCreate) yaml += ", by: " + YamlList(also.by);
  if (!also.set.empty() && also.verb == Verb::kUpdate) yaml += ", set: " + SetYaml(model, also);
  if (!also.remove.empty()) yaml += ", remove: " + YamlList(also.remove);
  return yaml + "}";
}

std::string MembersYaml(const ImportedModel& model, const ImportedPattern& pattern) {
  const std::string indent = "    ";
  std::string yaml;
  const auto add = [&](std::string_view name, const std::string& value) {
    yaml += indent + std::string(name) + ": " + value + "\n";
  };
  add(VerbName(pattern.verb), pattern.entities.size() == 1 ? YamlPlain(pattern.entities.front())
                                                           : YamlList(pattern.entities));
  const bool is_query = pattern.verb == Verb::kQuery;
  const bool needs_by = pattern.verb != Verb::kCreate && !(is_query && pattern.by.empty());
  if (needs_by) add("by", YamlList(pattern.by));
  if (is_query && pattern.range != Range::kNone) {
    if (const std::string range = RangeYaml(model, pattern); !range.empty()) {
      add("range", range + " # fill in the bounds");
    }
  }
  if (is_query && !pattern.order.empty()) {
    add("order", YamlPlain((pattern.is_descending ? "-" : "") + pattern.order));
  }
  if (is_query && pattern.limit > 0)
    add("limit", std::to_string(std::min<std::int64_t>(pattern.limit, 1'000'000)));
  const bool is_read = is_query || pattern.verb == Verb::kGet;
  if (is_read && !pattern.returns.empty()) add("returns", YamlList(pattern.returns));
  if (is_read && pattern.is_consistent) add("consistent", "true");
  if (!pattern.with.empty()) add("with", YamlList(pattern.with));
  if (!is_read && !pattern.set.empty() && pattern.verb == Verb::kUpdate)
    add("set", SetYaml(model, pattern));
  if (pattern.verb == Verb::kUpdate && !pattern.remove.empty())
    add("remove", YamlList(pattern.remove));
  if (!is_read && !pattern.also.empty()) {
    yaml += indent + "also:\n";
    for (const ImportedPattern& also : pattern.also)
      yaml += indent + "  - " + AlsoYaml(model, also) + "\n";
  }
  const bool may_be_batch = !is_query && pattern.verb != Verb::kUpdate;
  if (may_be_batch && pattern.batch > 1) {
    add("batch", std::to_string(std::min<std::int64_t>(pattern.batch, 10'000)));
  }
  if (!is_query && pattern.is_transaction) add("transaction", "true");
  return yaml;
}

std::string PatternText(const ImportedModel& model, const ImportedPattern& pattern,
                        const std::string& note) {
  std::string yaml = "  " + YamlPlain(pattern.name) + ":\n";
  for (const std::string& line : pattern.notes) yaml += "    # " + YamlComment(line) + "\n";
  if (!note.empty()) yaml += "    # " + note + "\n";
  yaml += MembersYaml(model, pattern);
  yaml += pattern.calls_per_second > 0 ? "    rate: " + RateYaml(pattern.calls_per_second) + "\n"
                                       : "    rate: 1/s # fill in\n";
  if (pattern.picks_by_zipf) yaml += "    pick: zipf\n";
  return yaml;
}

// A pattern that cannot be expressed.
std::string CommentText(const ImportedPattern& pattern) {
  std::string comment = "  # " + YamlComment(pattern.name) + ": cannot be expressed\n";
  for (const std::string& note : pattern.notes) comment += "  #   " + YamlComment(note) + "\n";
  return comment;
}

}  // namespace

void WritePattern(const ImportedModel& model, const ImportedPattern& pattern, LabDraft& draft) {
  if (pattern.verb == Verb::kNone) return draft.Add(CommentText(pattern));
  std::vector<std::string> forms = {PatternText(model, pattern, "")};
  if (!pattern.also.empty()) {
    ImportedPattern other = pattern;
    other.also.clear();
    std::string note = "the call also writes";
    for (const ImportedPattern& also : pattern.also) {
      note += " " + also.entities.front() + (&also == &pattern.also.back() ? "" : ",");
    }
    forms.push_back(
        PatternText(model, other, YamlComment(note) + ", which cannot be derived from its keys"));
    other.with.clear();
    forms.push_back(PatternText(model, other, YamlComment(note)));
  }
  if (pattern.entities.size() > 1) {
    ImportedPattern other = pattern;
    other.entities.resize(1);
    forms.push_back(PatternText(model, other, "the source asks for all items of the collection"));
  }
  if (pattern.verb == Verb::kGet) {
    ImportedPattern other = pattern;
    other.verb = Verb::kQuery;
    forms.push_back(PatternText(model, other, "a get in the source: `by` does not identify one"));
  }
  if (pattern.range != Range::kNone) {
    ImportedPattern other = pattern;
    other.range = Range::kNone;
    forms.push_back(PatternText(
        model, other,
        "the range of " + YamlComment(pattern.range_attribute) + " was left out: fill it in"));
  }
  draft.AddPart(std::move(forms));
}

}  // namespace hashrange
