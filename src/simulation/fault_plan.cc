#include "simulation/fault_plan.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hashrange {

Result<std::vector<FaultPlan::RuleRef>> FaultPlan::Add(std::vector<FaultSpec> specs) {
  std::lock_guard lock(mutex_);
  if (rules_->size() + specs.size() > kMaxRules) {
    return Error{ErrorCode::kLimitExceededException,
                 "There may be " + std::to_string(kMaxRules) +
                     " fault rules, and with these there would be " +
                     std::to_string(rules_->size() + specs.size()) + ".",
                 nullptr};
  }
  FaultRules rules = *rules_;
  std::vector<RuleRef> added;
  for (FaultSpec& spec : specs) {
    added.push_back(rules.emplace_back(std::make_shared<FaultRule>(next_id_++, std::move(spec))));
  }
  Set(std::move(rules));
  return added;
}

std::vector<FaultPlan::RuleRef> FaultPlan::List() const {
  const auto rules = Rules();
  return {rules->begin(), rules->end()};
}

FaultPlan::RuleRef FaultPlan::Find(std::uint64_t id) const {
  const auto rules = Rules();
  const auto found = std::ranges::find(*rules, id, [](const auto& rule) { return rule->id(); });
  return found == rules->end() ? nullptr : *found;
}

bool FaultPlan::Remove(std::uint64_t id) {
  std::lock_guard lock(mutex_);
  FaultRules rules = *rules_;
  if (std::erase_if(rules, [id](const auto& rule) { return rule->id() == id; }) == 0) return false;
  Set(std::move(rules));
  return true;
}

std::size_t FaultPlan::Clear() {
  std::lock_guard lock(mutex_);
  const std::size_t count = rules_->size();
  Set({});
  return count;
}

void FaultPlan::Set(FaultRules rules) {
  const bool is_any = !rules.empty();
  rules_ = std::make_shared<const FaultRules>(std::move(rules));
  if (is_any) {
    chain_.Activate(GateChain::Place::kFaults, *this);
  } else {
    chain_.Deactivate(GateChain::Place::kFaults);
  }
}

std::shared_ptr<const FaultRules> FaultPlan::Rules() const {
  std::lock_guard lock(mutex_);
  return rules_;
}

std::optional<Error> FaultPlan::Begin(Call& call) {
  CallFaults& faults = CallFaults::OfThisThread();
  faults.Start(call, Rules());
  return faults.Begin(call);
}

// A call that began before there were rules is subject to the rules from its next access on.
std::optional<Error> FaultPlan::Enter(Call& call, const Access& access) {
  CallFaults& faults = CallFaults::OfThisThread();
  if (!faults.IsServing(call)) faults.Start(call, Rules());
  return faults.Enter(call, access);
}

void FaultPlan::End(Call& call, const CallOutcome&) {
  CallFaults& faults = CallFaults::OfThisThread();
  if (faults.IsServing(call)) faults.End();
}

}  // namespace hashrange
