// AccessSpace: which keys the entities of an application may have, before any is chosen. A pure
// function of entities and access patterns; any thread.
//
//   Order   table key   ORDER#{order_id} / ORDER            by itself
//                       CUSTOMER#{customer_id} / ORDER#…     with its customer
//           paths       CUSTOMER#{customer_id} / ORDER#{created_at}#{order_id}   a global index, a
//                                                            local one, or a copy of the item
//
// The space of a layout: for each entity one table key and any of its paths. What is not in the
// space: docs/propose.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

// One word of a key: a label, a value or both. The words of a key are joined by "#".
struct KeyWord {
  std::string label = {};      // "ORDER"
  LabTemplatePart value = {};  // without a literal; of no entity: the word is the label alone

  bool HasValue() const { return value.attribute.entity != kLabNone; }
  friend bool operator==(const KeyWord& one, const KeyWord& other) {
    return one.label == other.label && one.value.attribute == other.value.attribute &&
           one.value.form == other.value.form && one.value.width == other.value.width &&
           one.value.shards == other.value.shards;
  }
};

struct ProposedKey {
  std::vector<KeyWord> hash = {};
  std::vector<KeyWord> range = {};
  std::vector<LabCondition> when = {};  // of an index or a copy: which instances have it

  friend bool operator==(const ProposedKey& one, const ProposedKey& other);
};

// Returns the template of the words. `is_native`: without the labels of values, as in a table that
// has no other entity.
LabTemplate TemplateOfWords(const LabFile& file, const std::vector<KeyWord>& words, bool is_native);

// What a pattern asks of the items of one entity.
struct AccessQuestion {
  int pattern = kLabNone;
  int entity = kLabNone;
  std::vector<LabAttributeRef> by = {};  // attributes of the entity, or identities of ancestors
  std::vector<LabCondition> constants = {};
  LabAttributeRef range = {};
  int prefix = 0;  // how many first characters of `range` the caller knows, and nothing else of it
  LabAttributeRef order = {};
  std::vector<LabAttributeRef> returns = {};  // of the entity, or identities of ancestors
  bool returns_all = false;
  bool is_of_one = false;    // the caller expects one instance
  bool is_together = false;  // the pattern asks for items of several entities at once
};

// A way to items besides the table's key.
struct AccessPath {
  enum class Form : std::uint8_t { kGlobalIndex, kLocalIndex, kCopy };
  Form form = Form::kGlobalIndex;
  ProposedKey key = {};
  // What an index projects, and a copy has, besides keys.
  bool has_all = false;
  std::vector<LabAttributeRef> attributes = {};
  std::vector<int> patterns = {};  // whose questions it is for
  int together_for = kLabNone;     // the pattern that reads several entities by it
  // The time that is asked for in the order that the identity in the sort key has, and is returned.
  LabAttributeRef time = {};
  // The unique attribute whose value the copy keeps unique, so that it is written anyway.
  int sentinel_of = kLabNone;

  bool is_sentinel() const { return sentinel_of != kLabNone; }
};

// Returns whether the path asks more of who keeps the layout than a global index: a copy to write,
// or an index that can't be added later.
inline bool IsBurden(const AccessPath& path) {
  return path.form != AccessPath::Form::kGlobalIndex && !path.is_sentinel();
}

// Paths are bits of a number.
inline constexpr std::size_t kMostPaths = 64;
// Of one layout.
inline constexpr std::size_t kMostProposedEntities = 24;

struct EntitySpace {
  std::vector<ProposedKey> table_keys = {};
  std::vector<AccessPath> paths = {};
  std::vector<int> unique = {};  // attributes that need an item as sentinel
  // Patterns that read or write the entity.
  std::vector<int> patterns = {};
  std::vector<AccessQuestion> questions = {};
  bool may_be_left_out = false;  // no read needs it stored
  bool has_small_items = false;  // they leave out what their table key holds
};

struct AccessSpace {
  std::vector<EntitySpace> entities = {};  // of each entity of the file
  // Of each pattern: the entities that it reads or writes, without repeats.
  std::vector<std::vector<int>> entities_of_pattern = {};
  std::vector<std::string> left_out = {};  // sentences about keys for which there was no room
};

inline const EntitySpace& SpaceAt(const AccessSpace& space, int entity) {
  return space.entities[static_cast<std::size_t>(entity)];
}

// Returns whether two instances with the same value of the attribute would have the same key: it is
// made of that value, or of parts of it.
bool KeepsUnique(const LabFile& file, const ProposedKey& key, LabAttributeRef attribute);

// Keys that may change what a pattern takes of an entity, a bit each.
struct RelevantKeys {
  std::uint64_t table_keys = 0;
  std::uint64_t paths = 0;

  bool HasTableKey(std::size_t key) const {
    return key >= kMostPaths || (table_keys >> key & 1) != 0;  // later ones have no bit
  }
};

// Returns how many calls a second change the attribute.
double ChangesPerSecond(const LabFile& file, LabAttributeRef ref);

// Returns all, where the pattern writes or asks for something without a question, else those whose
// partition key a caller may know.
RelevantKeys RelevantKeysOf(const LabFile& file, const EntitySpace& space, int pattern);

// Returns whether the values are texts without a form, or e-mail addresses: people change them.
bool IsNameOrAddress(const LabFile& file, LabAttributeRef attribute);

// Returns whether the values are made of the instance's own identity and are no addresses: it is as
// well known by the key of its widget, "wk-{site_id}".
bool IsCode(const LabFile& file, LabAttributeRef attribute);

// Returns the key of the item that keeps a value of the attribute unique.
ProposedKey SentinelKey(const LabFile& file, LabAttributeRef attribute);

// Returns the attributes that an item of the entity has: its own, and the identity of its parent.
std::vector<LabAttributeRef> AllAttributes(const LabFile& file, int entity);

// Returns the attributes that the path projects, or that a copy has.
std::vector<LabAttributeRef> ProjectedBy(const LabFile& file, int entity, const AccessPath& path);

// Returns the space of the application.
AccessSpace SpaceOf(const LabFile& file);

// Returns the space whose indexes project also what indexes of other entities may project: entities
// that share an index share the names of its projection. `used` are the paths of each entity that a
// layout may have, a bit each. With a pattern: only what it asks for.
AccessSpace WithSharedNames(const LabFile& file, AccessSpace space,
                            const std::vector<std::uint64_t>& used, int pattern = kLabNone);

// Returns the same key with so many shards of its partition key, by the entity's identity.
ProposedKey WithShards(ProposedKey key, int entity, int shards);

// Returns the key with the month, and with the day, of the time by which it sorts in its partition
// key; empty: it sorts by no time.
std::vector<ProposedKey> InPeriods(const LabFile& file, int entity, const ProposedKey& key);

// Returns "CUSTOMER" for Customer, "LINE_ITEM" for LineItem.
std::string LabelOfName(const std::string& name);

// Returns "studio" for studio_id.
std::string WithoutId(std::string name);

// Returns "ORDERS" for ORDER, "CATEGORIES" for CATEGORY.
std::string PluralOfLabel(std::string label);

// Returns "orders" for Order, "buy_nows" for BuyNow.
std::string PluralNameOf(const std::string& entity);

}  // namespace hashrange
