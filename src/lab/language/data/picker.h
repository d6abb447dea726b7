// Picker: chooses the instances that calls are about. A choice is a pure function of (seed,
// pattern, call number) and of what exists, so two layouts get the same calls. Used by one thread
// at a time.
//
//   uniform  every existing instance alike
//   zipf     by rank; a permutation of the numbers that is the same for the whole file decides who
//            has which rank, so what is hot for one pattern, or for a `ref`, is hot for all
//   latest   by zipf, too; the instance that was created last has the first rank
//   hot      the instances of the first ranks, a share of all, get a share of the calls
//
// A pick draws a rank, and draws again while the rank's instance does not exist. With `where`, the
// ranks are places in a list of those that match, which has the same order.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lab/language/data/draws.h"
#include "lab/language/data/population.h"
#include "lab/language/data/zipf.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// The numbers of an entity's instances that match some conditions, in an order,
// for picks in O(1). A number that no longer matches leaves a hole, so that the others keep their
// order; the holes are closed when a quarter of the places are holes.
class MatchingNumbers {
 public:
  // Adds a number at the end, unless it is there.
  void Add(std::uint64_t number);
  void Remove(std::uint64_t number);
  bool Contains(std::uint64_t number) const { return place_of_.contains(number); }

  std::size_t size() const { return place_of_.size(); }   // of numbers
  std::size_t places() const { return numbers_.size(); }  // numbers and holes
  // Returns the number at the place; nothing: it is a hole. The last place is none.
  std::optional<std::uint64_t> At(std::size_t place) const;

 private:
  void CloseHoles();

  std::vector<std::uint32_t> numbers_ = {};
  absl::flat_hash_map<std::uint64_t, std::uint32_t> place_of_ = {};
};

class Picker {
 public:
  // All outlive the picker. When `stop`, which may be null, becomes true, lists are left as they
  // are, however incomplete, and picks from them mean nothing.
  Picker(const LabFile& file, const Population& population,
         const std::atomic<bool>* stop = nullptr);

  // Returns an existing instance of the entity that matches `pick.where`; nothing where none was
  // found. `stream` and `number` say for which pattern and call. `hot` are the shares of the phase
  // of the traffic (LabPhase::hot): so many of the entity's picks are the instance of the first
  // rank that exists, if it matches.
  // Cost: O(1) for an entity of any size; with `where`, a list of those that match is kept
  //       (Population's changes are reported to it by NoteChange). The list is made by the first
  //       pick with such a `where`, which looks at every instance of the entity. Where most of an
  //       entity's instances were deleted, a list of the others is kept.
  std::optional<InstanceId> Pick(int entity, const LabPick& pick, std::uint64_t stream,
                                 std::uint64_t number, const std::map<int, double>& hot);

  // Says that an instance was created, changed or deleted. Lists of its descendants whose
  // conditions are about it are brought up to date, too.
  void NoteChange(InstanceId id);

 private:
  // The instances that match `where`, in the order of ranks or of numbers.
  struct List {
    int entity = kLabNone;
    std::vector<LabCondition> where = {};
    bool is_by_rank = false;
    MatchingNumbers numbers = {};
  };

  std::optional<InstanceId> PickFromAll(int entity, const LabPick& pick, DrawSequence& draws);
  std::optional<InstanceId> PickFromList(List& list, const LabPick& pick, DrawSequence& draws);
  std::optional<InstanceId> HottestOf(int entity, const LabPick& pick);
  std::uint64_t DrawRank(std::uint64_t count, const LabPick& pick, DrawSequence& draws);

  List& ListOf(int entity, const std::vector<LabCondition>& where, bool is_by_rank);
  void Fill(List& list) const;
  void NoteIn(List& list, InstanceId id) const;
  void NoteDescendants(List& list, InstanceId id) const;

  const LabFile& file_;
  const Population& population_;
  const std::atomic<bool>* const stop_;
  std::vector<std::unique_ptr<List>> lists_ = {};
  ZipfRankTable ranks_ = {};
};

}  // namespace hashrange
