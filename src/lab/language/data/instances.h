// Instances: which instances of a lab file's entities there are, and whose children they are;
// nothing about their values. A Population (population.h) is Instances with values.
//
// The initial children of each parent are counted once, and take four bytes for each parent. What
// traffic created is remembered with its parent and its time, and what traffic deleted in a set.
//
// Used by one thread at a time.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "lab/language/data/draws.h"
#include "lab/language/data/zipf.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// One instance of an entity, such as the third Customer.
struct InstanceId {
  int entity = kLabNone;
  std::uint64_t number = 0;

  friend bool operator==(const InstanceId&, const InstanceId&) = default;
};

// Which numbers the initial children of each parent have. The children of one parent
// follow each other, so one number for each parent is enough: where its children begin.
//
//   parent       0    1  2     3
//   begins       0    3  3     5     8     parent 1 has no children
//   children     0 1 2   3 4   5 6 7
class ChildRanges {
 public:
  ChildRanges() = default;
  // `counts` has a number for each parent. Their sum is less than 2^32.
  explicit ChildRanges(std::vector<std::uint32_t> counts);

  std::uint64_t parents() const { return begins_.size() - 1; }
  std::uint64_t children() const { return begins_.back(); }
  std::uint64_t Begin(std::uint64_t parent) const { return begins_[parent]; }
  std::uint64_t End(std::uint64_t parent) const { return begins_[parent + 1]; }
  // Cost: O(log parents), and O(1) for a child of the parent that was returned last.
  std::uint64_t ParentOf(std::uint64_t child) const;

 private:
  std::vector<std::uint32_t> begins_ = {0};
  mutable std::uint64_t last_parent_ = 0;
};

class Instances {
 public:
  // Counts the initial instances. When `stop`, which may be null, becomes true, the parents that
  // are left get no children.
  Instances(const LabFile& file, std::uint64_t scale, const std::atomic<bool>* stop);

  // Returns the first entity that would have more than kMostInstances; kLabNone: no entity would.
  int TooManyOf() const { return too_many_of_; }

  std::uint64_t InitialCount(int entity) const { return Of(entity).initial; }
  // Returns how many numbers are used: the initial ones and those that traffic created.
  std::uint64_t Count(int entity) const { return Of(entity).initial + Of(entity).created.size(); }
  // Returns how many instances exist.
  std::uint64_t LiveCount(int entity) const { return Count(entity) - Of(entity).deleted.size(); }
  bool Exists(InstanceId id) const;  // it was not deleted

  // Returns the number that has the rank, from 0 to Count − 1, in the order by which zipf picks.
  // The initial ones are permuted, and those that traffic created follow in the order of their
  // creation.
  std::uint64_t NumberOfRank(int entity, std::uint64_t rank) const;

  bool IsCreated(InstanceId id) const { return id.number >= Of(id.entity).initial; }
  // Returns when traffic created it. Precondition: IsCreated.
  std::int64_t CreatedEpochMs(InstanceId id) const;

  // Entity kLabNone: it has no parent.
  InstanceId ParentOf(InstanceId id) const;
  // Returns the instance itself or its ancestor of that entity.
  InstanceId AncestorOf(InstanceId id, int entity) const;
  // Returns how many children the parent has ever had, deleted ones included, and which one was the
  // `place`-th, from 0.
  std::uint64_t ChildCount(InstanceId parent, int entity) const;
  InstanceId ChildAt(InstanceId parent, int entity, std::uint64_t place) const;
  // Returns the instance's place among the children of its parent. Precondition: it has a parent.
  std::uint64_t PlaceOf(InstanceId id) const;
  // Appends the children of one entity that exist, in the order of their numbers.
  void AppendChildren(InstanceId parent, int entity, std::vector<InstanceId>& out) const;

  // Returns a new instance, whose times are `now_epoch_ms`. It exists at once. `parent` is of the
  // entity's parent; where the entity has none, its entity is kLabNone.
  InstanceId Create(int entity, InstanceId parent, std::int64_t now_epoch_ms);
  // Returns how many children of the entity a new parent gets.
  std::uint64_t DrawChildCount(InstanceId parent, int entity) const;
  void Delete(InstanceId id) { Of(id.entity).deleted.insert(id.number); }  // its children stay
  void Restore(InstanceId id) { Of(id.entity).deleted.erase(id.number); }  // undoes Delete

 private:
  struct CreatedInstance {
    std::uint32_t parent = 0;
    std::uint32_t place = 0;  // among the children of the parent
    std::int64_t epoch_ms = 0;
  };
  struct OfEntity {
    int parent = kLabNone;
    std::uint64_t initial = 0;
    std::uint64_t most_siblings = 0;  // as many different values as a `distinct` attribute has
    Permutation ranks = Permutation(1, 0);
    ChildRanges ranges = {};
    std::vector<CreatedInstance> created = {};
    absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>> created_children = {};
    absl::flat_hash_set<std::uint64_t> deleted = {};
    bool is_counted = false;
    bool is_being_counted = false;
  };

  OfEntity& Of(int entity) { return entities_[static_cast<std::size_t>(entity)]; }
  const OfEntity& Of(int entity) const { return entities_[static_cast<std::size_t>(entity)]; }
  void CountEntity(int entity, std::uint64_t scale);
  std::uint64_t MostSiblings(int entity, std::uint64_t scale);
  std::vector<std::uint32_t> CountsOfChildren(int entity);
  std::vector<std::uint32_t> ZipfCountsOfChildren(int entity);
  std::uint64_t WholeCount(int entity, std::uint64_t scale);

  bool IsStoppedAt(std::uint64_t parent) const;

  const LabFile& file_;
  const std::atomic<bool>* const stop_;
  std::vector<OfEntity> entities_ = {};
  int too_many_of_ = kLabNone;
  mutable ZipfSizeTable sizes_ = {};
};

}  // namespace hashrange
