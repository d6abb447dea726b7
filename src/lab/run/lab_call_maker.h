// LabCallMaker: makes the calls of patterns: picks, creates and derives the instances of each role,
// draws the values that updates give, and lets the population have what open calls write
// (OpenWrites). Everything is a pure function of (seed, pattern, number)
// and of what exists. Used by one thread at a time.
//
//   Make      fills the roles; new instances exist from then on
//   (render)  the requests of a write are rendered with the values from before
//   Apply     what the call writes becomes so, for all later calls
//   Confirm   the tables have what the call writes to some instances
//   Close     the tables have the rest, too, or it is taken back, as the call has failed
#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/data/picker.h"
#include "lab/language/data/population.h"
#include "lab/language/lab_file.h"
#include "lab/plan/request/lab_call.h"
#include "lab/plan/request/request_template.h"

namespace hashrange {

// What a call writes to one attribute of an instance.
struct InstanceWrite {
  InstanceId id = {};
  int attribute = kLabNone;  // kLabNone: whether the instance exists, which is any value
  std::optional<std::string> value = {};  // nothing: the attribute is removed
  std::optional<double> added = {};       // in place of `value`: it is added to what is there
  bool is_open = true;                    // it is neither confirmed nor taken back
};

// What calls that have not ended write to the population. Later calls see it at once,
// so that all layouts make the same calls. The tables have it when its request has succeeded, which
// may be later and in another order, or never; then the population has what the tables have.
//
//               the tables   call 7     call 9    the population
//   begin 7         10       set 20                   20
//   begin 9         10       set 20     add -1        19
//   9 succeeds       9       set 20                   20
//   7 fails          9                                 9
class OpenWrites {
 public:
  // Both outlive the object.
  OpenWrites(Population& population, Picker& picker) : population_(population), picker_(picker) {}

  // The population has what the call writes from now on. What the call creates exists already.
  void Begin(std::uint64_t call, const InstanceWrite& write);
  // Ends what Begin began: the tables have it (`is_written`), or they will never have it.
  void End(std::uint64_t call, const InstanceWrite& write, bool is_written);

 private:
  using Place = AttributeOfInstance;
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

struct MadeCall {
  LabCall call = {};
  std::uint64_t number = 0;  // of all calls that the maker made
  std::vector<InstanceWrite> writes = {};
  // The places in `writes`, by their instances; a call may write thousands, and confirms a few at
  // once.
  std::vector<std::uint32_t> by_instance = {};
};

// Which call is to be made.
struct CallOrder {
  int pattern = kLabNone;
  int form = kLabNone;  // PatternPlan::form
  const CallShape& shape;
  std::uint64_t number = 0;
  std::int64_t now_epoch_ms = 0;
  const std::map<int, double>& hot;  // LabPhase::hot
};

class LabCallMaker {
 public:
  // All outlive the object. `stop` is Picker's.
  LabCallMaker(const LabFile& file, Population& population,
               const std::atomic<bool>* stop = nullptr);

  // Replaces what `made` was by the call, and returns true; returns false, and changes nothing,
  // where no instance can be picked or derived.
  bool Make(const CallOrder& order, MadeCall& made);
  void Apply(int pattern, const CallShape& shape, MadeCall& made);
  void Confirm(const std::vector<InstanceId>& written, MadeCall& made);
  void Close(bool is_written, MadeCall& made);
  // Takes back a call that was made, but not applied: deletes what it created.
  void Discard(const CallShape& shape, const LabCall& call);

 private:
  bool FillRole(const CallOrder& order, std::size_t role, LabCall& call);
  bool FillPicked(const CallOrder& order, std::size_t role, LabCall& call);
  bool FillCreated(const CallOrder& order, std::size_t role, LabCall& call);
  bool FillDerived(const CallRole& role, const std::vector<InstanceId>& from,
                   std::vector<InstanceId>& out);
  // Leaves the first one of the instances that have the same values of the attributes.
  void LeaveDifferent(const std::vector<LabAttributeRef>& attributes,
                      std::vector<InstanceId>& ids) const;
  void SetInCreated(const CallOrder& order, const LabWrite& write, int role, const LabCall& call);
  void AddNewValues(const CallOrder& order, const LabWrite& write, int role, MadeCall& made);
  // Returns what an update gives to the instance. `source` has the factor of what it adds.
  InstanceWrite WriteOf(const CallOrder& order, const LabChange& change, InstanceId id,
                        InstanceId source, const LabCall& call) const;
  // Returns the value of the first write's instance that is set; nothing where it has none.
  std::optional<std::string> CopiedValue(const CallOrder& order, const LabChange& change,
                                         const LabCall& call) const;
  // Calls `visit` for each instance that the pattern's writes of the kind are about, children that
  // are written along included.
  template <typename Visit>
  void VisitWritten(int pattern, const CallShape& shape, const LabCall& call, LabWrite::Kind kind,
                    Visit visit);

  const LabFile& file_;
  Population& population_;
  Picker picker_;
  OpenWrites open_;
  std::uint64_t calls_ = 0;
};

}  // namespace hashrange
