// ArrangeEntities: how the entities of a model belong together, as the templates of their keys say
// it. An entity is identified by the attribute that its parent's key does not have. Where keys have
// ids that no entity has, an entity is made for them.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text/short_text.h"
#include "lab/import/usual_generators.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostPartitionKeyBytes = 2048;
constexpr std::size_t kMostSortKeyBytes = 1024;
// As many values are a choice.
constexpr double kMostChoiceValues = 10;

// Returns whether several entities usually have an attribute of this name that means something else
// in each: "id".
bool IsGenericName(std::string_view name) {
  constexpr std::array<std::string_view, 8> kGeneric = {"id",   "uuid", "key", "name",
                                                        "type", "date", "pk",  "sk"};
  return std::ranges::find(kGeneric, LowerCase(name)) != kGeneric.end();
}

// Returns whether `entity` is `ancestor` or has it above.
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

// Returns the placeholders of the entity's key in its table.
std::vector<std::string> KeysOf(const ImportedModel& model, const ImportedEntity& entity) {
  return PlaceholdersOf(KeyPairOf(model, entity, ""));
}

// Parents: which entity is the parent of which.

using Same = std::map<std::string, std::string>;

// A parent, and the attributes of the child's keys that are attributes of the parent.
struct ImportedParent {
  std::string name = {};
  Same same = {};  // of the child → of the parent
};

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

// Returns the entity in whose item collection the child's items lie, or whose whole key is a part
// of the child's key; of several, the one with the longest key. Only entities whose identity is
// known count.
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

// Returns the entity whose children an index lists: the partition key of the index is made of the
// identity of that entity alone.
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

// Entities that stand for ids which only the keys of others have.

// Returns "OrderLine" for "order_line_id".
std::string EntityNameOf(std::string_view identity) {
  for (const std::string_view end : {"_id", "Id", "ID", "_number", "_date"}) {
    if (identity.size() > end.size() && identity.ends_with(end)) {
      identity.remove_suffix(end.size());
      break;
    }
  }
  const std::string name = CapitalizedWords(identity, "_-");
  return name.empty() ? "Parent" : name;
}

// Returns an entity of the ids in the keys of `user`. No item of the entity is stored.
ImportedEntity EntityOfIds(const ImportedModel& model, const std::string& identity,
                           const ImportedEntity& user) {
  ImportedEntity made;
  made.identity = identity;
  made.name = EntityNameOf(identity);
  while (FindImportedEntity(model, made.name) != nullptr) made.name += "Ids";
  made.place = user.place;
  made.table = user.table;
  made.is_stored = false;
  made.notes.push_back("no item has only " + identity +
                       ": this entity stands for the ids in the keys of " + user.name);
  return made;
}

// Returns the one of the attributes that most likely identifies: the last that is no time.
std::string IdentityAmong(const ImportedEntity& entity, const std::vector<std::string>& names) {
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const ImportedAttribute* const attribute = FindImportedAttribute(entity, *name);
    const bool is_time = attribute != nullptr && !attribute->time_form.empty();
    if (!is_time && !IsNameOfTime(*name) && !IsNameOfChoice(*name)) return *name;
  }
  return names.empty() ? "" : names.back();
}

// Adds an entity of the ids in the partition key of `described`. Returns its name.
std::string AddEntityOfPartitionKey(ImportedModel& model, const ImportedEntity& described) {
  const ImportedTemplate partition = KeyPairOf(model, described, "").partition;
  const std::vector<std::string> names = AttributesIn(partition);
  ImportedEntity made = EntityOfIds(model, IdentityAmong(described, names), described);
  made.keys = {{FindImportedTable(model, described.table)->hash, partition, ""}};
  for (const std::string& name : names) {
    if (const auto* attribute = FindImportedAttribute(described, name)) {
      made.attributes.push_back(*attribute);
    }
  }
  made.items = described.items > 0 ? std::max(1.0, described.items / 10) : 0;
  std::string name = made.name;
  model.entities.push_back(std::move(made));
  return name;
}

// Returns the entity with that identity, one without a parent first; null when there is none.
const ImportedEntity* EntityIdentifiedBy(const ImportedModel& model, std::string_view name) {
  for (const ImportedEntity& entity : model.entities) {
    if (entity.identity == name && entity.twin.empty() && entity.parent.empty()) return &entity;
  }
  for (const ImportedEntity& entity : model.entities) {
    if (entity.identity == name && entity.twin.empty()) return &entity;
  }
  return nullptr;
}

// Where many items have the same few ids in their keys, adds an entity for those ids.
void AddEntitiesOfSharedIds(ImportedModel& model) {
  const std::vector<ImportedEntity> entities = model.entities;
  for (const ImportedEntity& entity : entities) {
    for (const ImportedAttribute& attribute : entity.attributes) {
      const bool is_id = attribute.type == ImportedType::kText && attribute.generator.empty() &&
                         attribute.time_form.empty() && !IsGenericName(attribute.name) &&
                         !IsNameOfChoice(attribute.name) && !IsNameOfTime(attribute.name);
      const bool is_shared =
          attribute.distinct > kMostChoiceValues && attribute.distinct * 2 < entity.items;
      const bool is_root_identity =
          attribute.name == entity.identity && (entity.parent.empty() || !entity.twin.empty());
      if (!is_id || !is_shared || is_root_identity) continue;
      const ImportedEntity* const other = EntityIdentifiedBy(model, attribute.name);
      if (other != nullptr && other->name != entity.name) continue;
      ImportedEntity made = EntityOfIds(model, attribute.name, entity);
      made.items = attribute.distinct;
      made.attributes = {attribute};
      made.attributes.front().distinct = 0;
      model.entities.push_back(std::move(made));
    }
  }
}

// The steps of ArrangeEntities, in their order.

// Returns the key of the table or an index whose literals alone exceed the service's limits; null
// where there is none.
const ImportedKey* TooLongKeyOf(const ImportedEntity& entity, const ImportedTable& table) {
  for (const ImportedKey& key : entity.keys) {
    bool is_sort_key = key.attribute == table.range;
    for (const ImportedIndex& index : table.indexes) {
      is_sort_key = is_sort_key || IsIn(key.attribute, index.range);
    }
    std::size_t bytes = 0;
    for (const ImportedPart& part : key.text) bytes += part.literal.size();
    if (bytes > (is_sort_key ? kMostSortKeyBytes : kMostPartitionKeyBytes)) return &key;
  }
  return nullptr;
}

void LeaveOutEntitiesWithoutKey(ImportedModel& model) {
  std::erase_if(model.entities, [&](const ImportedEntity& entity) {
    const ImportedTable* const table = FindImportedTable(model, entity.table);
    const auto lacks = [&](const std::string& name) {
      return !name.empty() && std::ranges::none_of(entity.keys, [&](const ImportedKey& key) {
        return key.attribute == name && !key.text.empty();
      });
    };
    std::string why;
    const ImportedKey* const long_key = table == nullptr ? nullptr : TooLongKeyOf(entity, *table);
    if (table == nullptr) {
      why = "its table is not known";
    } else if (long_key != nullptr) {
      why = "its template for " + long_key->attribute +
            " is longer than a key may be, 2,048 bytes, or 1,024 of a sort key";
    } else if (lacks(table->hash)) {
      why = "it has no template for the key " + table->hash;
    } else if (lacks(table->range)) {
      why = "it has no template for the key " + table->range;
    }
    if (why.empty()) return false;
    model.remarks.push_back(entity.place + ": the entity " + entity.name + " was left out: " + why);
    return true;
  });
}

void CompleteAttributes(ImportedModel& model, ImportedEntity& entity) {
  const ImportedTable& table = *FindImportedTable(model, entity.table);
  std::set<std::string> made = {table.hash, table.range, table.type_attribute};
  for (const ImportedIndex& index : table.indexes) {
    for (const std::string& name : index.Keys()) made.insert(name);
  }
  std::set<std::string> used;
  for (const ImportedKey& key : entity.keys) {
    for (const std::string& name : AttributesIn(key.text)) used.insert(name);
  }
  std::set<std::string> seen;
  std::erase_if(entity.attributes, [&](const ImportedAttribute& attribute) {
    if (made.contains(attribute.name) && !used.contains(attribute.name)) {
      // What no template makes is an attribute of its own.
      return attribute.name == table.type_attribute ||
             std::ranges::any_of(entity.keys, [&](const ImportedKey& key) {
               return key.attribute == attribute.name;
             });
    }
    if (seen.insert(attribute.name).second) return false;
    model.remarks.push_back(entity.place + ": the attribute " + attribute.name + " is there twice");
    return true;
  });
  std::string names;
  for (const ImportedKey& key : entity.keys) {
    for (const std::string& name : AttributesIn(key.text)) {
      if (!seen.insert(name).second) continue;
      const auto described = std::ranges::find(entity.only_in_keys, name, &ImportedAttribute::name);
      ImportedAttribute added;
      if (described != entity.only_in_keys.end()) added = *described;
      added.name = name;
      entity.attributes.push_back(std::move(added));
      // A key that is the attribute itself is stored once.
      if (!made.contains(name)) names += (names.empty() ? "" : ", ") + name;
    }
  }
  if (names.empty()) return;
  model.remarks.push_back(entity.place + ": what only the keys of " + entity.name +
                          " have in the source is an attribute here, which makes its items "
                          "larger: " +
                          names);
}

// Returns the entity or the nearest of its ancestors that has the attribute; null: none has it.
const ImportedEntity* OwnerOf(const ImportedModel& model, const ImportedEntity& from,
                              std::string_view attribute) {
  if (FindImportedAttribute(from, attribute) != nullptr) return &from;
  for (const ImportedEntity* const ancestor : AncestorsOf(model, from)) {
    if (FindImportedAttribute(*ancestor, attribute) != nullptr) return ancestor;
  }
  return nullptr;
}

// Gives the attribute of the entity another name in the pattern. What the caller knows is said of
// the entity that leads the pattern.
void RenameIn(ImportedPattern& pattern, const std::string& entity, const std::string& name,
              const std::string& other) {
  for (ImportedPattern& also : pattern.also) RenameIn(also, entity, name, other);
  if (!IsIn(entity, pattern.entities)) return;
  if (pattern.entities.front() != entity) {
    if (IsIn(name, pattern.returns)) pattern.returns.push_back(other);
    return;
  }
  for (std::vector<std::string>* const names :
       {&pattern.by, &pattern.set, &pattern.remove, &pattern.returns}) {
    std::ranges::replace(*names, name, other);
  }
  if (pattern.range_attribute == name) pattern.range_attribute = other;
  if (pattern.order == name) pattern.order = other;
}

// Gives another name to an attribute of the child that has the name of an inherited identity.
void RenameOwn(ImportedModel& model, ImportedEntity& child, const std::string& name) {
  std::string other = PlainName(child.name) + "_" + name;
  while (FindImportedAttribute(child, other) != nullptr) other += "_";
  for (ImportedAttribute& attribute : child.attributes) {
    if (attribute.name == name) attribute.name = other;
  }
  for (ImportedKey& key : child.keys) {
    for (ImportedPart& part : key.text) {
      if (part.attribute == name) part.attribute = other;
    }
  }
  if (child.identity == name) child.identity = other;
  for (ImportedPattern& pattern : model.patterns) RenameIn(pattern, child.name, name, other);
  model.remarks.push_back(child.place + ": the attribute " + name + " of " + child.name +
                          " is called " + other + ", since its parent has one of that name");
}

void BelongTo(ImportedModel& model, ImportedEntity& child, const ImportedParent& parent) {
  child.parent = parent.name;
  const ImportedEntity& above = *FindImportedEntity(model, parent.name);
  for (const auto& [own, other] : parent.same) {
    const ImportedEntity* const owner = OwnerOf(model, above, other);
    if (owner == nullptr) continue;
    if (own == other && owner->identity == other) {
      std::erase_if(child.attributes,
                    [&](const ImportedAttribute& attribute) { return attribute.name == own; });
    } else if (ImportedAttribute* const attribute = FindImportedAttribute(child, own)) {
      attribute->generator = "{of: " + owner->name + "." + other + "}";
      attribute->note = "";
    }
  }
  std::vector<std::string> inherited;
  for (const ImportedEntity* const ancestor : AncestorsOf(model, child)) {
    inherited.push_back(ancestor->identity);
  }
  for (const std::string& name : inherited) {
    if (FindImportedAttribute(child, name) == nullptr) continue;
    const bool is_same = !IsGenericName(name) && child.identity != name;
    if (is_same) {
      std::erase_if(child.attributes,
                    [&](const ImportedAttribute& attribute) { return attribute.name == name; });
    } else {
      RenameOwn(model, child, name);
    }
  }
}

void IdentifyRoots(ImportedModel& model) {
  for (std::size_t at = 0; at < model.entities.size(); ++at) {
    ImportedEntity& entity = model.entities[at];
    const std::vector<std::string> keys = KeysOf(model, entity);
    if (keys.empty()) {
      if (entity.attributes.empty()) {
        entity.attributes.push_back({.name = "id"});
      }
      entity.identity = entity.attributes.front().name;
      entity.items = 1;
    }
    if (keys.size() != 1) continue;
    entity.identity = keys.front();
    const ImportedTemplate partition = KeyPairOf(model, entity, "").partition;
    for (std::size_t before = 0; before < at; ++before) {
      const ImportedEntity& other = model.entities[before];
      const bool has_same = other.identity == entity.identity && other.twin.empty() &&
                            KeysOf(model, other).size() == 1;
      const bool has_same_keys =
          HasLiteral(partition) && HaveSameShape(KeyPairOf(model, other, "").partition, partition);
      if (has_same && (has_same_keys || !IsGenericName(entity.identity))) entity.twin = other.name;
      if (!entity.twin.empty()) break;
    }
  }
}

void Identify(ImportedModel& model, std::size_t at) {
  const ImportedKeyPair keys = KeyPairOf(model, model.entities[at], "");
  std::vector<std::string> rest = PlaceholdersOf(keys);
  auto parent = ParentByKey(model, model.entities[at]);
  const bool needs_parent =
      !parent && !AttributesIn(keys.partition).empty() && !AttributesIn(keys.sort).empty();
  if (needs_parent) {
    ImportedParent of_ids{AddEntityOfPartitionKey(model, model.entities[at]), {}};
    for (const std::string& name : AttributesIn(keys.partition)) of_ids.same[name] = name;
    parent = std::move(of_ids);
  }
  ImportedEntity& entity = model.entities[at];
  if (parent) {
    std::erase_if(rest, [&](const std::string& name) { return parent->same.contains(name); });
  }
  if (rest.empty()) {
    // Each instance of the parent has one: both have the same identities.
    entity.twin = parent->name;
    entity.identity = FindImportedEntity(model, parent->name)->identity;
    return;
  }
  std::vector<std::string> of_sort = AttributesIn(keys.sort);
  std::erase_if(of_sort, [&](const std::string& name) { return !IsIn(name, rest); });
  entity.identity = IdentityAmong(entity, of_sort.empty() ? rest : of_sort);
  if (parent) BelongTo(model, entity, *parent);
}

void IdentifyOthers(ImportedModel& model) {
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < model.entities.size(); ++at) {
    if (model.entities[at].identity.empty()) order.push_back(at);
  }
  std::ranges::stable_sort(
      order, {}, [&](std::size_t at) { return KeysOf(model, model.entities[at]).size(); });
  for (const std::size_t at : order) Identify(model, at);
}

void FollowTwin(ImportedModel& model, ImportedEntity& entity) {
  if (entity.twin.empty()) return;
  ImportedEntity& first = *FindImportedEntity(model, entity.twin);
  entity.parent = first.parent;
  entity.items = first.items;
  const std::string note = "as many as of " + first.name + ", with the same " + first.identity;
  entity.notes.push_back(note);
  for (ImportedEntity* const of : {&first, &entity}) {
    if (ImportedAttribute* const identity = FindImportedAttribute(*of, of->identity)) {
      identity->id_form.clear();
      identity->generator.clear();
      identity->mean_bytes = 0;
    }
  }
  // What the first one inherits, the twin inherits, too.
  for (const ImportedEntity* const ancestor : AncestorsOf(model, entity)) {
    std::erase_if(entity.attributes, [&](const ImportedAttribute& attribute) {
      return attribute.name == ancestor->identity;
    });
  }
}

// Returns the entity whose items have that attribute of samples in the place of their own id: the
// sort key "u#{follower_id}" has the id of the entity with the partition key "u#{u_id}". Null:
// there is none.
const ImportedEntity* EntityOfSameKey(const ImportedModel& model, const ImportedEntity& entity,
                                      const std::string& attribute) {
  for (const ImportedKey& key : entity.keys) {
    const bool is_of_samples = !key.evidence.empty() && HasLiteral(key.text);
    if (!is_of_samples || AttributesIn(key.text) != std::vector<std::string>{attribute}) continue;
    for (const ImportedEntity& other : model.entities) {
      const ImportedKeyPair keys = KeyPairOf(model, other, "");
      const bool is_head = other.is_stored && other.parent.empty() && other.twin.empty() &&
                           AttributesIn(keys.sort).empty() &&
                           AttributesIn(keys.partition) == std::vector<std::string>{other.identity};
      if (is_head && HaveSameShape(keys.partition, key.text)) return &other;
    }
  }
  return nullptr;
}

// What has the name of another entity's identity, or the place of its id in keys, refers to that
// entity.
void ReferToOthers(ImportedModel& model, ImportedEntity& entity) {
  for (ImportedAttribute& attribute : entity.attributes) {
    const bool is_own = attribute.name == entity.identity && !entity.twin.empty();
    // A choice of few ids is a reference to few instances.
    const bool is_open = attribute.generator.empty() || attribute.generator.starts_with("{choice:");
    if (IsGenericName(attribute.name) || !is_open || is_own) continue;
    const ImportedEntity* other = EntityOfSameKey(model, entity, attribute.name);
    if (other == nullptr || other == &entity) other = EntityIdentifiedBy(model, attribute.name);
    if (other == nullptr || other == &entity || other->items == 1) continue;
    // An ancestor's identity is inherited, and a descendant's does not exist yet.
    if (IsBelow(model, other->name, entity.name)) continue;
    attribute.generator = "{ref: " + other->name + "." + other->identity + "}";
  }
}

void PutIdentityFirst(ImportedEntity& entity) {
  const auto found =
      std::ranges::find(entity.attributes, entity.identity, &ImportedAttribute::name);
  if (found == entity.attributes.end()) {
    entity.attributes.insert(entity.attributes.begin(), {.name = entity.identity});
  } else {
    std::rotate(entity.attributes.begin(), found, found + 1);
  }
  ImportedAttribute& identity = entity.attributes.front();
  identity.present = 1;
  const std::string yaml = IdentityGeneratorOf(identity, "").yaml;
  const bool is_global = yaml.starts_with("{sequence") || yaml.starts_with("{uuid");
  entity.is_distinct = !entity.parent.empty() && !is_global;
}

// A file is read from the roots to their children.
void PutParentsFirst(ImportedModel& model) {
  std::vector<ImportedEntity> ordered;
  std::vector<ImportedEntity> rest = std::move(model.entities);
  while (!rest.empty()) {
    const auto has_no_parent_left = [&](const ImportedEntity& entity) {
      return std::ranges::find(rest, entity.parent, &ImportedEntity::name) == rest.end();
    };
    auto next = std::ranges::find_if(rest, has_no_parent_left);
    if (next == rest.end()) next = rest.begin();
    ordered.push_back(std::move(*next));
    rest.erase(next);
  }
  model.entities = std::move(ordered);
}

}  // namespace

void ArrangeEntities(ImportedModel& model) {
  LeaveOutEntitiesWithoutKey(model);
  for (ImportedEntity& entity : model.entities) CompleteAttributes(model, entity);
  IdentifyRoots(model);
  IdentifyOthers(model);
  for (std::size_t at = 0; at < model.entities.size(); ++at) {
    ImportedEntity& entity = model.entities[at];
    if (!entity.parent.empty() || !entity.twin.empty()) continue;
    if (const auto parent = ParentByIndex(model, entity)) BelongTo(model, entity, *parent);
  }
  for (ImportedEntity& entity : model.entities) FollowTwin(model, entity);
  AddEntitiesOfSharedIds(model);
  for (ImportedEntity& entity : model.entities) ReferToOthers(model, entity);
  for (ImportedEntity& entity : model.entities) PutIdentityFirst(entity);
  PutParentsFirst(model);
}

}  // namespace hashrange
