// CallFaults: the fault rules at one call, and what they have decided of it so far. A rule that is
// about whole calls is asked once, however many accesses the call has.
//
// One for each thread, which serves one call after the other: only that thread uses it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "operation/gate.h"
#include "simulation/fault_rule.h"

namespace hashrange {

// In the order in which they are asked; the first that refuses ends it.
using FaultRules = std::vector<std::shared_ptr<FaultRule>>;

class CallFaults {
 public:
  static CallFaults& OfThisThread();

  // Another call: nothing is decided yet. It meets `rules` until it ends.
  void Start(const Call& call, std::shared_ptr<const FaultRules> rules);
  void End() { call_number_ = 0; }
  bool IsOf(const Call& call) const { return call_number_ == call.number; }

  // What the rules do to the call before it begins, and to one of its accesses.
  std::optional<Error> Begin(Call& call);
  std::optional<Error> Enter(Call& call, const Access& access);

 private:
  struct Decision {
    const FaultRule* rule;
    bool is_made = false;
    bool fires = false;
    bool has_fired = false;    // at this access or one before: its latency has been added
    std::int64_t refused = 0;  // accesses
  };

  Decision& DecisionOf(const FaultRule& rule);
  void Decide(FaultRule& rule, Decision* decision, Call& call);
  std::optional<Error> Refuse(const FaultRule& rule, Decision* decision, Call& call,
                              const Access& access);

  std::uint64_t call_number_ = 0;  // its number
  std::shared_ptr<const FaultRules> rules_;
  std::vector<Decision> decisions_;  // of rules that have matched an access
  std::int64_t refused_ = 0;         // accesses
  std::optional<Error> call_error_;  // which ends the whole call
};

}  // namespace hashrange
