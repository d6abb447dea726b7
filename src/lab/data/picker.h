// Picker: chooses the instances that calls are about. A choice is a pure function of (seed,
// pattern, call number) and of what exists, so two layouts get the same calls. Used by one thread
// at a time.
//
//   uniform  every existing instance alike
//   zipf     by rank; a permutation of the numbers that is the same for the whole file decides who
//            has which rank, so what is hot for one pattern, or for a `ref`, is hot for all
//   latest   by zipf, too; the instance that was created last has the first rank
//   hot      a share of the instances gets a share of the calls
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "lab/data/population.h"
#include "lab/file/lab_file.h"

namespace hashrange {

class Picker {
 public:
  // Both outlive the picker.
  Picker(const LabFile& file, const Population& population);

  // Returns an existing instance of the entity that matches `pick.where`; nothing where none was
  // found. `stream` and `number` say for which pattern and call. `hot` are the shares of the phase
  // of the traffic (LabPhase::hot).
  // Cost: O(1) for an entity of any size; with `where`, a list of those that match is kept
  //       (Population's changes are reported to it by NoteChange).
  std::optional<InstanceId> Pick(int entity, const LabPick& pick, std::uint64_t stream,
                                 std::uint64_t number, const std::map<int, double>& hot);

  // Says that an instance was created, changed or deleted.
  void NoteChange(InstanceId id);
};

}  // namespace hashrange
