// FaultPlan: the fault rules of a server, as a gate. Rules are asked in the order in which they
// were added, and each counts what it matched and where it fired.
//
//   call ──▶ Begin: rules about calls ──▶ Enter: rules about accesses, and about items
//
// Thread-safe. A call goes on with the rules it has begun with.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "operation/gate.h"
#include "simulation/call_faults.h"
#include "simulation/fault_rule.h"
#include "simulation/gate_chain.h"

namespace hashrange {

class FaultPlan : public Gate {
 public:
  static constexpr std::size_t kMaxRules = 1000;

  // `chain` has the plan in it while there are rules.
  explicit FaultPlan(GateChain& chain) : chain_(chain) {}

  using RuleRef = std::shared_ptr<const FaultRule>;

  // Adds rules behind those there are; returns them with their ids, which are never used again.
  // Errors: LimitExceededException  more than kMaxRules; none is added
  Result<std::vector<RuleRef>> Add(std::vector<FaultSpec> specs);
  std::vector<RuleRef> List() const;
  RuleRef Find(std::uint64_t id) const;  // null: there is none
  bool Remove(std::uint64_t id);         // false: there is none
  // Returns how many there were.
  std::size_t Clear();

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call&, const Access&, const Usage&) override {}
  void End(Call& call, const CallOutcome& outcome) override;

 private:
  std::shared_ptr<const FaultRules> Rules() const;
  // With the lock held.
  void Set(FaultRules rules);

  GateChain& chain_;
  mutable std::mutex mutex_;  // held to copy or change what follows
  std::shared_ptr<const FaultRules> rules_ = std::make_shared<FaultRules>();
  std::uint64_t next_id_ = 1;
};

}  // namespace hashrange
