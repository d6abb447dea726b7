// OpenWrites: what calls that have not ended write to the population. Later calls see it at once,
// so that all layouts make the same calls. The tables have it when its request has succeeded, which
// may be later and in another order, or never; then the population has what the tables have.
//
//               the tables   call 7     call 9    the population
//   begin 7         10       set 20                   20
//   begin 9         10       set 20     add -1        19
//   9 succeeds       9       set 20                   20
//   7 fails          9                                 9
//
// Used by one thread at a time.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/data/picker.h"
#include "lab/language/data/population.h"

namespace hashrange {

// What a call writes to one attribute of an instance.
struct InstanceWrite {
  InstanceId id = {};
  int attribute = kLabNone;  // kLabNone: whether the instance exists, which is any value
  std::optional<std::string> value = {};  // nothing: the attribute is removed
  std::optional<double> added = {};       // in place of `value`: it is added to what is there
};

class OpenWrites {
 public:
  // Both outlive the object.
  OpenWrites(Population& population, Picker& picker) : population_(population), picker_(picker) {}

  // The population has what the call writes from now on. What the call creates exists already.
  void Begin(std::uint64_t call, const InstanceWrite& write);
  // Ends what Begin began: the tables have it (`is_written`), or they will never have it.
  void End(std::uint64_t call, const InstanceWrite& write, bool is_written);

 private:
  struct Place {
    InstanceId id = {};
    int attribute = kLabNone;

    friend bool operator==(const Place&, const Place&) = default;
    template <typename H>
    friend H AbslHashValue(H hash, const Place& place) {
      return H::combine(std::move(hash), place.id.entity, place.id.number, place.attribute);
    }
  };
  struct OpenWrite {
    std::uint64_t call = 0;
    std::optional<std::string> value = {};
    std::optional<double> added = {};
  };
  struct OpenPlace {
    std::optional<std::string> stored = {};  // in the tables
    std::vector<OpenWrite> open = {};        // in the order of Begin
  };

  std::optional<std::string> PresentValue(const Place& place) const;
  void SetValue(const Place& place, const std::optional<std::string>& value);

  Population& population_;
  Picker& picker_;
  absl::flat_hash_map<Place, OpenPlace> places_ = {};
};

// Returns the value of a number as text; 0 when there is none.
double NumberIn(const std::optional<std::string>& text);
// Returns the value with the number added.
std::string SumText(const std::optional<std::string>& value, double added);

}  // namespace hashrange
