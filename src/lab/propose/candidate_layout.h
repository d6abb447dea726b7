// LayoutCandidate: one layout of an AccessSpace as small integers, and the layout of the lab's
// language that it stands for. Plain data and pure functions; any thread.
//
// Of indexes, a candidate says only which paths there are. Which slot each one gets follows: keys
// of different entities share a slot, keys of one entity never do. So the number of slots is the
// greatest number of indexes of one entity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/propose/access_space.h"

namespace hashrange {

inline constexpr std::uint8_t kLeftOut = 255;  // in place of a table key: the entity is not stored

// How one entity is stored.
struct EntityChoice {
  int entity = kLabNone;
  std::uint8_t table_key = 0;  // of EntitySpace::table_keys, or kLeftOut
  std::uint64_t paths = 0;     // of EntitySpace::paths, a bit each

  bool HasPath(std::size_t path) const { return (paths >> path & 1) != 0; }
  friend bool operator==(const EntityChoice&, const EntityChoice&) = default;
};

enum class TableStyle : std::uint8_t {
  kOneTable,    // all entities in one table, by generic keys
  kTableEach,   // a table for each entity, whose keys are its attributes where they can be
  kTogether,    // such tables, but entities that are read together share one
  kSeparately,  // generic keys, but a table for each entity, so that costs can be told apart
};

// Returns whether keys are attributes where they can be, and no index is shared but for what one
// Query reads together.
inline bool IsNative(TableStyle style) {
  return style == TableStyle::kTableEach || style == TableStyle::kTogether;
}

struct LayoutCandidate {
  std::array<std::uint64_t, kMostProposedEntities> paths = {};
  std::array<std::uint8_t, kMostProposedEntities> table_keys = {};
  TableStyle style = TableStyle::kOneTable;

  EntityChoice ChoiceOf(int entity) const {
    const auto at = static_cast<std::size_t>(entity);
    return {entity, table_keys[at], paths[at]};
  }
  friend bool operator==(const LayoutCandidate&, const LayoutCandidate&) = default;
};
static_assert(sizeof(LayoutCandidate) <= 256);

// Returns whether an entity with the table key can have the path: not what the table's key is
// already, a local index only below the same partition key, copies only in one table and not mixed
// with the items themselves.
bool IsUsable(const AccessPath& path, const ProposedKey& table_key, TableStyle style);

// Returns whether the two may be one partition, as far as the labels say.
bool MayBeOnePartition(const std::vector<KeyWord>& one, const std::vector<KeyWord>& other);

// Returns whether items of one entity by the two keys may lie in one collection under one label, so
// that a question for the ones finds the others, too.
bool AreMixed(const ProposedKey& one, const ProposedKey& other);

// Returns whether an entity can be stored so: each path is usable, and no two of its items are
// mixed.
bool IsPossible(const AccessSpace& space, const EntityChoice& choice, TableStyle style);

// Returns whether instances of the entity with the key lie with others of the same parent.
bool IsWithParent(const LabFile& file, int entity, const ProposedKey& key);

// Returns how many of the choice's paths are burdens.
int CountBurdens(const AccessSpace& space, const EntityChoice& choice);

// Returns how many burdens the choice counts: one for each such path; more for a global index that
// is there for a pattern about several entities or for a unique value, and for a copy that holds
// what updates change; for a unique value as the table key of what is found by its identity, for a
// table key that writes do not know, or by which children are apart from the parent that they are
// asked by, and most where its partition may change; one where what a page lists is not in order.
int WeightOfBurdens(const LabFile& file, const AccessSpace& space, const EntityChoice& choice);

// Which index a path of a choice is in.
struct PathSlot {
  std::size_t choice = 0;  // of the choices
  std::size_t path = 0;    // of the entity's paths
  int slot = 0;            // of the table's indexes, global ones first

  friend bool operator==(const PathSlot&, const PathSlot&) = default;
};
// The indexes of one table.
struct SlotPlan {
  std::vector<PathSlot> paths = {};
  int global_indexes = 0;
  int local_indexes = 0;

  friend bool operator==(const SlotPlan&, const SlotPlan&) = default;
};

// Returns the slots of the choices, which share a table: for each entity the first ones, so that
// there are as few indexes as can be. With `has_index_each`, each path has an index of its own, but
// that those for one pattern about several entities share one.
SlotPlan SlotsOf(const AccessSpace& space, std::span<const EntityChoice> choices,
                 bool has_index_each = false);

// Returns the choices of each table, for kTogether: those that one Query reads together.
std::vector<std::vector<EntityChoice>> CollectionsOf(const LabFile& file, const AccessSpace& space,
                                                     std::span<const EntityChoice> choices);

// Returns the layout of these choices. Entities without a choice are not stored. The table of
// kOneTable has the name of the layout's application, `table_name`, and may have other `slots` than
// those of SlotsOf.
LabLayout LayoutOf(const LabFile& file, const AccessSpace& space,
                   std::span<const EntityChoice> choices, TableStyle style,
                   const std::string& table_name, const SlotPlan* slots = nullptr);

// Returns how each entity of the space is stored.
std::vector<EntityChoice> ChoicesOf(const AccessSpace& space, const LayoutCandidate& candidate);

LabLayout LayoutOf(const LabFile& file, const AccessSpace& space, const LayoutCandidate& candidate,
                   const std::string& table_name, const SlotPlan* slots = nullptr);

// Returns whether each entry of the table's index has the attribute as a key.
bool IsKeyOf(const LabTable& table, const LabIndex& index, const std::string& name);

// Returns the attributes that the item has.
std::vector<LabAttributeRef> StoredBy(const LabFile& file, const LabItem& item);

// Returns whether the item has the keys of the index, and is in it.
bool HasKeysOf(const LabItem& item, const LabIndex& index);

// Returns whether the service takes as many attributes as the table's indexes name: of each index,
// and of all together (docs/service/03-tables-and-indexes.md).
bool AreNamesAllowed(const LabTable& table);

// Returns how many indexes the layout has.
int CountIndexes(const LabLayout& layout);

}  // namespace hashrange
