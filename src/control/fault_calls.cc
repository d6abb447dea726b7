// faults: the calls about fault rules.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory/arena.h"
#include "base/random.h"
#include "base/result.h"
#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "operation/call/operations.h"
#include "simulation/fault_action.h"
#include "simulation/fault_plan.h"
#include "simulation/fault_rule.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

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

// A member of "do": the latency, or an action, of which a rule has one.
struct ActionMember {
  std::string_view name;
  Status (*read)(const JsonValue& json, FaultAction* action);  // null: the member can only be true
  Kind kind = Kind::kNone;  // of an action that is only switched on
};
constexpr std::string_view kLatency = "latency";
constexpr ActionMember kActionMembers[] = {
    {"throttle", ReadThrottling},
    {"error", ReadError},
    {"status", ReadStatus},
    {kLatency, ReadLatency},
    {"drop", ReadDrop},
    {"unprocessed", ReadUnprocessed},
    {"conflict", nullptr, Kind::kConflict},
    {"in_progress", nullptr, Kind::kInProgress},
    {"collection_full", nullptr, Kind::kCollectionFull},
};

Status ReadActionMember(const ActionMember& row, const JsonValue& json, FaultAction* action) {
  if (row.read) return row.read(json, action);
  action->kind = row.kind;
  if (json.type == JsonValue::Type::kTrue) return {};
  return ValidationError(Quoted(row.name) + " can only be true.");
}

// Reads what a rule does, the member "do" of a rule. It is one of
//
//   {"throttle":"TableWriteKeyRangeThroughputExceeded"}
//   {"throttle":{"reason":"…","exception"?:"ThrottlingException","message"?:"…"}}
//   {"error":{"type":"ResourceInUseException","message"?:"…","reasons"?:["None","…"]}}
//   {"status":500} {"status":503}  {"drop":"before"} {"drop":"after"}  {"unprocessed":3}
//   {"conflict":true}  {"in_progress":true}  {"collection_full":true}
//
// A member {"latency":"50ms"} or {"latency":{"min":"10ms","max":"90ms"}} may be added to any of
// these, and may also be the only member.
// Errors: ValidationException  for any other JSON, as a whole sentence
Result<FaultAction> ReadFaultAction(const JsonValue& json) {
  std::vector<Member> members;
  for (const ActionMember& row : kActionMembers) members.push_back({row.name, MemberType::kAny});
  HR_ASSIGN(const ControlObject object, ReadObject(json, members, "\"do\""));
  FaultAction action;
  const JsonValue* const latency = object.Find(kLatency);
  if (latency) HR_RETURN_IF_ERROR(ReadLatency(*latency, &action));
  const std::size_t others = json.members().size() - (latency ? 1 : 0);
  if (json.members().empty())
    return ValidationError(R"("do" is empty; it has an action, such as {"status":503}.)");
  if (others > 1) {
    return ValidationError("\"do\" has one action, and may have \"latency\" besides.");
  }
  for (const ActionMember& row : kActionMembers) {
    const JsonValue* const value = object.Find(row.name);
    if (value && row.name != kLatency) HR_RETURN_IF_ERROR(ReadActionMember(row, *value, &action));
  }
  return action;
}

constexpr std::size_t kMaxRuleNameBytes = 255;
constexpr std::size_t kMaxJsonBytes = 8 << 10;  // of "match", and of "do"
constexpr std::size_t kMaxKeyAttributes = 8;

// The seeds of a call's rules are next to each other, but far from the seeds that another seed of a
// call gives.
std::uint64_t RuleSeed(std::uint64_t seed, std::size_t place) {
  return Random(seed).Next() + place;
}

Status AddOperation(const JsonValue& json, std::vector<std::string>* operations) {
  if (json.type != JsonValue::Type::kString) {
    return ValidationError("\"operation\" is the name of an operation or a list of names.");
  }
  if (!FindOperation(json.string())) {
    return ValidationError("There is no operation " + Quoted(json.string()) + ".");
  }
  operations->emplace_back(json.string());
  return {};
}

Status ReadOperations(const ControlObject& match, std::vector<std::string>* operations) {
  const JsonValue* const json = match.Find("operation");
  if (!json) return {};
  if (json->type != JsonValue::Type::kArray) return AddOperation(*json, operations);
  for (const JsonValue& element : json->elements()) {
    HR_RETURN_IF_ERROR(AddOperation(element, operations));
  }
  return operations->empty() ? Status(ValidationError("\"operation\" is an empty list."))
                             : Status();
}

Status ReadName(const ControlObject& object, std::string_view member, std::string* name) {
  const auto text = object.Text(member);
  if (text && text->size() > kMaxRuleNameBytes) {
    return ValidationError(Quoted(member) + " is longer than 255 bytes.");
  }
  *name = text.value_or("");
  return {};
}

Result<KeyPartMatch> ReadPrefix(const JsonMember& member) {
  const bool is_text = member.value.type == JsonValue::Type::kString && member.value.size > 0;
  if (is_text && !member.name.empty()) return BeginningWith(member.name, member.value.string());
  return ValidationError(
      R"("key_prefix" gives the beginnings of key attributes that are strings, as in {"PK":"USER#"}.)");
}

Status ReadKeyMatch(const ControlObject& match, Arena& arena, std::vector<KeyPartMatch>* parts) {
  const JsonValue* const key = match.Find("key");
  const JsonValue* const prefix = match.Find("key_prefix");
  if (!key && !prefix) return {};
  if (key && prefix) return ValidationError("A match has \"key\" or \"key_prefix\", not both.");
  const JsonValue& given = key ? *key : *prefix;
  if (given.size == 0 || given.size > kMaxKeyAttributes) {
    return ValidationError(std::string(key ? "\"key\"" : "\"key_prefix\"") +
                           " has from 1 to 8 attributes.");
  }
  if (prefix) {
    for (const JsonMember& member : prefix->members()) {
      HR_ASSIGN(KeyPartMatch part, ReadPrefix(member));
      parts->push_back(std::move(part));
    }
    return {};
  }
  HR_ASSIGN(const auto attributes, ReadKeyJson(*key, arena));
  for (const Attribute& attribute : attributes) {
    parts->push_back(EqualTo(attribute.name, attribute.value));
  }
  return {};
}

// Reads the members that say at which of the matching calls the rule fires.
Status ReadFrequency(const ControlObject& match, FaultSpec* spec) {
  spec->skip = static_cast<std::uint64_t>(match.Whole("skip").value_or(0));
  spec->every = static_cast<std::uint64_t>(match.Whole("every").value_or(1));
  spec->probability = match.Number("probability").value_or(1);
  if (const auto times = match.Whole("times")) spec->times = static_cast<std::uint64_t>(*times);
  if (spec->every == 0) return ValidationError("\"every\" is a whole number from 1.");
  if (spec->times == std::uint64_t{0}) {
    return ValidationError("\"times\" is a whole number from 1.");
  }
  if (!(spec->probability > 0 && spec->probability <= 1)) {
    return ValidationError("\"probability\" is a number above 0 and up to 1.");
  }
  return {};
}

Status ReadMatch(const JsonValue& json, bool shared_tables, Arena& arena, FaultSpec* spec) {
  constexpr Member kMembers[] = {
      {"operation", MemberType::kAny},      {"table", MemberType::kText},
      {"index", MemberType::kText},         {"key", MemberType::kObject},
      {"key_prefix", MemberType::kObject},  {"account", MemberType::kText},
      {"region", MemberType::kText},        {"every", MemberType::kWhole},
      {"probability", MemberType::kNumber}, {"times", MemberType::kWhole},
      {"skip", MemberType::kWhole},
  };
  HR_ASSIGN(const ControlObject match, ReadObject(json, kMembers, "\"match\""));
  HR_RETURN_IF_ERROR(CheckAccountId(match));
  HR_RETURN_IF_ERROR(ReadOperations(match, &spec->match.operations));
  HR_RETURN_IF_ERROR(ReadName(match, "table", &spec->match.table));
  HR_RETURN_IF_ERROR(ReadName(match, "index", &spec->match.index));
  HR_RETURN_IF_ERROR(ReadName(match, "region", &spec->match.region));
  if (!shared_tables) spec->match.account_id = match.Text("account").value_or("");
  HR_RETURN_IF_ERROR(ReadKeyMatch(match, arena, &spec->match.key));
  return ReadFrequency(match, spec);
}

Result<std::string> BoundedJsonText(const JsonValue& json, std::string_view member) {
  std::string text = JsonText(json);
  if (text.size() <= kMaxJsonBytes) return text;
  return ValidationError(Quoted(member) + " is longer than 8192 bytes.");
}

Result<FaultSpec> ReadFaultSpec(const JsonValue& json, bool shared_tables, Arena& arena) {
  constexpr Member kMembers[] = {{"name", MemberType::kText},
                                 {"match", MemberType::kObject, true},
                                 {"do", MemberType::kObject, true}};
  HR_ASSIGN(const ControlObject rule, ReadObject(json, kMembers, "a rule"));
  FaultSpec spec;
  HR_RETURN_IF_ERROR(ReadName(rule, "name", &spec.name));
  HR_ASSIGN(spec.match_json, BoundedJsonText(*rule.Find("match"), "match"));
  HR_ASSIGN(spec.action_json, BoundedJsonText(*rule.Find("do"), "do"));
  HR_RETURN_IF_ERROR(ReadMatch(*rule.Find("match"), shared_tables, arena, &spec));
  HR_ASSIGN(spec.action, ReadFaultAction(*rule.Find("do")));
  return spec;
}

// Reads {"seed"?,"rules":[{"name"?,"match":{…},"do":{…}},…]}. The seed of each rule is made of the
// given seed (0 without one) and the rule's place in the list. Where all accounts share one set of
// tables, an account in a match is ignored.
// Errors: ValidationException  for any other JSON, as a whole sentence
Result<std::vector<FaultSpec>> ReadFaultSpecs(const JsonValue& body, bool shared_tables,
                                              Arena& arena) {
  constexpr Member kMembers[] = {{"seed", MemberType::kWhole}, {"rules", MemberType::kList, true}};
  HR_ASSIGN(const ControlObject object, ReadObject(body, kMembers));
  const auto seed = static_cast<std::uint64_t>(object.Whole("seed").value_or(0));
  const std::span<const JsonValue> rules = object.List("rules");
  if (rules.size() > FaultPlan::kMaxRules) {
    return ValidationError("\"rules\" has at most " + std::to_string(FaultPlan::kMaxRules) +
                           " rules.");
  }
  std::vector<FaultSpec> specs;
  for (const JsonValue& json : rules) {
    const std::size_t place = specs.size();
    auto spec = ReadFaultSpec(json, shared_tables, arena);
    if (!spec.ok()) {
      return ValidationError("Rule " + std::to_string(place + 1) + ": " + spec.error().message);
    }
    spec->seed = RuleSeed(seed, place);
    specs.push_back(*std::move(spec));
  }
  if (specs.empty()) return ValidationError("\"rules\" is an empty list.");
  return specs;
}

// Writes {"id":1,"name":"…","hits":0,"matches":0,"match":{…},"do":{…}}. A rule without a name
// has no member "name".
void WriteFaultRule(const FaultRule& rule, JsonWriter& writer) {
  const FaultSpec& spec = rule.spec();
  writer.BeginObject();
  writer.IntegerMember("id", static_cast<std::int64_t>(rule.id()));
  if (!spec.name.empty()) writer.StringMember("name", spec.name);
  writer.IntegerMember("hits", static_cast<std::int64_t>(rule.hits()));
  writer.IntegerMember("matches", static_cast<std::int64_t>(rule.matches()));
  writer.RawMember("match", spec.match_json);
  writer.RawMember("do", spec.action_json);
  writer.EndObject();
}

ControlResult AnswerRules(const std::vector<FaultPlan::RuleRef>& rules, JsonWriter& answer) {
  return AnswerList("rules", rules, answer,
                    [&](const FaultPlan::RuleRef& rule) { WriteFaultRule(*rule, answer); });
}

ControlError NoSuchRule(std::string_view id) {
  return {404, "There is no fault rule " + Quoted(id) + "."};
}

}  // namespace

ControlResult ListFaults(ControlCall& call, JsonWriter& answer) {
  return AnswerRules(call.parts.faults.List(), answer);
}

ControlResult AddFaults(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(auto specs, ReadFaultSpecs(*call.body, call.parts.shared_tables, call.arena));
  HR_ASSIGN(const auto rules, call.parts.faults.Add(std::move(specs)));
  return AnswerRules(rules, answer);
}

ControlResult DescribeFault(ControlCall& call, JsonWriter& answer) {
  const auto id = ParseCallId(call.name);
  const FaultPlan::RuleRef rule = id ? call.parts.faults.Find(*id) : nullptr;
  if (!rule) return NoSuchRule(call.name);
  WriteFaultRule(*rule, answer);
  return {};
}

ControlResult RemoveFault(ControlCall& call, JsonWriter& answer) {
  const auto id = ParseCallId(call.name);
  if (!id || !call.parts.faults.Remove(*id)) return NoSuchRule(call.name);
  return AnswerCount("rules", 1, answer);
}

ControlResult RemoveFaults(ControlCall& call, JsonWriter& answer) {
  return AnswerCount("rules", call.parts.faults.Clear(), answer);
}

}  // namespace hashrange
