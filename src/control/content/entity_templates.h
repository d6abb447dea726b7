// EntityTemplates: which kinds of items a table or an index has, by the templates of their keys
// (measure/key_templates.h). It learns from a sample of the items, and then finds the entity of any
// item:
//
//   Learn(item), …, Settle()  ──▶  EntityOf(item), …
//
// An entity is a combination of one template for each key part: "USER#{…}" and "ORDER#{date}". In a
// small table, literal tokens that differ in one place of otherwise equal keys are values, too:
// "USER#ada", "PROFILE" and "USER#bob", "PROFILE" are one entity. Used by one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/table_version.h"
#include "measure/key_templates.h"
#include "measure/meter/placeholder_names.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

class EntityTemplates {
 public:
  // Combinations beyond these are no entities.
  static constexpr std::size_t kMaxEntities = 1000;

  // `index`: null: the table itself. The version outlives the object.
  EntityTemplates(const TableVersion& table, const IndexVersion* index);
  EntityTemplates(const EntityTemplates&) = delete;
  EntityTemplates& operator=(const EntityTemplates&) = delete;

  // Adds an item to the sample. An item of an index belongs to the index.
  void Learn(ItemView item);
  // Ends the sample. Learn is not called any more.
  void Settle();

  // Sets the item whose HASH parts the items given to EntityOf have, until the next call.
  void SetCollection(ItemView item);
  // Returns the number of the item's entity, from 0 in the order in which they were found; nullopt
  // when its key fits no template, or when there are too many entities.
  std::optional<std::uint32_t> EntityOf(ItemView item);
  std::size_t size() const { return entities_.size(); }
  // Returns the template of each key part of an entity: of the HASH parts, then of the RANGE parts.
  std::vector<std::string> TemplatesOf(std::uint32_t entity) const;

 private:
  // The nodes of an item's key parts; the rest are the root.
  using Nodes = std::array<KeyTree::NodeId, kMaxKeyParts>;

  // The keys of the sample that have the same nodes, whose items are of one type.
  struct Sampled {
    Nodes nodes = {};
    std::uint64_t type = 0;  // a hash of the value of the type attribute; 0: there is none
    friend auto operator<=>(const Sampled&, const Sampled&) = default;
  };

  ValueView PartOf(ItemView item, std::size_t part) const;
  std::optional<KeyTree::NodeId> Match(ItemView item, std::size_t part) const;
  // Makes a placeholder of literal tokens that are values. Returns whether there were any.
  bool MergeValues(std::size_t part);

  const KeySchema& key_;
  const bool is_of_index_;
  const std::vector<std::string> excluded_;  // attributes that name no placeholder
  std::vector<KeyTree> trees_;               // one for each key part
  PlaceholderNames names_;
  std::map<Sampled, std::uint64_t> sampled_;  // how many items have them
  Nodes collection_ = {};                     // the nodes of the HASH parts
  bool is_known_ = false;                     // whether these have nodes
  std::vector<Nodes> entities_;
  absl::flat_hash_map<Nodes, std::uint32_t> numbers_;  // of the entities
};

}  // namespace hashrange
