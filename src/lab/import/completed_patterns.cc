// CompletePatterns: an access pattern says only what its entities have.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <set>

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;

constexpr std::size_t kMostPatterns = 2000;

std::string Joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " and ") + name;
  return list;
}

// Removes repeated names, and names for which `is_kept` is false; the latter are noted.
template <typename IsKept>
void Keep(std::vector<std::string>& names, const std::string& member, ImportedPattern& pattern,
          IsKept is_kept) {
  std::set<std::string> seen;
  std::erase_if(names, [&](const std::string& name) {
    if (!seen.insert(name).second) return true;
    if (is_kept(name)) return false;
    pattern.notes.push_back(member + " " + name + " is no such attribute of " +
                            pattern.entities.front() + " and was left out");
    return true;
  });
}

bool IsWrite(Verb verb) {
  return verb == Verb::kCreate || verb == Verb::kUpdate || verb == Verb::kDelete;
}

// Returns whether an update may set the attribute.
bool IsChanged(const ImportedEntity& entity, std::string_view name) {
  const ImportedAttribute* const attribute = FindImportedAttribute(entity, name);
  return attribute != nullptr && name != entity.identity &&
         !attribute->generator.starts_with("{of:");
}

void CompleteUpdate(const ImportedEntity& entity, ImportedPattern& pattern) {
  const auto is_changed = [&](const std::string& name) { return IsChanged(entity, name); };
  Keep(pattern.set, "the changed", pattern, is_changed);
  Keep(pattern.remove, "the removed", pattern, is_changed);
  if (pattern.verb != Verb::kUpdate || !pattern.set.empty() || !pattern.remove.empty()) return;
  for (auto attribute = entity.attributes.rbegin(); attribute != entity.attributes.rend();
       ++attribute) {
    if (!is_changed(attribute->name)) continue;
    pattern.set.push_back(attribute->name);
    pattern.notes.push_back("the source does not say which attributes change; fill in `set`");
    return;
  }
  pattern.verb = Verb::kNone;
  pattern.notes.push_back(entity.name + " has no attribute that an update could change");
}

void CompletePattern(const ImportedModel& model, ImportedPattern& pattern) {
  std::erase_if(pattern.entities, [&](const std::string& name) {
    const ImportedEntity* const entity = FindImportedEntity(model, name);
    if (entity != nullptr) return false;
    pattern.notes.push_back("there is no entity " + name);
    return true;
  });
  if (pattern.entities.empty()) pattern.verb = Verb::kNone;
  if (pattern.verb == Verb::kNone) return;
  const ImportedEntity& entity = *FindImportedEntity(model, pattern.entities.front());
  const auto is_known = [&](const std::string& name) { return IsKnownOf(model, entity, name); };
  const auto is_known_of_any = [&](const std::string& name) {
    return std::ranges::any_of(pattern.entities, [&](const std::string& of) {
      return IsKnownOf(model, *FindImportedEntity(model, of), name);
    });
  };
  Keep(pattern.by, "the parameter", pattern, is_known);
  Keep(pattern.returns, "the returned", pattern, is_known_of_any);
  if (!is_known(pattern.range_attribute)) pattern.range = ImportedPattern::Range::kNone;
  if (!is_known(pattern.order)) pattern.order.clear();
  if (IsWrite(pattern.verb)) CompleteUpdate(entity, pattern);
  for (ImportedPattern& also : pattern.also) CompletePattern(model, also);
  std::erase_if(pattern.also, [](const ImportedPattern& also) { return also.verb == Verb::kNone; });
}

ImportedPattern PatternOf(Verb verb, const ImportedEntity& entity, std::string name,
                          std::vector<std::string> by) {
  ImportedPattern pattern;
  pattern.verb = verb;
  pattern.name = std::move(name);
  pattern.entities = {entity.name};
  pattern.by = std::move(by);
  return pattern;
}

// Adds what the keys of the entity serve.
void AddServedPatterns(ImportedModel& model, const ImportedEntity& entity) {
  const ImportedKeyPair keys = KeyPairOf(model, entity, "");
  std::vector<ImportedPattern>& patterns = model.patterns;
  patterns.push_back(PatternOf(Verb::kGet, entity, "get " + entity.name, PlaceholdersOf(keys)));
  const std::vector<std::string> partition = AttributesIn(keys.partition);
  if (!AttributesIn(keys.sort).empty()) {
    const std::string by = partition.empty() ? "" : " by " + Joined(partition);
    patterns.push_back(PatternOf(Verb::kQuery, entity, "query " + entity.name + by, partition));
  }
  for (const ImportedIndex& index : FindImportedTable(model, entity.table)->indexes) {
    const ImportedTemplate of_index = KeyPairOf(model, entity, index.name).partition;
    if (of_index.empty() || index.is_local) continue;
    const std::vector<std::string> names = AttributesIn(of_index);
    const std::string by = names.empty() ? "" : " by " + Joined(names);
    patterns.push_back(
        PatternOf(Verb::kQuery, entity, "query " + entity.name + " of " + index.name + by, names));
  }
  patterns.push_back(PatternOf(Verb::kCreate, entity, "create " + entity.name, {}));
}

}  // namespace

void CompletePatterns(ImportedModel& model) {
  if (model.patterns.size() > kMostPatterns) {
    model.patterns.resize(kMostPatterns);
    model.remarks.push_back("only the first " + std::to_string(kMostPatterns) +
                            " access patterns were turned over");
  }
  for (ImportedPattern& pattern : model.patterns) CompletePattern(model, pattern);
  const bool has_none = std::ranges::all_of(
      model.patterns, [](const ImportedPattern& pattern) { return pattern.verb == Verb::kNone; });
  if (has_none) {
    const std::vector<ImportedEntity> entities = model.entities;
    for (const ImportedEntity& entity : entities) {
      if (entity.is_stored) AddServedPatterns(model, entity);
    }
    model.remarks.push_back(
        "the source has no access patterns that can be expressed: those of this file are what the "
        "keys serve; change them into what the application asks");
    for (ImportedPattern& pattern : model.patterns) CompletePattern(model, pattern);
  }
  std::set<std::string> names;
  for (ImportedPattern& pattern : model.patterns) {
    // YAML merges maps by "<<".
    if (pattern.name.empty() || pattern.name == "<<") pattern.name = "pattern";
    const std::string first = pattern.name;
    for (int number = 2; !names.insert(pattern.name).second; ++number) {
      pattern.name = first + " " + std::to_string(number);
    }
  }
}

}  // namespace hashrange
