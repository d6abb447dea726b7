#include "lab/import/imported_parents.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/lower_case.h"
#include "lab/import/imported_entities.h"
#include "lab/import/imported_template.h"

namespace hashrange {
namespace {

using Same = std::map<std::string, std::string>;

bool IsIn(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

// Returns the placeholders of `child` and those at the same places of `parent`.
Same SamePlaces(const ImportedTemplate& child, const ImportedTemplate& parent) {
  Same same;
  for (std::size_t at = 0; at < child.size(); ++at) {
    if (!child[at].attribute.empty()) same[child[at].attribute] = parent[at].attribute;
  }
  return same;
}

// Returns whether the parent's item is the head of the item collections in which the child's are.
bool IsHead(const ImportedKeyPair& parent, const ImportedKeyPair& child) {
  return HaveSameShape(parent.partition, child.partition) && HasLiteral(parent.partition) &&
         !AttributesIn(parent.partition).empty() && AttributesIn(parent.sort).empty();
}

struct RankedParent {
  // Greater ones are better: the head of the collection, a part of the partition key, a part of the
  // sort key; then the longer key.
  std::tuple<int, std::size_t> rank = {0, 0};
  ImportedParent parent = {};
};

// `of_child` are the placeholders of the child's keys.
RankedParent RankOf(const ImportedModel& model, const ImportedEntity& parent,
                    const ImportedKeyPair& child, const std::vector<std::string>& of_child) {
  const ImportedKeyPair keys = KeyPairOf(model, parent, "");
  const std::vector<std::string> of_parent = PlaceholdersOf(keys);
  const bool is_short = of_parent.size() < of_child.size();
  if (!is_short || of_parent.empty()) return {};
  if (IsHead(keys, child)) {
    return {{3, of_parent.size()}, {parent.name, SamePlaces(child.partition, keys.partition)}};
  }
  const bool is_part = std::ranges::all_of(of_parent, [&](const std::string& name) {
    return IsIn(name, of_child) && !IsGenericName(name);
  });
  if (!is_part) return {};
  Same same;
  for (const std::string& name : of_parent) same[name] = name;
  const bool leads = IsIn(parent.identity, AttributesIn(child.partition));
  return {{leads ? 2 : 1, of_parent.size()}, {parent.name, std::move(same)}};
}

// IsBelow, which takes longer, is to be asked as well.
bool MayBeParent(const ImportedEntity& parent, const ImportedEntity& child) {
  return !parent.identity.empty() && parent.twin.empty() && parent.name != child.name;
}

}  // namespace

bool IsGenericName(std::string_view name) {
  constexpr std::array<std::string_view, 8> kGeneric = {"id",   "uuid", "key", "name",
                                                        "type", "date", "pk",  "sk"};
  return std::ranges::find(kGeneric, LowerCase(name)) != kGeneric.end();
}

bool IsBelow(const ImportedModel& model, std::string_view entity, std::string_view ancestor) {
  for (std::size_t depth = 0; depth <= model.entities.size(); ++depth) {
    if (entity.empty()) return false;
    if (entity == ancestor) return true;
    const ImportedEntity* const found = FindImportedEntity(model, entity);
    if (found == nullptr) return false;
    entity = found->parent;
  }
  return true;
}

std::optional<ImportedParent> ParentByKey(const ImportedModel& model, const ImportedEntity& child) {
  const ImportedKeyPair keys = KeyPairOf(model, child, "");
  const std::vector<std::string> placeholders = PlaceholdersOf(keys);
  RankedParent best;
  for (const ImportedEntity& parent : model.entities) {
    if (!MayBeParent(parent, child)) continue;
    RankedParent ranked = RankOf(model, parent, keys, placeholders);
    if (ranked.rank > best.rank && !IsBelow(model, parent.name, child.name)) {
      best = std::move(ranked);
    }
  }
  if (best.parent.name.empty()) return std::nullopt;
  return best.parent;
}

std::optional<ImportedParent> ParentByIndex(const ImportedModel& model,
                                            const ImportedEntity& child) {
  const ImportedTable* const table = FindImportedTable(model, child.table);
  if (table == nullptr) return std::nullopt;
  for (const ImportedIndex& index : table->indexes) {
    const ImportedTemplate partition = KeyPairOf(model, child, index.name).partition;
    const std::vector<std::string> names = AttributesIn(partition);
    if (names.size() != 1 || names.front() == child.identity) continue;
    const ImportedAttribute* const attribute = FindImportedAttribute(child, names.front());
    if (attribute == nullptr || attribute->present < 1 || attribute->is_optional) continue;
    for (const ImportedEntity& parent : model.entities) {
      if (!MayBeParent(parent, child) || !parent.is_stored) continue;
      const ImportedKeyPair keys = KeyPairOf(model, parent, "");
      const bool is_named = parent.identity == names.front() && !IsGenericName(names.front());
      const bool has_shape = HaveSameShape(keys.partition, partition) && HasLiteral(partition) &&
                             AttributesIn(keys.sort).empty();
      if ((is_named || has_shape) && !IsBelow(model, parent.name, child.name))
        return ImportedParent{parent.name, {{names.front(), parent.identity}}};
    }
  }
  return std::nullopt;
}

}  // namespace hashrange
