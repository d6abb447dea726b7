// ArrangeEntities: names, identities and parents.
#include <algorithm>
#include <set>
#include <utility>

#include "lab/import/id_entities.h"
#include "lab/import/imported_entities.h"
#include "lab/import/imported_parents.h"
#include "lab/import/imported_template.h"
#include "lab/import/usual_generators.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostPartitionKeyBytes = 2048;
constexpr std::size_t kMostSortKeyBytes = 1024;

bool IsIn(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

ImportedAttribute* OwnAttribute(ImportedEntity& entity, std::string_view name) {
  const auto found = std::ranges::find(entity.attributes, name, &ImportedAttribute::name);
  return found == entity.attributes.end() ? nullptr : &*found;
}

class Arrangement {
 public:
  explicit Arrangement(ImportedModel& model) : model_(model) {}

  void Run() {
    LeaveOutEntitiesWithoutKey();
    for (ImportedEntity& entity : model_.entities) CompleteAttributes(entity);
    IdentifyRoots();
    IdentifyOthers();
    for (std::size_t at = 0; at < model_.entities.size(); ++at) {
      ImportedEntity& entity = model_.entities[at];
      if (!entity.parent.empty() || !entity.twin.empty()) continue;
      if (const auto parent = ParentByIndex(model_, entity)) BelongTo(entity, *parent);
    }
    for (ImportedEntity& entity : model_.entities) FollowTwin(entity);
    AddEntitiesOfSharedIds(model_);
    for (ImportedEntity& entity : model_.entities) ReferToOthers(entity);
    for (ImportedEntity& entity : model_.entities) PutIdentityFirst(entity);
    PutParentsFirst();
  }

 private:
  const ImportedTable& TableOf(const ImportedEntity& entity) const {
    return *FindImportedTable(model_, entity.table);
  }
  std::vector<std::string> KeysOf(const ImportedEntity& entity) const {
    return PlaceholdersOf(KeyPairOf(model_, entity, ""));
  }

  void LeaveOutEntitiesWithoutKey();
  void CompleteAttributes(ImportedEntity& entity);
  void IdentifyRoots();
  void IdentifyOthers();
  void Identify(std::size_t at);
  void BelongTo(ImportedEntity& child, const ImportedParent& parent);
  void RenameOwn(ImportedEntity& child, const std::string& name);
  void FollowTwin(ImportedEntity& entity);
  void ReferToOthers(ImportedEntity& entity);
  void PutIdentityFirst(ImportedEntity& entity);
  void PutParentsFirst();
  const ImportedEntity* OwnerOf(const ImportedEntity& from, std::string_view attribute) const;

  ImportedModel& model_;
};

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

void Arrangement::LeaveOutEntitiesWithoutKey() {
  std::erase_if(model_.entities, [&](const ImportedEntity& entity) {
    const ImportedTable* const table = FindImportedTable(model_, entity.table);
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
    model_.remarks.push_back(entity.place + ": the entity " + entity.name +
                             " was left out: " + why);
    return true;
  });
}

void Arrangement::CompleteAttributes(ImportedEntity& entity) {
  const ImportedTable& table = TableOf(entity);
  std::set<std::string> made = {table.hash, table.range, table.type_attribute};
  for (const ImportedIndex& index : table.indexes) {
    made.insert(index.hash.begin(), index.hash.end());
    made.insert(index.range.begin(), index.range.end());
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
    model_.remarks.push_back(entity.place + ": the attribute " + attribute.name +
                             " is there twice");
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
  model_.remarks.push_back(entity.place + ": what only the keys of " + entity.name +
                           " have in the source is an attribute here, which makes its items "
                           "larger: " +
                           names);
}

void Arrangement::IdentifyRoots() {
  for (std::size_t at = 0; at < model_.entities.size(); ++at) {
    ImportedEntity& entity = model_.entities[at];
    const std::vector<std::string> keys = KeysOf(entity);
    if (keys.empty()) {
      if (entity.attributes.empty()) {
        ImportedAttribute added;
        added.name = "id";
        entity.attributes.push_back(std::move(added));
      }
      entity.identity = entity.attributes.front().name;
      entity.items = 1;
    }
    if (keys.size() != 1) continue;
    entity.identity = keys.front();
    const ImportedTemplate partition = KeyPairOf(model_, entity, "").partition;
    for (std::size_t before = 0; before < at; ++before) {
      const ImportedEntity& other = model_.entities[before];
      const bool has_same =
          other.identity == entity.identity && other.twin.empty() && KeysOf(other).size() == 1;
      const bool has_same_keys =
          HasLiteral(partition) && HaveSameShape(KeyPairOf(model_, other, "").partition, partition);
      if (has_same && (has_same_keys || !IsGenericName(entity.identity))) entity.twin = other.name;
      if (!entity.twin.empty()) break;
    }
  }
}

void Arrangement::IdentifyOthers() {
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < model_.entities.size(); ++at) {
    if (model_.entities[at].identity.empty()) order.push_back(at);
  }
  std::ranges::stable_sort(order, {},
                           [&](std::size_t at) { return KeysOf(model_.entities[at]).size(); });
  for (const std::size_t at : order) Identify(at);
}

void Arrangement::Identify(std::size_t at) {
  const ImportedKeyPair keys = KeyPairOf(model_, model_.entities[at], "");
  std::vector<std::string> rest = PlaceholdersOf(keys);
  auto parent = ParentByKey(model_, model_.entities[at]);
  const bool needs_parent =
      !parent && !AttributesIn(keys.partition).empty() && !AttributesIn(keys.sort).empty();
  if (needs_parent) {
    ImportedParent of_ids{AddEntityOfPartitionKey(model_, model_.entities[at]), {}};
    for (const std::string& name : AttributesIn(keys.partition)) of_ids.same[name] = name;
    parent = std::move(of_ids);
  }
  ImportedEntity& entity = model_.entities[at];
  if (parent) {
    std::erase_if(rest, [&](const std::string& name) { return parent->same.contains(name); });
  }
  if (rest.empty()) {
    // Each instance of the parent has one: both have the same identities.
    entity.twin = parent->name;
    entity.identity = FindImportedEntity(model_, parent->name)->identity;
    return;
  }
  std::vector<std::string> of_sort = AttributesIn(keys.sort);
  std::erase_if(of_sort, [&](const std::string& name) { return !IsIn(name, rest); });
  entity.identity = IdentityAmong(entity, of_sort.empty() ? rest : of_sort);
  if (parent) BelongTo(entity, *parent);
}

const ImportedEntity* Arrangement::OwnerOf(const ImportedEntity& from,
                                           std::string_view attribute) const {
  const ImportedEntity* owner = &from;
  for (std::size_t depth = 0; owner != nullptr && depth <= model_.entities.size(); ++depth) {
    if (FindImportedAttribute(*owner, attribute) != nullptr) return owner;
    owner = FindImportedEntity(model_, owner->parent);
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
void Arrangement::RenameOwn(ImportedEntity& child, const std::string& name) {
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
  for (ImportedPattern& pattern : model_.patterns) RenameIn(pattern, child.name, name, other);
  model_.remarks.push_back(child.place + ": the attribute " + name + " of " + child.name +
                           " is called " + other + ", since its parent has one of that name");
}

void Arrangement::BelongTo(ImportedEntity& child, const ImportedParent& parent) {
  child.parent = parent.name;
  const ImportedEntity& above = *FindImportedEntity(model_, parent.name);
  for (const auto& [own, other] : parent.same) {
    const ImportedEntity* const owner = OwnerOf(above, other);
    if (owner == nullptr) continue;
    if (own == other && owner->identity == other) {
      std::erase_if(child.attributes,
                    [&](const ImportedAttribute& attribute) { return attribute.name == own; });
    } else if (ImportedAttribute* const attribute = OwnAttribute(child, own)) {
      attribute->generator = "{of: " + owner->name + "." + other + "}";
      attribute->note = "";
    }
  }
  std::vector<std::string> inherited;
  const ImportedEntity* ancestor = &above;
  for (std::size_t depth = 0; ancestor != nullptr && depth < model_.entities.size(); ++depth) {
    inherited.push_back(ancestor->identity);
    ancestor = FindImportedEntity(model_, ancestor->parent);
  }
  for (const std::string& name : inherited) {
    if (FindImportedAttribute(child, name) == nullptr) continue;
    const bool is_same = !IsGenericName(name) && child.identity != name;
    if (is_same) {
      std::erase_if(child.attributes,
                    [&](const ImportedAttribute& attribute) { return attribute.name == name; });
    } else {
      RenameOwn(child, name);
    }
  }
}

void Arrangement::FollowTwin(ImportedEntity& entity) {
  if (entity.twin.empty()) return;
  ImportedEntity& first = *FindImportedEntity(model_, entity.twin);
  entity.parent = first.parent;
  entity.items = first.items;
  const std::string note = "as many as of " + first.name + ", with the same " + first.identity;
  entity.notes.push_back(note);
  for (ImportedEntity* const of : {&first, &entity}) {
    if (ImportedAttribute* const identity = OwnAttribute(*of, of->identity)) {
      identity->id_form.clear();
      identity->generator.clear();
      identity->mean_bytes = 0;
    }
  }
  // What the first one inherits, the twin inherits, too.
  const ImportedEntity* ancestor = FindImportedEntity(model_, entity.parent);
  for (std::size_t depth = 0; ancestor != nullptr && depth < model_.entities.size(); ++depth) {
    std::erase_if(entity.attributes, [&](const ImportedAttribute& attribute) {
      return attribute.name == ancestor->identity;
    });
    ancestor = FindImportedEntity(model_, ancestor->parent);
  }
}

// What has the name of another entity's identity refers to that entity.
void Arrangement::ReferToOthers(ImportedEntity& entity) {
  for (ImportedAttribute& attribute : entity.attributes) {
    const bool is_own = attribute.name == entity.identity && !entity.twin.empty();
    // A choice of few ids is a reference to few instances.
    const bool is_open = attribute.generator.empty() || attribute.generator.starts_with("{choice:");
    if (IsGenericName(attribute.name) || !is_open || is_own) continue;
    const ImportedEntity* const other = EntityIdentifiedBy(model_, attribute.name);
    if (other == nullptr || other == &entity || other->items == 1) continue;
    // An ancestor's identity is inherited, and a descendant's does not exist yet.
    if (IsBelow(model_, other->name, entity.name)) continue;
    attribute.generator = "{ref: " + other->name + "." + other->identity + "}";
  }
}

void Arrangement::PutIdentityFirst(ImportedEntity& entity) {
  const auto found =
      std::ranges::find(entity.attributes, entity.identity, &ImportedAttribute::name);
  if (found == entity.attributes.end()) {
    ImportedAttribute added;
    added.name = entity.identity;
    entity.attributes.insert(entity.attributes.begin(), std::move(added));
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
void Arrangement::PutParentsFirst() {
  std::vector<ImportedEntity> ordered;
  std::vector<ImportedEntity> rest = std::move(model_.entities);
  while (!rest.empty()) {
    const auto has_no_parent_left = [&](const ImportedEntity& entity) {
      return std::ranges::find(rest, entity.parent, &ImportedEntity::name) == rest.end();
    };
    auto next = std::ranges::find_if(rest, has_no_parent_left);
    if (next == rest.end()) next = rest.begin();
    ordered.push_back(std::move(*next));
    rest.erase(next);
  }
  model_.entities = std::move(ordered);
}

}  // namespace

void ArrangeEntities(ImportedModel& model) { Arrangement(model).Run(); }

}  // namespace hashrange
