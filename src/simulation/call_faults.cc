#include "simulation/call_faults.h"

#include <algorithm>
#include <utility>

#include "base/thread_object.h"
#include "wire/json.h"

namespace hashrange {
namespace {

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

}  // namespace

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

}  // namespace hashrange
