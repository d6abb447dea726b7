// ArrangeEntities: names, identities and parents.
#include <algorithm>
#include <set>
#include <utility>

#include "lab/import/imported_entities.h"
#include "lab/import/imported_parents.h"
#include "lab/import/imported_template.h"
#include "lab/import/usual_generators.h"

namespace hashrange {
namespace {

// As many values are a choice.
constexpr double kMostChoiceValues = 10;

bool IsIn(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

ImportedAttribute* OwnAttribute(ImportedEntity& entity, std::string_view name) {
  const auto found = std::ranges::find(entity.attributes, name, &ImportedAttribute::name);
  return found == entity.attributes.end() ? nullptr : &*found;
}

// Returns "OrderLine" for "order_line_id".
std::string EntityNameOf(std::string_view identity) {
  for (const std::string_view end : {"_id", "Id", "ID", "_number", "_date"}) {
    if (identity.size() > end.size() && identity.ends_with(end)) {
      identity.remove_suffix(end.size());
      break;
    }
  }
  std::string name;
  bool begins_word = true;
  for (const char c : identity) {
    const bool is_lower = c >= 'a' && c <= 'z';
    if (c != '_' && c != '-')
      name += begins_word && is_lower ? static_cast<char>(c - 'a' + 'A') : c;
    begins_word = c == '_' || c == '-';
  }
  return name.empty() ? "Parent" : name;
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
    MakeEntitiesOfSharedIds();
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
  std::size_t MakeParent(std::size_t child);
  void BelongTo(ImportedEntity& child, const ImportedParent& parent);
  void RenameOwn(ImportedEntity& child, const std::string& name);
  void MakeEntitiesOfSharedIds();
  void MakeEntityOfIds(const ImportedEntity& user, const ImportedAttribute& ids);
  void FollowTwin(ImportedEntity& entity);
  void ReferToOthers(ImportedEntity& entity);
  void PutIdentityFirst(ImportedEntity& entity);
  void PutParentsFirst();
  const ImportedEntity* EntityIdentifiedBy(std::string_view name) const;
  const ImportedEntity* OwnerOf(const ImportedEntity& from, std::string_view attribute) const;

  ImportedModel& model_;
};

void Arrangement::LeaveOutEntitiesWithoutKey() {
  std::erase_if(model_.entities, [&](const ImportedEntity& entity) {
    const ImportedTable* const table = FindImportedTable(model_, entity.table);
    const auto lacks = [&](const std::string& name) {
      return !name.empty() && std::ranges::none_of(entity.keys, [&](const ImportedKey& key) {
        return key.attribute == name && !key.text.empty();
      });
    };
    std::string why;
    if (table == nullptr) {
      why = "its table is not known";
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
  for (const ImportedKey& key : entity.keys) {
    for (const std::string& name : AttributesIn(key.text)) {
      if (!seen.insert(name).second) continue;
      ImportedAttribute added;
      added.name = name;
      entity.attributes.push_back(std::move(added));
    }
  }
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

// Returns the name that most likely identifies: the last one that is no time.
std::string IdentityAmong(const ImportedEntity& entity, const std::vector<std::string>& names) {
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const ImportedAttribute* const attribute = FindImportedAttribute(entity, *name);
    const bool is_time = attribute != nullptr && !attribute->time_form.empty();
    if (!is_time && !IsNameOfTime(*name) && !IsNameOfChoice(*name)) return *name;
  }
  return names.empty() ? "" : names.back();
}

void Arrangement::Identify(std::size_t at) {
  const ImportedKeyPair keys = KeyPairOf(model_, model_.entities[at], "");
  std::vector<std::string> rest = PlaceholdersOf(keys);
  auto parent = ParentByKey(model_, model_.entities[at]);
  const bool needs_parent =
      !parent && !AttributesIn(keys.partition).empty() && !AttributesIn(keys.sort).empty();
  if (needs_parent) {
    const std::size_t made = MakeParent(at);
    ImportedParent of_ids{model_.entities[made].name, {}};
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

// Makes an entity of the ids in the partition key of `child`. Returns its place.
std::size_t Arrangement::MakeParent(std::size_t child) {
  const ImportedEntity& described = model_.entities[child];
  const std::vector<std::string> names = AttributesIn(KeyPairOf(model_, described, "").partition);
  ImportedEntity made;
  made.identity = IdentityAmong(described, names);
  made.name = EntityNameOf(made.identity);
  while (FindImportedEntity(model_, made.name) != nullptr) made.name += "Ids";
  made.place = described.place;
  made.table = described.table;
  made.is_stored = false;
  made.keys = {{TableOf(described).hash, KeyPairOf(model_, described, "").partition, ""}};
  for (const std::string& name : names) {
    if (const auto* attribute = FindImportedAttribute(described, name)) {
      made.attributes.push_back(*attribute);
    }
  }
  made.items = described.items > 0 ? std::max(1.0, described.items / 10) : 0;
  made.notes.push_back("no item has only " + made.identity +
                       ": this entity stands for the ids in the keys of " + described.name);
  model_.entities.push_back(std::move(made));
  return model_.entities.size() - 1;
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
  const auto rename = [&](std::vector<std::string>& names) {
    std::ranges::replace(names, name, other);
  };
  for (ImportedPattern& pattern : model_.patterns) {
    if (!IsIn(child.name, pattern.entities)) continue;
    rename(pattern.by);
    rename(pattern.set);
    rename(pattern.returns);
    if (pattern.range_attribute == name) pattern.range_attribute = other;
    if (pattern.order == name) pattern.order = other;
  }
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

const ImportedEntity* Arrangement::EntityIdentifiedBy(std::string_view name) const {
  for (const ImportedEntity& entity : model_.entities) {
    if (entity.identity == name && entity.twin.empty() && entity.parent.empty()) return &entity;
  }
  for (const ImportedEntity& entity : model_.entities) {
    if (entity.identity == name && entity.twin.empty()) return &entity;
  }
  return nullptr;
}

// Where many items have the same few ids in their keys, an entity stands for those ids.
void Arrangement::MakeEntitiesOfSharedIds() {
  const std::vector<ImportedEntity> entities = model_.entities;
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
      const ImportedEntity* const other = EntityIdentifiedBy(attribute.name);
      if (other == nullptr || other->name == entity.name) MakeEntityOfIds(entity, attribute);
    }
  }
}

void Arrangement::MakeEntityOfIds(const ImportedEntity& user, const ImportedAttribute& ids) {
  ImportedEntity made;
  made.identity = ids.name;
  made.name = EntityNameOf(ids.name);
  while (FindImportedEntity(model_, made.name) != nullptr) made.name += "Ids";
  made.place = user.place;
  made.table = user.table;
  made.is_stored = false;
  made.attributes = {ids};
  made.attributes.front().distinct = 0;
  made.items = ids.distinct;
  made.notes.push_back("no item has only " + ids.name +
                       ": this entity stands for the ids in the keys of " + user.name);
  model_.entities.push_back(std::move(made));
}

// What has the name of another entity's identity refers to that entity.
void Arrangement::ReferToOthers(ImportedEntity& entity) {
  for (ImportedAttribute& attribute : entity.attributes) {
    const bool is_own = attribute.name == entity.identity && !entity.twin.empty();
    // A choice of few ids is a reference to few instances.
    const bool is_open = attribute.generator.empty() || attribute.generator.starts_with("{choice:");
    if (IsGenericName(attribute.name) || !is_open || is_own) continue;
    const ImportedEntity* const other = EntityIdentifiedBy(attribute.name);
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
