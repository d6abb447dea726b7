#include "lab/import/imported_model.h"

#include <algorithm>
#include <utility>

#include "base/text/short_text.h"
#include "lab/import/sample/sampled_items.h"

namespace hashrange {
namespace {

constexpr std::size_t kLeastServiceNameBytes = 3;
constexpr std::size_t kMostServiceNameBytes = 255;
constexpr std::string_view kMergeName = "<<";  // YAML merges maps by it

// The most entities of a model; each is compared with each. Attributes and the placeholders of keys
// together are bounded, too, and so are the placeholders of one entity's keys.
constexpr std::size_t kMostImportedEntities = 500;
constexpr std::size_t kMostImportedAttributes = 10'000;
constexpr std::size_t kMostImportedPlaceholders = 40;

bool IsOfServiceName(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_' || c == '-' || c == '.';
}

std::size_t PlaceholdersIn(const ImportedEntity& entity) {
  std::size_t placeholders = 0;
  for (const ImportedKey& key : entity.keys) placeholders += key.text.size();
  return placeholders;
}

std::size_t PartsOf(const ImportedEntity& entity) {
  return entity.attributes.size() + PlaceholdersIn(entity);
}

template <typename List>
auto* FindNamed(List& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &List::value_type::name);
  return found == all.end() ? nullptr : &*found;
}

ImportedTemplate TemplateOfKey(const ImportedEntity& entity, std::string_view attribute) {
  for (const ImportedKey& key : entity.keys) {
    if (key.attribute == attribute) return key.text;
  }
  return {};
}

}  // namespace

std::string_view VerbName(ImportedPattern::Verb verb) {
  constexpr std::string_view kNames[] = {"get", "query", "create", "update", "delete", ""};
  return kNames[static_cast<std::size_t>(verb)];
}

std::vector<std::string> ImportedIndex::Keys() const {
  std::vector<std::string> keys = hash;
  keys.insert(keys.end(), range.begin(), range.end());
  return keys;
}

ImportedEntity* FindImportedEntity(ImportedModel& model, std::string_view name) {
  return FindNamed(model.entities, name);
}
const ImportedEntity* FindImportedEntity(const ImportedModel& model, std::string_view name) {
  return FindNamed(model.entities, name);
}
const ImportedTable* FindImportedTable(const ImportedModel& model, std::string_view name) {
  return FindNamed(model.tables, name);
}
ImportedAttribute* FindImportedAttribute(ImportedEntity& entity, std::string_view name) {
  return FindNamed(entity.attributes, name);
}
const ImportedAttribute* FindImportedAttribute(const ImportedEntity& entity,
                                               std::string_view name) {
  return FindNamed(entity.attributes, name);
}

std::vector<const ImportedEntity*> AncestorsOf(const ImportedModel& model,
                                               const ImportedEntity& entity) {
  std::vector<const ImportedEntity*> ancestors;
  const ImportedEntity* ancestor = FindImportedEntity(model, entity.parent);
  while (ancestor != nullptr && ancestors.size() < model.entities.size()) {
    ancestors.push_back(ancestor);
    ancestor = FindImportedEntity(model, ancestor->parent);
  }
  return ancestors;
}

bool IsKnownOf(const ImportedModel& model, const ImportedEntity& entity, std::string_view name) {
  return FindImportedAttribute(entity, name) != nullptr ||
         std::ranges::any_of(AncestorsOf(model, entity), [&](const ImportedEntity* ancestor) {
           return ancestor->identity == name;
         });
}

ImportedKeyPair KeyPairOf(const ImportedModel& model, const ImportedEntity& entity,
                          std::string_view index) {
  const ImportedTable* const table = FindImportedTable(model, entity.table);
  if (table == nullptr) return {};
  if (index.empty()) {
    return {TemplateOfKey(entity, table->hash), TemplateOfKey(entity, table->range)};
  }
  const ImportedIndex* const found = FindNamed(table->indexes, index);
  ImportedKeyPair pair;
  if (found == nullptr) return pair;
  const auto append = [&](const std::vector<std::string>& names, ImportedTemplate& text) {
    for (const std::string& name : names) {
      const ImportedTemplate part = TemplateOfKey(entity, name);
      text.insert(text.end(), part.begin(), part.end());
    }
  };
  append(found->hash, pair.partition);
  append(found->range, pair.sort);
  return pair;
}

std::vector<std::string> PlaceholdersOf(const ImportedKeyPair& keys) {
  ImportedTemplate both = keys.partition;
  both.insert(both.end(), keys.sort.begin(), keys.sort.end());
  return AttributesIn(both);
}

std::string NewEntityName(std::string_view name, const std::string& place, ImportedModel& model) {
  std::string plain = PlainName(name);
  const std::string first = plain;
  for (int number = 2; FindImportedEntity(model, plain) != nullptr; ++number) {
    plain = first + std::to_string(number);
  }
  if (plain != name) {
    model.remarks.push_back(place + ": the entity \"" + std::string(name) + "\" is called " +
                            plain);
  }
  return plain;
}

bool AddImportedEntity(ImportedEntity entity, ImportedModel& model) {
  std::size_t attributes = PartsOf(entity);
  for (const ImportedEntity& other : model.entities) attributes += PartsOf(other);
  std::string why;
  if (PlaceholdersIn(entity) > kMostImportedPlaceholders) {
    why = "the keys of an entity have at most " + std::to_string(kMostImportedPlaceholders) +
          " placeholders";
  } else if (model.entities.size() >= kMostImportedEntities) {
    why = "a model has at most " + std::to_string(kMostImportedEntities) + " entities";
  } else if (attributes > kMostImportedAttributes) {
    why = "a model has at most " + std::to_string(kMostImportedAttributes) +
          " attributes and placeholders of keys";
  }
  if (!why.empty()) {
    model.remarks.push_back(entity.place + " was left out: " + why);
    return false;
  }
  model.entities.push_back(std::move(entity));
  return true;
}

std::string RefusalOfKey(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) return "a key attribute has no name";
    if (name->size() > kMostServiceNameBytes) {
      return "the name of a key attribute has at most " + std::to_string(kMostServiceNameBytes) +
             " bytes";
    }
    if (*name == kMergeName) return "a lab file has no attribute " + *name;
    if (std::find(names.begin(), name, *name) != name) {
      return "the attribute " + *name + " is there twice in its key";
    }
  }
  return "";
}

bool AddImportedTable(ImportedTable table, const std::string& place, ImportedModel& model) {
  std::vector<std::string> key = {table.hash};
  if (!table.range.empty()) key.push_back(table.range);
  std::string why = table.hash.empty() ? "it has no partition key" : RefusalOfKey(key);
  if (why.empty() && FindImportedTable(model, table.name) != nullptr) {
    why = "there is another " + table.name;
  }
  if (why.empty()) {
    model.tables.push_back(std::move(table));
    return true;
  }
  model.remarks.push_back(place + ": the table was left out: " + why);
  return false;
}

std::string ServiceNameOf(std::string_view name, const std::string& place, ImportedModel& model) {
  std::string allowed(name.substr(0, kMostServiceNameBytes));
  for (char& c : allowed) {
    if (!IsOfServiceName(c)) c = '_';
  }
  while (allowed.size() < kLeastServiceNameBytes) allowed += '_';
  if (allowed != name) {
    model.remarks.push_back(place + ": \"" + std::string(name) + "\" is called " + allowed +
                            ", since the service allows no such name");
  }
  return allowed;
}

void AddImportedKey(const std::string& attribute, std::string_view index, std::string_view text,
                    const std::string& place, ImportedEntity& entity, ImportedModel& model,
                    TemplateStyle style) {
  if (attribute.empty()) return;
  std::vector<std::string> unknown_forms;
  auto parsed = ParseImportedTemplate(text, style, &unknown_forms);
  for (const std::string& placeholder : unknown_forms) {
    model.remarks.push_back(place + ": the form of {" + placeholder +
                            "} was left out; a lab file has others");
  }
  if (!parsed) {
    model.remarks.push_back(place + ": the template \"" + std::string(text) +
                            "\" was left out: each { needs its }, with a name between them");
    return;
  }
  if (parsed->empty()) {
    model.remarks.push_back(place + ": the template of " + attribute +
                            " is empty and was left out");
    return;
  }
  const auto same = std::ranges::find(entity.keys, attribute, &ImportedKey::attribute);
  const bool is_itself = parsed->size() == 1 && parsed->front().literal.empty() &&
                         parsed->front().attribute == attribute;
  if (same == entity.keys.end()) {
    entity.keys.push_back({attribute, std::move(*parsed), std::string(index)});
  } else if (!is_itself && LabTextOf(same->text) != LabTextOf(*parsed)) {
    model.remarks.push_back(place + ": " + attribute + " of " + entity.name +
                            " has another template already, and \"" + std::string(text) +
                            "\" was left out");
  }
}

void AddBareKey(const std::string& attribute, const std::string& index, ImportedEntity& entity) {
  const auto same = std::ranges::find(entity.keys, attribute, &ImportedKey::attribute);
  if (attribute.empty() || same != entity.keys.end()) return;
  entity.keys.push_back({attribute, BareImportedTemplate(PlainName(attribute)), index});
}

void SetNotRequired(const ImportedEntity& entity, ImportedAttribute& attribute) {
  attribute.is_optional = true;
  const bool is_in_key = std::ranges::any_of(entity.keys, [&](const ImportedKey& key) {
    return IsIn(attribute.name, AttributesIn(key.text));
  });
  if (is_in_key) {
    attribute.note = "not required: `present` makes the index sparse";
    return;
  }
  attribute.present = 0.5;
  if (attribute.note.empty()) attribute.note = "not required: fill in `present`";
}

ImportedType ImportedTypeNamed(std::string_view name) {
  const std::string lower = LowerCase(name);
  if (lower == "string" || lower == "s" || lower == "date" || lower == "uuid" || lower == "ulid") {
    return ImportedType::kText;
  }
  for (const std::string_view number : {"number", "n", "integer", "int", "decimal", "float"}) {
    if (lower == number) return ImportedType::kNumber;
  }
  if (lower == "boolean" || lower == "bool") return ImportedType::kFlag;
  return ImportedType::kOther;
}

void SetImportedProjection(std::string_view name, std::vector<std::string> included,
                           ImportedIndex& index) {
  const std::string lower = LowerCase(name);
  if (lower == "keys_only" || lower == "keys") {
    index.projection = "keys_only";
  } else if (lower == "include" && !included.empty()) {
    index.projection.clear();
    index.included = std::move(included);
  }
}

void AddTablesWithoutItems(ImportedModel& model) {
  for (const ImportedTable& table : model.tables) {
    const bool has_items = std::ranges::any_of(
        model.entities, [&](const ImportedEntity& entity) { return entity.table == table.name; });
    if (has_items) continue;
    ImportedEntity entity;
    entity.place = table.name;
    entity.table = table.name;
    entity.name = NewEntityName(table.name, "tables", model);
    AddBareKey(table.hash, "", entity);
    AddBareKey(table.range, "", entity);
    for (const ImportedIndex& index : table.indexes) {
      for (const std::string& name : index.Keys()) AddBareKey(name, index.name, entity);
    }
    for (ImportedKey& key : entity.keys) {
      if (!IsNameOfKey(key.attribute)) continue;
      key.question = "what is the template of " + key.attribute + "? The table has no items.";
    }
    model.entities.push_back(std::move(entity));
    model.remarks.push_back(
        "the table " + table.name +
        " has no items that show its entities: one entity with the table's keys stands for them");
  }
}

}  // namespace hashrange
