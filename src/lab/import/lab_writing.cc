#include "lab/import/lab_writing.h"

#include <algorithm>
#include <cmath>

#include "lab/import/imported_entities.h"
#include "lab/import/imported_names.h"
#include "lab/import/imported_template.h"
#include "lab/import/pattern_yaml.h"
#include "lab/import/usual_generators.h"
#include "lab/import/yaml_text.h"

namespace hashrange {
namespace {

constexpr double kUsualItems = 1000;
constexpr double kMostItems = 1e9;
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
  return YamlNumber(std::clamp(std::round(entity.items), 1.0, kMostItems)) + "\n";
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

std::string KeyList(const std::vector<std::string>& hash, const std::vector<std::string>& range) {
  if (hash.size() > 1 || range.size() > 1) {
    return "{hash: " + YamlList(hash) + (range.empty() ? "" : ", range: " + YamlList(range)) + "}";
  }
  std::vector<std::string> both = hash;
  both.insert(both.end(), range.begin(), range.end());
  return YamlList(both);
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
      YamlPlain(index.name) + ": {key: " + KeyList(index.hash, index.range) +
      ", projection: " + (index.projection.empty() ? YamlList(index.included) : index.projection);
  if (index.is_local) yaml += ", local: true";
  if (!on_demand && !index.is_local && index.read_units > 0 && index.write_units > 0) {
    yaml += ", billing: " + BillingYaml(index.read_units, index.write_units);
  }
  return yaml + "}\n";
}

// Returns why the service has no such index; empty: it has. `before` are those of the table that
// were written.
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
  std::vector<std::string> keys = index.hash;
  keys.insert(keys.end(), index.range.begin(), index.range.end());
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
};

std::string ItemYaml(const ImportedEntity& entity, const ImportedTable& table, ItemForm form) {
  std::string yaml;
  std::vector<std::string> written;
  for (const ImportedKey& key : entity.keys) {
    const bool is_of_table = key.attribute == table.hash || key.attribute == table.range;
    const bool is_there = std::ranges::find(written, key.attribute) != written.end();
    if (key.text.empty() || is_there || (!is_of_table && !form.has_indexes)) continue;
    written.push_back(key.attribute);
    const std::string text = LabTextOf(form.has_forms ? key.text : WithoutForms(key.text));
    yaml += (yaml.empty() ? "{" : ", ") + YamlPlain(key.attribute) + ": " + YamlQuoted(text);
  }
  return "          " + YamlPlain(entity.name) + ": " + yaml + "}\n";
}

void WriteTable(ImportedModel& model, const ImportedTable& table, LabDraft& draft) {
  std::string head = "      " + YamlPlain(table.name) + ":\n        key: ";
  head += KeyList({table.hash}, table.range.empty() ? std::vector<std::string>{}
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
    draft.AddPart({ItemYaml(entity, table, {true, true}), ItemYaml(entity, table, {true, false}),
                   ItemYaml(entity, table, {false, false})});
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
  draft.Add("limits: {\"*\": {failed: 0.01}} # what `hashrange lab check` holds: fill in\n");
  return draft;
}

}  // namespace hashrange
