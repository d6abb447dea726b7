// Stripe: what some threads of the server counted for one measurement. A thread always counts in
// the same stripe; a stripe has one thread as long as there are no more threads than stripes. The
// stripe's mutex is held for a call, and by whoever reads the stripe.
//
//   a call ──▶ its pattern (PatternTable): shapes of its accesses, templates of their keys
//          ──▶ its resources (ResourceCounters), the entities that it writes
//          ──▶ its place in sequences (SequenceWatch)
//          ──▶ SharedCounters: time, windows, open pages
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/threads.h"
#include "measure/measurement.h"
#include "measure/meter/metered_call.h"
#include "measure/meter/pattern_table.h"
#include "measure/meter/placeholder_names.h"
#include "measure/meter/resource_counters.h"
#include "measure/meter/sequence_watch.h"
#include "measure/meter/shared_counters.h"

namespace hashrange {

// The items of one kind that were written: by the templates of their keys and their type.
struct EntityCounters {
  std::uint32_t resource = 0;  // of the table
  std::vector<KeyTree::NodeId> nodes;
  std::string type;
  std::uint64_t inserted = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  UnitsByResource units;
  std::uint32_t watched = 0;  // how many of its items `names` has seen
};

// Returns a hash of what tells entities apart.
std::uint64_t HashOfEntity(std::uint32_t resource, std::span<const KeyTree::NodeId> nodes,
                           std::string_view type);

// A stripe as its readers see it.
struct StripeCounters {
  // What tables and indexes beyond these take is counted in no pattern and no resource.
  static constexpr std::size_t kMaxResources = 1000;
  static constexpr std::size_t kMaxEntities = 1000;
  // Texts of expressions come from the clients. An access of a further shape is of no pattern.
  static constexpr std::size_t kMaxShapes = 8000;
  // So many tables and indexes have their heat over time.
  static constexpr std::uint32_t kMaxHeated = 32;
  // So many items of each entity are looked at to name the placeholders of their keys.
  static constexpr std::uint32_t kWatchedItems = 100;

  std::deque<ResourceCounters, ReservedAllocator<ResourceCounters, MemoryPart::kMeasurements>>
      resources;
  // Without memory, a copy of an Abseil table is broken when the copy of a value throws.
  template <typename Value>
  using MapByHash = std::unordered_map<
      std::uint64_t, Value, std::hash<std::uint64_t>, std::equal_to<>,
      ReservedAllocator<std::pair<const std::uint64_t, Value>, MemoryPart::kMeasurements>>;

  MapByHash<AccessShape> shapes;  // by their hash
  PatternTable patterns;
  SequenceWatch sequences;
  PlaceholderNames names;              // by the numbers of resources in this stripe
  MapByHash<EntityCounters> entities;  // by HashOfEntity
  std::vector<NamedCount> other_errors;
  std::vector<NamedCount> stream_reads;  // GetRecords calls, by the name of the table
  std::uint64_t other_resources = 0;     // also calls that were lost for want of memory
};

// Returns the attributes that name no placeholder of a key: the keys of the table and its indexes,
// and the attributes that say what an item is.
std::vector<std::string> NamesOfNoPlaceholder(const TableVersion& table,
                                              const std::string& type_attribute);

class Stripe {
 public:
  explicit Stripe(SharedCounters& shared) : shared_(shared) { latest_numbers_.fill(kNoResource); }

  void Count(const MeteredCall& call);

  // Hands what is counted of the present second and window to the shared counters, and returns a
  // copy of the rest.
  StripeCounters Collect();
  // Frees what was counted. Later calls are not counted.
  void Close();

 private:
  static constexpr std::uint32_t kNoResource = MemberIdentity::kNoResource;
  // How many resources of the latest table have their numbers at hand.
  static constexpr std::size_t kNumbersAtHand = 24;

  // All of these are called with `mutex_` held.
  void CountCall(const MeteredCall& call);
  // Forgets what was counted when a call could be counted, or the counters merged, in part only.
  // Errors: std::bad_alloc
  void StartAnewIfBroken();
  void CountOther(const MeteredCall& call);
  // Returns the number of a table's or an index's counters, which are made when there are none;
  // kNoResource when there are too many.
  std::uint32_t ResourceOf(const TableVersion& table, const IndexVersion* index) {
    const ResourceId id = ResourceIdOf(table, index);
    if (id.table == latest_table_ && id.index < kNumbersAtHand) {
      const std::uint32_t number = latest_numbers_[static_cast<std::size_t>(id.index)];
      if (number != kNoResource) return number;
    }
    return FindResource(table, index);
  }
  std::uint32_t FindResource(const TableVersion& table, const IndexVersion* index);
  void CountResources(const MeteredAccess& access, const MemberIdentity& member);
  void CountRead(const MeteredAccess& access, std::uint32_t resource, double units);
  void CountWrite(const MeteredAccess& access, std::uint32_t table,
                  std::span<const KeyTree::NodeId> nodes);
  void CountEntity(const MeteredAccess& access, std::uint32_t table,
                   std::span<const KeyTree::NodeId> nodes);
  void WatchNames(const MeteredAccess& access, std::uint32_t table);
  // Sets the identity of an access. It is not counted when its table has no counters, or there are
  // too many shapes.
  void Identify(const MeteredAccess& access, MemberIdentity* identity);
  // Returns the shape of an access, which is made when there is none; null when there are too many.
  const AccessShape* ShapeOf(const MeteredAccess& access, const MemberIdentity& identity);
  static void Describe(const MeteredAccess& access, AccessShape* shape);
  PatternTable::Number PatternOf(const MeteredCall& call);
  void CountPattern(const MeteredCall& call, PatternTable::Number number);
  void CountUnits(const MeteredCall& call, PatternCounters* counters);
  void CountSizes(const MeteredCall& call, PatternCounters* counters);
  void LinkPages(const MeteredCall& call, const RequestSizes& sizes, PatternCounters* counters);
  void CountTime(const MeteredCall& call);
  void FinishSecond();
  void FinishWindow();
  // Sets the nodes of a member to those in use.
  void FindNodes(MemberIdentity* member) const;
  // Merges patterns and entities, if nodes of a tree have merged.
  void MergePatterns();

  SharedCounters& shared_;
  Mutex mutex_;  // guards what follows
  bool is_closed_ = false;
  bool is_broken_ = false;  // something did not come to its end, for want of memory
  std::uint64_t calls_ = 0;
  StripeCounters counters_;
  std::uint64_t merges_ = 0;  // of nodes since the patterns were last merged
  MeterMap<std::uint64_t, std::uint32_t> resource_numbers_;
  std::uint64_t latest_table_ = 0;  // its resources' numbers by ResourceId::index, where known
  std::array<std::uint32_t, kNumbersAtHand> latest_numbers_ = {};
  std::int64_t second_epoch_ms_ = 0;
  SecondSums second_;
  std::int64_t window_epoch_ms_ = 0;
  std::uint64_t window_calls_ = 0;
  // Memory that is used again for each call.
  std::vector<MemberIdentity> members_;  // of the accesses, in their order
  std::string text_;
  std::vector<KeyTree::NodeId> nodes_;
};

}  // namespace hashrange
