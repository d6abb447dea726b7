// LabCallMaker: makes the calls of patterns: picks, creates and derives the instances of each role,
// and draws the values that updates give. Everything is a pure function of (seed, pattern, number)
// and of what exists. Used by one thread at a time.
//
//   Make      fills the roles; new instances exist from then on
//   (render)  the requests of a write are rendered with the values from before
//   Apply     what the call writes becomes so, for all later calls
//   Confirm   the tables have what the call writes to some instances
//   Close     the tables have the rest, too, or it is taken back, as the call has failed
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/data/picker.h"
#include "lab/language/data/population.h"
#include "lab/language/lab_file.h"
#include "lab/plan/call_shape.h"
#include "lab/plan/request_template.h"
#include "lab/run/open_writes.h"

namespace hashrange {

struct MadeCall {
  LabCall call = {};
  std::uint64_t number = 0;                // of all calls that the maker made
  std::vector<InstanceWrite> writes = {};  // that are neither confirmed nor taken back
};

// Which call is to be made.
struct CallOrder {
  int pattern = kLabNone;
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
  void SetInCreated(const CallOrder& order, const LabWrite& write, int role, const LabCall& call);
  void AddNewValues(const CallOrder& order, const LabWrite& write, int role, MadeCall& made);
  std::optional<std::string> ValueOf(InstanceId id, int attribute) const;
  // Returns what an update gives to the instance. `source` has the factor of what it adds.
  InstanceWrite WriteOf(const CallOrder& order, const LabChange& change, InstanceId id,
                        InstanceId source) const;
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
