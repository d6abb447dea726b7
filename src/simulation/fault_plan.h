// FaultPlan is the gate that holds the fault rules of a server. Rules are asked in the order in
// which they were added, and each counts how often it matched and how often it fired.
//
//   call ──▶ Begin: rules about calls ──▶ Enter: rules about accesses, and about items
//
// Thread-safe. A call keeps the rules with which it began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/threads.h"
#include "operation/call/gate.h"
#include "simulation/fault_rule.h"
#include "simulation/gate_chain.h"

namespace hashrange {

class FaultPlan : public Gate {
 public:
  static constexpr std::size_t kMaxRules = 1000;

  // The plan is in `chain` while there are rules.
  explicit FaultPlan(GateChain& chain) : chain_(chain) {}

  using RuleRef = std::shared_ptr<const FaultRule>;

  // Adds rules behind the existing ones and returns the new rules with their ids. An id is never
  // reused.
  // Errors: LimitExceededException  there would be more than kMaxRules; no rule is added then
  Result<std::vector<RuleRef>> Add(std::vector<FaultSpec> specs);
  std::vector<RuleRef> List() const;
  RuleRef Find(std::uint64_t id) const;  // null: there is no rule with this id
  bool Remove(std::uint64_t id);         // false: there is no rule with this id
  // Removes all rules. Returns how many there were.
  std::size_t Clear();

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call&, const Access&, const Usage&) override {}
  void End(Call& call, const CallOutcome& outcome) override;

 private:
  std::shared_ptr<const FaultRules> Rules() const;
  // Replaces the rules, and puts the plan into the chain or takes it out. The caller holds the
  // lock.
  void Set(FaultRules rules);

  GateChain& chain_;
  mutable Mutex mutex_;  // held to copy or change what follows
  std::shared_ptr<const FaultRules> rules_ = std::make_shared<FaultRules>();
  std::uint64_t next_id_ = 1;
};

}  // namespace hashrange
