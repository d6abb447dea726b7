// WriteLabDraft: a model as the text of a lab file, from its entities to its traffic. A part that
// the reader of lab files may refuse has other forms, which lab_draft.h tries.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <cmath>

#include "lab/import/usual_generators.h"
#include "lab/yaml/yaml_text.h"

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;
using Range = ImportedPattern::Range;

constexpr double kUsualItems = 1000;
constexpr double kMostWrittenItems = 1e9;
// Of one table, by the service's quotas.
constexpr int kMostGlobalIndexes = 20;
constexpr int kMostLocalIndexes = 5;
constexpr std::string_view kFillIn = " # fill in\n";

std::string NoteBehind(const std::string& note) {
  return note.empty() ? "\n" : " # " + YamlComment(note) + "\n";
}

// Returns how many there are of each parent.
std::string CountOfChildren(const ImportedEntity& entity, const ImportedEntity& parent) {
  if (entity.items <= 0 || parent.items <= 0) {
    return "{zipf: 0.7, mean: 10, max: 200}" + std::string(kFillIn);
  }
  const double mean = entity.items / parent.items;
  const double most = std::max(entity.most_children, std::ceil(mean));
  if (most <= mean * 1.001) return YamlNumber(mean) + "\n";
  if (mean < 1) return "{poisson: " + YamlNumber(mean) + ", max: " + YamlNumber(most) + "}\n";
  const double greatest = entity.most_children > 0 ? most : std::ceil(mean * 20);
  return "{zipf: 0.7, mean: " + YamlNumber(mean) + ", max: " + YamlNumber(greatest) + "}\n";
}

std::string CountYaml(const ImportedModel& model, const ImportedEntity& entity) {
  if (const ImportedEntity* const parent = FindImportedEntity(model, entity.parent)) {
    return CountOfChildren(entity, *parent);
  }
  if (entity.items <= 0) return YamlNumber(kUsualItems) + std::string(kFillIn);
  return YamlNumber(std::clamp(std::round(entity.items), 1.0, kMostWrittenItems)) + "\n";
}

void WriteEntity(const ImportedModel& model, const ImportedEntity& entity, LabDraft& draft) {
  std::string head = "  " + YamlPlain(entity.name) + ":\n";
  for (const std::string& note : entity.notes) head += "    # " + YamlComment(note) + "\n";
  if (!entity.parent.empty()) head += "    of: " + YamlPlain(entity.parent) + "\n";
  const std::string with_count = head + "    count: " + CountYaml(model, entity);
  std::vector<std::string> forms = {with_count, head + "    count: 1" + std::string(kFillIn)};
  if (entity.is_distinct) {
    forms.insert(forms.begin(), with_count + "    distinct: " + YamlPlain(entity.identity) + "\n");
  }
  for (std::string& form : forms) form += "    attributes:\n";
  draft.AddPart(std::move(forms));
  std::string time;
  for (const ImportedAttribute& attribute : entity.attributes) {
    const bool is_time = GeneratorOf(attribute).yaml.starts_with("{time") &&
                         GeneratorOf(attribute).yaml.find("form:") == std::string::npos;
    if (is_time && time.empty()) time = attribute.name;
  }
  for (const ImportedAttribute& attribute : entity.attributes) {
    const bool is_single = entity.parent.empty() && entity.items == 1;
    const bool is_identity = &attribute == &entity.attributes.front() && !is_single;
    const UsualGenerator generator =
        is_identity ? IdentityGeneratorOf(attribute, time) : GeneratorOf(attribute);
    const std::string name = "      " + YamlPlain(attribute.name) + ": ";
    draft.AddPartBelow({name + generator.yaml + NoteBehind(generator.note),
                        name + (is_identity ? "{sequence: 8}\n" : "{text: [8, 24]}\n")});
  }
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

// Appends the pattern; one that cannot be expressed becomes a comment.
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

std::string BillingYaml(std::int64_t read, std::int64_t write) {
  if (read <= 0 || write <= 0) return "on_demand";
  return "{read: " + std::to_string(read) + ", write: " + std::to_string(write) + "}";
}

// Returns whether an item of the table has the attribute of a key.
bool HasItemWith(const ImportedModel& model, const ImportedTable& table, std::string_view name) {
  return std::ranges::any_of(model.entities, [&](const ImportedEntity& entity) {
    const bool has_key = std::ranges::any_of(entity.keys, [&](const ImportedKey& key) {
      return key.attribute == name && !key.text.empty();
    });
    return entity.table == table.name && entity.is_stored &&
           (has_key || FindImportedAttribute(entity, name) != nullptr);
  });
}

std::string IndexYaml(const ImportedIndex& index, bool on_demand) {
  std::string yaml =
      YamlPlain(index.name) + ": {key: " + YamlKey(index.hash, index.range) +
      ", projection: " + (index.projection.empty() ? YamlList(index.included) : index.projection);
  if (index.is_local) yaml += ", local: true";
  if (!on_demand && !index.is_local && index.read_units > 0 && index.write_units > 0) {
    yaml += ", billing: " + BillingYaml(index.read_units, index.write_units);
  }
  return yaml + "}\n";
}

// Returns why the service has no such index; empty: it has. `before` are the indexes of the
// table that were written.
std::string RefusalOf(const ImportedModel& model, const ImportedTable& table,
                      const ImportedIndex& index, const std::vector<const ImportedIndex*>& before) {
  if (index.is_local && (table.range.empty() || index.range.empty())) {
    return "the local index " + index.name + " needs a sort key, and its table, too";
  }
  const auto same_kind = std::ranges::count_if(
      before, [&](const ImportedIndex* other) { return other->is_local == index.is_local; });
  if (same_kind >= (index.is_local ? kMostLocalIndexes : kMostGlobalIndexes)) {
    return "the table " + table.name + " has too many indexes for " + index.name;
  }
  if (std::ranges::any_of(before,
                          [&](const ImportedIndex* other) { return other->name == index.name; })) {
    return "there is another index " + index.name;
  }
  const std::vector<std::string> keys = index.Keys();
  if (const std::string why = RefusalOfKey(keys); !why.empty()) {
    return "the index " + index.name + " cannot be: " + why;
  }
  for (const std::string& name : keys) {
    if (HasItemWith(model, table, name)) continue;
    return "no entity has " + name + ", a key of the index " + index.name;
  }
  return "";
}

void WriteIndexes(ImportedModel& model, const ImportedTable& table, LabDraft& draft) {
  std::vector<const ImportedIndex*> written;
  for (const ImportedIndex& index : table.indexes) {
    const std::string why = RefusalOf(model, table, index, written);
    if (why.empty()) {
      written.push_back(&index);
      continue;
    }
    model.remarks.push_back(why + "; the index was left out");
    draft.Add("        # Left out: " + YamlComment(why) + "\n        # " +
              YamlComment(IndexYaml(index, table.read_units <= 0)) + "\n");
  }
  if (written.empty()) return;
  draft.Add("        indexes:\n");
  for (const ImportedIndex* const index : written) {
    draft.AddPart({"          " + IndexYaml(*index, table.read_units <= 0)});
  }
}

// Returns the template without forms, which not every type of an attribute has.
ImportedTemplate WithoutForms(ImportedTemplate text) {
  for (ImportedPart& part : text) part.form.clear();
  return text;
}

struct ItemForm {
  bool has_indexes = true;
  bool has_forms = true;
  bool has_marks = false;  // of open questions
};

// Returns the mark of an open question, with the template that may be the answer.
std::string MarkOf(const std::string& question, const std::string& text) {
  return "{?" + YamlComment(question) + " Proposal: \"" + text + "\".}";
}

// Returns a comment that says which samples gave the templates; empty where no sample did.
std::string EvidenceComment(const ImportedEntity& entity) {
  std::string comment;
  std::vector<std::string> written;
  for (const ImportedKey& key : entity.keys) {
    if (key.evidence.empty() || key.text.empty() || IsIn(key.attribute, written)) continue;
    written.push_back(key.attribute);
    comment += (comment.empty() ? "" : "; ") + key.attribute + ": " + key.evidence;
  }
  return comment.empty() ? "" : "          # " + YamlComment(comment) + "\n";
}

std::string ItemYaml(const ImportedEntity& entity, const ImportedTable& table, ItemForm form) {
  std::string yaml;
  std::vector<std::string> written;
  for (const ImportedKey& key : entity.keys) {
    const bool is_of_table = key.attribute == table.hash || key.attribute == table.range;
    const bool is_there = IsIn(key.attribute, written);
    if (key.text.empty() || is_there || (!is_of_table && !form.has_indexes)) continue;
    written.push_back(key.attribute);
    std::string text = LabTextOf(form.has_forms ? key.text : WithoutForms(key.text));
    if (form.has_marks && !key.question.empty()) text = MarkOf(key.question, text);
    yaml += (yaml.empty() ? "{" : ", ") + YamlPlain(key.attribute) + ": " + YamlQuoted(text);
  }
  return EvidenceComment(entity) + "          " + YamlPlain(entity.name) + ": " + yaml + "}\n";
}

void WriteTable(ImportedModel& model, const ImportedTable& table, LabDraft& draft) {
  std::string head = "      " + YamlPlain(table.name) + ":\n        key: ";
  head += YamlKey({table.hash}, table.range.empty() ? std::vector<std::string>{}
                                                    : std::vector<std::string>{table.range});
  head += "\n        billing: " + BillingYaml(table.read_units, table.write_units) + "\n";
  head += "        type_attribute: " +
          (table.type_attribute.empty() ? "none" : YamlPlain(table.type_attribute)) + "\n";
  if (table.is_infrequent_access) head += "        class: infrequent_access\n";
  if (table.has_stream) head += "        stream: true\n";
  if (!table.ttl_attribute.empty()) {
    if (HasItemWith(model, table, table.ttl_attribute)) {
      head += "        ttl: " + YamlPlain(table.ttl_attribute) + "\n";
    } else {
      model.remarks.push_back("no entity of " + table.name + " has " + table.ttl_attribute +
                              ", the attribute of time to live, which was left out");
    }
  }
  draft.Add(std::move(head));
  WriteIndexes(model, table, draft);
  draft.Add("        items:\n");
  for (const ImportedEntity& entity : model.entities) {
    if (entity.table != table.name || !entity.is_stored) continue;
    std::vector<std::string> forms;
    std::vector<std::string> marked;
    for (ItemForm form : {ItemForm{true, true}, ItemForm{true, false}, ItemForm{false, false}}) {
      forms.push_back(ItemYaml(entity, table, form));
      form.has_marks = true;
      marked.push_back(ItemYaml(entity, table, form));
    }
    draft.AddPart(std::move(forms), std::move(marked));
  }
}

bool HasItems(const ImportedModel& model, const ImportedTable& table) {
  return std::ranges::any_of(model.entities, [&](const ImportedEntity& entity) {
    return entity.table == table.name && entity.is_stored;
  });
}

}  // namespace

LabDraft WriteLabDraft(ImportedModel& model) {
  LabDraft draft;
  draft.Add("lab: 1\nseed: 1\nentities: # the first attribute identifies\n");
  for (const ImportedEntity& entity : model.entities) WriteEntity(model, entity, draft);
  draft.Add("access_patterns: # `by` is all that the caller knows\n");
  for (const ImportedPattern& pattern : model.patterns) WritePattern(model, pattern, draft);
  draft.Add("layouts:\n  " + YamlPlain(model.layout) + ":\n    tables:\n");
  for (const ImportedTable& table : model.tables) {
    if (HasItems(model, table)) {
      WriteTable(model, table, draft);
    } else {
      model.remarks.push_back("no entity is stored in the table " + table.name +
                              ", which was left out");
    }
  }
  draft.Add("traffic: [{for: 5m, rate: 1}] # multiples of the rates above\n");
  if (!model.partitions.empty()) {
    draft.AddPart({"partitions: " + model.partitions + " # as the measured tables had them\n"});
  }
  draft.Add("limits: {\"*\": {failed: 0.01}} # what `hashrange lab check` holds: fill in\n");
  return draft;
}

}  // namespace hashrange
