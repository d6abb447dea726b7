// ItemWalk: what is stored. It walks through the items of tables that were pinned at one instant,
// and groups them by entity and by item collection. Of a large table it visits whole ranges of
// hashes, spread evenly, so that the collections it sees are whole. Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "measure/measurement.h"
#include "measure/meter/merged_keys.h"
#include "measure/meter/placeholder_names.h"
#include "value/item.h"

namespace hashrange {

// An entity whose templates are still nodes.
struct WalkedEntity {
  struct InIndex {
    std::size_t resource = 0;  // the index's number in MergedKeys
    std::uint64_t items = 0;
    double size_bytes = 0;
    std::vector<KeyTree::NodeId> nodes;           // of the first item's key in the index
    std::set<std::vector<KeyTree::NodeId>> keys;  // of the first few items with different nodes
  };

  std::size_t resource = 0;  // of the table
  std::vector<KeyTree::NodeId> nodes;
  std::string type;
  std::uint64_t items = 0;
  Distribution size_bytes;
  std::map<std::size_t, InIndex> indexes;  // by the index's number in the version
  std::map<std::string, AttributeMeasure, std::less<>> attributes;  // by name
  TableRef table;
  double share = 1;  // of the table that was walked
};

class ItemWalk {
 public:
  // A walk through more items takes too long: some microseconds each.
  static constexpr std::int64_t kMaxItems = 300'000;
  static constexpr std::size_t kMaxEntities = 1000;
  static constexpr std::size_t kMaxAttributes = 64;
  static constexpr std::size_t kLargest = 10;
  // Nodes that differ may merge later; of so many, some stay apart.
  static constexpr std::size_t kMaxIndexKeys = 1000;

  ItemWalk(Engine& engine, const MeasurementSettings& settings, MergedKeys& keys,
           std::int64_t now_epoch_ms);

  // Walks through the table. Sets the members of `measure` that say what is stored.
  void Walk(const TablePin& pin, TableMeasure* measure);
  // The numbers in MergedKeys of a table that was walked, and of its indexes.
  struct Walked {
    std::size_t table = 0;
    std::vector<std::size_t> indexes;
  };
  // Returns the numbers of each table, in the order of the calls of Walk.
  const std::vector<Walked>& walked() const { return walked_; }
  // Ends the walk: names the placeholders, by what the stripes learned, too.
  void Finish(const std::vector<StripeCounters>& stripes);

  const std::vector<WalkedEntity>& entities() const { return entities_; }
  // Returns the collections of a resource, by its number in MergedKeys.
  const std::map<std::size_t, CollectionMeasure>& collections() const { return collections_; }
  // Returns the values of the key parts of a collection that is among the largest of a resource.
  std::vector<std::string> CollectionKey(std::size_t resource, const std::string& text) const;
  // Returns how many stored items had each node's template as the value of a key part.
  using Leaf = std::tuple<std::size_t, std::size_t, KeyTree::NodeId>;  // resource, part, node
  const std::map<Leaf, std::uint64_t>& leaves() const { return leaves_; }

 private:
  struct Table;

  void VisitItem(Table& table, ItemView item, TableMeasure* measure);
  WalkedEntity* EntityOf(const Table& table, ItemView item, std::vector<KeyTree::NodeId> nodes);
  std::vector<KeyTree::NodeId> InsertKey(const Table& table, std::size_t resource,
                                         const KeySchema& key, ItemView item);
  void VisitIndexes(const Table& table, ItemView item, WalkedEntity* entity);
  void VisitExpiry(ItemView item, ExpiryMeasure* expiry) const;
  void WalkCollections(const Table& table, const IndexVersion* index, std::size_t resource);

  Engine& engine_;
  const MeasurementSettings& settings_;
  MergedKeys& keys_;
  const std::int64_t now_epoch_ms_;
  PlaceholderNames names_;
  std::vector<Walked> walked_;
  std::vector<WalkedEntity> entities_;
  std::map<std::uint64_t, std::size_t> entity_numbers_;
  std::map<std::size_t, CollectionMeasure> collections_;
  // The values of the key parts of the largest collections, by resource and text.
  std::map<std::pair<std::size_t, std::string>, std::vector<std::string>> collection_keys_;
  std::map<Leaf, std::uint64_t> leaves_;
};

// Adds the counts of an attribute, which other items have, to the attribute of the same name.
void AddAttribute(const AttributeMeasure& other, AttributeMeasure* attribute);

// Returns whether the attribute's name says that it is a time to live: "ttl", "expires_at", ….
bool SoundsLikeExpiry(std::string_view name);

}  // namespace hashrange
