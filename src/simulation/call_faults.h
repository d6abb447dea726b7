// CallFaults applies the fault rules to one call and remembers what each rule has decided about it.
// A rule that matches whole calls decides once for a call, however many accesses the call has.
//
// Each thread has one object, as it serves one call at a time. Only that thread uses the object.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "operation/call/gate.h"
#include "simulation/fault_rule.h"

namespace hashrange {

// The rules in the order in which they are asked. No rule is asked after the first that refuses.
using FaultRules = std::vector<std::shared_ptr<FaultRule>>;

class CallFaults {
 public:
  static CallFaults& OfThisThread();

  // Begins with a new call, about which nothing is decided yet. `rules` apply to it until End.
  void Start(const Call& call, std::shared_ptr<const FaultRules> rules);
  void End() { call_number_ = 0; }
  // Returns whether the rules were started for this call, which has not ended.
  bool IsServing(const Call& call) const { return call_number_ == call.number; }

  // Return the error with which the rules refuse the call before it begins, or one of its accesses.
  std::optional<Error> Begin(Call& call);
  std::optional<Error> Enter(Call& call, const Access& access);

 private:
  struct Decision {
    const FaultRule* rule;
    bool is_made = false;
    bool fires = false;
    bool has_fired = false;    // at this access or an earlier one: the latency has been added
    std::int64_t refused = 0;  // accesses that this rule has refused
  };

  Decision& DecisionOf(const FaultRule& rule);
  void Decide(FaultRule& rule, Decision* decision, Call& call);
  std::optional<Error> Refuse(const FaultRule& rule, Decision* decision, Call& call,
                              const Access& access);

  std::uint64_t call_number_ = 0;  // 0: between two calls
  std::shared_ptr<const FaultRules> rules_;
  std::vector<Decision> decisions_;  // of the rules that have matched an access
  std::int64_t refused_ = 0;         // accesses of this call that any rule has refused
  std::optional<Error> call_error_;  // the error that has ended the whole call
};

}  // namespace hashrange
