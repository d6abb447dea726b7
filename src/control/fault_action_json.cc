#include "control/fault_action_json.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/duration.h"
#include "control/control_json.h"

namespace hashrange {
namespace {

using Kind = FaultAction::Kind;

constexpr std::int64_t kMaxLatencyMs = 60 * 60 * 1000;
constexpr std::size_t kMaxReasons = 100;

Status ReadThrottling(const JsonValue& json, FaultAction* action) {
  constexpr Member kMembers[] = {{"reason", MemberType::kText, true},
                                 {"exception", MemberType::kText},
                                 {"message", MemberType::kText}};
  action->kind = Kind::kThrottle;
  std::string_view name;
  if (json.type == JsonValue::Type::kString) {
    name = json.string();
  } else {
    HR_ASSIGN(const ControlObject object, ReadObject(json, kMembers, "\"throttle\""));
    name = *object.Text("reason");
    action->message = object.Text("message").value_or("");
    if (const auto exception = object.Text("exception")) {
      action->code = FindErrorCode(*exception);
      const bool is_throttling = action->code == ErrorCode::kThrottlingException ||
                                 action->code == ErrorCode::kRequestLimitExceeded ||
                                 action->code == ErrorCode::kProvisionedThroughputExceededException;
      if (!is_throttling) {
        return ValidationError(Quoted(*exception) + " is no throttling exception.");
      }
    }
  }
  const auto reason = ParseThrottlingReason(name);
  if (!reason) {
    return ValidationError(
        Quoted(name) +
        " is not a reason for throttling, such as \"TableWriteKeyRangeThroughputExceeded\".");
  }
  action->throttling = *reason;
  return {};
}

Status ReadReasons(const ControlObject& object, FaultAction* action) {
  const auto reasons = object.List("reasons");
  if (object.Has("reasons") && action->code != ErrorCode::kTransactionCanceledException) {
    return ValidationError("Only a TransactionCanceledException has \"reasons\".");
  }
  if (reasons.size() > kMaxReasons) return ValidationError("\"reasons\" has up to 100 codes.");
  for (const JsonValue& reason : reasons) {
    if (reason.type != JsonValue::Type::kString) {
      return ValidationError(
          "\"reasons\" is a list of codes such as \"None\" and \"TransactionConflict\".");
    }
    action->reasons.emplace_back(reason.string());
  }
  return {};
}

Status ReadError(const JsonValue& json, FaultAction* action) {
  constexpr Member kMembers[] = {{"type", MemberType::kText, true},
                                 {"message", MemberType::kText},
                                 {"reasons", MemberType::kList}};
  HR_ASSIGN(const ControlObject object, ReadObject(json, kMembers, "\"error\""));
  std::string_view type = *object.Text("type");
  type.remove_prefix(type.rfind('#') + 1);
  action->kind = Kind::kError;
  action->code = FindErrorCode(type);
  if (!action->code) return ValidationError("There is no error " + Quoted(type) + ".");
  action->message = object.Text("message").value_or("");
  return ReadReasons(object, action);
}

Status ReadStatus(const JsonValue& json, FaultAction* action) {
  action->kind = Kind::kStatus;
  const std::int64_t status = WholeNumberOf(json).value_or(0);
  if (status != 500 && status != 503) return ValidationError("\"status\" is 500 or 503.");
  action->http_status = static_cast<int>(status);
  return {};
}

Status ReadDrop(const JsonValue& json, FaultAction* action) {
  const std::string_view when = json.type == JsonValue::Type::kString ? json.string() : "";
  if (when != "before" && when != "after") {
    return ValidationError(
        "\"drop\" is \"before\" or \"after\": the connection ends before the request is carried "
        "out, or after that.");
  }
  action->kind = when == "before" ? Kind::kDropBefore : Kind::kDropAfter;
  return {};
}

Status ReadUnprocessed(const JsonValue& json, FaultAction* action) {
  const std::int64_t count = WholeNumberOf(json).value_or(0);
  if (count < 1) return ValidationError("\"unprocessed\" is a whole number from 1.");
  action->kind = Kind::kUnprocessed;
  action->unprocessed = count;
  return {};
}

Status ReadSwitch(const JsonMember& member, Kind kind, FaultAction* action) {
  action->kind = kind;
  if (member.value.type == JsonValue::Type::kTrue) return {};
  return ValidationError(Quoted(member.name) + " can only be true.");
}

// Reads a member of the action. The latency is read elsewhere.
Status ReadMember(const JsonMember& member, FaultAction* action) {
  if (member.name == "throttle") return ReadThrottling(member.value, action);
  if (member.name == "error") return ReadError(member.value, action);
  if (member.name == "status") return ReadStatus(member.value, action);
  if (member.name == "drop") return ReadDrop(member.value, action);
  if (member.name == "unprocessed") return ReadUnprocessed(member.value, action);
  if (member.name == "conflict") return ReadSwitch(member, Kind::kConflict, action);
  if (member.name == "in_progress") return ReadSwitch(member, Kind::kInProgress, action);
  if (member.name == "collection_full") return ReadSwitch(member, Kind::kCollectionFull, action);
  return {};
}

Status ReadLatency(const JsonValue& json, FaultAction* action) {
  constexpr Member kMembers[] = {{"min", MemberType::kDuration, true},
                                 {"max", MemberType::kDuration, true}};
  if (json.type == JsonValue::Type::kObject) {
    HR_ASSIGN(const ControlObject range, ReadObject(json, kMembers, "\"latency\""));
    action->latency_ms = *range.DurationMs("min");
    action->max_latency_ms = *range.DurationMs("max");
  } else {
    const auto latency_ms = DurationMsOf(json);
    if (!latency_ms) {
      return ValidationError("\"latency\" is neither " + std::string(kDurationForms) +
                             R"(, nor an object of two such times, {"min":"10ms","max":"90ms"}.)");
    }
    action->latency_ms = action->max_latency_ms = *latency_ms;
  }
  if (action->latency_ms > action->max_latency_ms) {
    return ValidationError("\"min\" in \"latency\" is more than \"max\".");
  }
  if (action->max_latency_ms <= kMaxLatencyMs) return {};
  return ValidationError("\"latency\" is at most an hour.");
}

}  // namespace

Result<FaultAction> ReadFaultAction(const JsonValue& json) {
  constexpr Member kMembers[] = {
      {"throttle", MemberType::kAny},
      {"error", MemberType::kAny},
      {"status", MemberType::kAny},
      {"latency", MemberType::kAny},
      {"drop", MemberType::kAny},
      {"unprocessed", MemberType::kAny},
      {"conflict", MemberType::kAny},
      {"in_progress", MemberType::kAny},
      {"collection_full", MemberType::kAny},
  };
  HR_ASSIGN(const ControlObject object, ReadObject(json, kMembers, "\"do\""));
  FaultAction action;
  const JsonValue* const latency = object.Find("latency");
  if (latency) HR_RETURN_IF_ERROR(ReadLatency(*latency, &action));
  const std::size_t others = json.members().size() - (latency ? 1 : 0);
  if (json.members().empty())
    return ValidationError(R"("do" is empty; it has an action, such as {"status":503}.)");
  if (others > 1) {
    return ValidationError("\"do\" has one action, and may have \"latency\" besides.");
  }
  for (const JsonMember& member : json.members()) {
    HR_RETURN_IF_ERROR(ReadMember(member, &action));
  }
  return action;
}

}  // namespace hashrange
