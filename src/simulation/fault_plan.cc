#include "simulation/fault_plan.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/memory/thread_object.h"
#include "operation/call/gate.h"
#include "simulation/fault_rule.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// Applies the fault rules to one call and remembers what each rule has decided about it. A rule
// that matches whole calls decides once for a call, however many accesses the call has.
//
// Each thread has one object, as it serves one call at a time. Only that thread uses the object.
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

using Kind = FaultAction::Kind;

// The number of members of a batch, over all its tables.
std::int64_t CountBatchMembers(const Call& call) {
  const JsonValue* const tables = call.request ? call.request->Find("RequestItems") : nullptr;
  if (!tables || tables->type != JsonValue::Type::kObject) return 0;
  std::int64_t count = 0;
  for (const JsonMember& table : tables->members()) {
    const bool is_read = table.value.type == JsonValue::Type::kObject;
    const JsonValue* const members = is_read ? table.value.Find("Keys") : &table.value;
    if (members && members->type == JsonValue::Type::kArray) count += members->size;
  }
  return count;
}

void ApplyDelayAndDrop(const FaultAction& action, std::int64_t delay_ms, Call& call) {
  call.send_after_ms += delay_ms;
  if (action.kind == Kind::kDropBefore || action.kind == Kind::kDropAfter) call.drop = true;
}

CallFaults& CallFaults::OfThisThread() { return OfThread<CallFaults>(); }

void CallFaults::Start(const Call& call, std::shared_ptr<const FaultRules> rules) {
  call_number_ = call.number;
  rules_ = std::move(rules);
  decisions_.clear();
  refused_ = 0;
  call_error_.reset();
}

std::optional<Error> CallFaults::Begin(Call& call) {
  const bool has_accesses = HasAccesses(call.operation);
  for (const auto& rule : *rules_) {
    const FaultSpec& spec = rule->spec();
    if (has_accesses && rule->IsDecidedAtAccess()) continue;
    if (!spec.match.MatchesCall(call) || !CanHappenToCall(spec.action, call)) continue;
    if (!has_accesses && !spec.match.MatchesRequest(call)) continue;
    const auto delay_ms = rule->Decide();
    if (!delay_ms) continue;
    ApplyDelayAndDrop(spec.action, *delay_ms, call);
    if (auto error = ErrorEndingCall(spec.action, call, TableNamedBy(call))) return error;
  }
  return std::nullopt;
}

std::optional<Error> CallFaults::Enter(Call& call, const Access& access) {
  if (call_error_) return call_error_;
  for (const auto& rule : *rules_) {
    const FaultSpec& spec = rule->spec();
    if (!rule->IsDecidedAtAccess() || !spec.match.MatchesCall(call)) continue;
    if (!spec.match.MatchesAccess(access) || !CanHappenAtAccess(spec.action, call, access)) {
      continue;
    }
    // A batch processes at least one member, so a batch of one member is not refused.
    if (spec.action.kind == Kind::kUnprocessed && CountBatchMembers(call) < 2) continue;
    Decision& decision = DecisionOf(*rule);
    if (!decision.is_made || rule->IsDecidedForEachAccess()) Decide(*rule, &decision, call);
    if (!decision.fires) continue;
    if (auto refused = Refuse(*rule, &decision, call, access)) return refused;
  }
  return std::nullopt;
}

CallFaults::Decision& CallFaults::DecisionOf(const FaultRule& rule) {
  const auto known = std::ranges::find(decisions_, &rule, &Decision::rule);
  return known == decisions_.end() ? decisions_.emplace_back(&rule) : *known;
}

void CallFaults::Decide(FaultRule& rule, Decision* decision, Call& call) {
  const auto delay_ms = rule.Decide();
  decision->is_made = true;
  decision->fires = delay_ms.has_value();
  if (!decision->fires || std::exchange(decision->has_fired, true)) return;
  ApplyDelayAndDrop(rule.spec().action, *delay_ms, call);
}

std::optional<Error> CallFaults::Refuse(const FaultRule& rule, Decision* decision, Call& call,
                                        const Access& access) {
  const FaultMatch& match = rule.spec().match;
  const FaultAction& action = rule.spec().action;
  if (!ActsOnItems(action)) {
    call_error_ = ErrorEndingCall(action, call, access.table->name);
    if (call_error_) call.replacing_error = call_error_;
    return call_error_;
  }
  if (action.kind == Kind::kUnprocessed) {
    // One member is always processed, so that a client's loop over the unprocessed ones ends.
    if (decision->refused >= action.unprocessed) return std::nullopt;
    if (refused_ + 1 >= CountBatchMembers(call)) return std::nullopt;
  } else if (!match.IsAboutAccesses() && ActsOnOneItem(action, access) && decision->refused > 0) {
    return std::nullopt;
  }
  ++decision->refused;
  ++refused_;
  return ErrorAtAccess(action, call, access, match.index);
}

}  // namespace

Result<std::vector<FaultPlan::RuleRef>> FaultPlan::Add(std::vector<FaultSpec> specs) {
  MutexLock lock(mutex_);
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
  MutexLock lock(mutex_);
  FaultRules rules = *rules_;
  if (std::erase_if(rules, [id](const auto& rule) { return rule->id() == id; }) == 0) return false;
  Set(std::move(rules));
  return true;
}

std::size_t FaultPlan::Clear() {
  MutexLock lock(mutex_);
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
  MutexLock lock(mutex_);
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
