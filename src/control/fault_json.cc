#include "control/fault_json.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/random.h"
#include "control/control_json.h"
#include "control/fault_action_json.h"
#include "control/key_json.h"
#include "control/scope.h"
#include "operation/call/operations.h"
#include "simulation/fault_plan.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxNameBytes = 255;
constexpr std::size_t kMaxJsonBytes = 8 << 10;  // of "match", and of "do"
constexpr std::size_t kMaxKeyAttributes = 8;

// The seeds of a call's rules are next to each other, but far from those of the call's next seed.
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
  if (text && text->size() > kMaxNameBytes) {
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

Result<std::string> JsonText(const JsonValue& json, std::string_view member) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(json, writer);
  if (out.size() <= kMaxJsonBytes) return std::string(out.view());
  return ValidationError(Quoted(member) + " is longer than 8192 bytes.");
}

Result<FaultSpec> ReadFaultSpec(const JsonValue& json, bool shared_tables, Arena& arena) {
  constexpr Member kMembers[] = {{"name", MemberType::kText},
                                 {"match", MemberType::kObject, true},
                                 {"do", MemberType::kObject, true}};
  HR_ASSIGN(const ControlObject rule, ReadObject(json, kMembers, "a rule"));
  FaultSpec spec;
  HR_RETURN_IF_ERROR(ReadName(rule, "name", &spec.name));
  HR_ASSIGN(spec.match_json, JsonText(*rule.Find("match"), "match"));
  HR_ASSIGN(spec.action_json, JsonText(*rule.Find("do"), "do"));
  HR_RETURN_IF_ERROR(ReadMatch(*rule.Find("match"), shared_tables, arena, &spec));
  HR_ASSIGN(spec.action, ReadFaultAction(*rule.Find("do")));
  return spec;
}

}  // namespace

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

void WriteFaultRule(const FaultRule& rule, JsonWriter& writer) {
  const FaultSpec& spec = rule.spec();
  writer.BeginObject();
  writer.Name("id");
  writer.Integer(static_cast<std::int64_t>(rule.id()));
  if (!spec.name.empty()) {
    writer.Name("name");
    writer.String(spec.name);
  }
  writer.Name("hits");
  writer.Integer(static_cast<std::int64_t>(rule.hits()));
  writer.Name("matches");
  writer.Integer(static_cast<std::int64_t>(rule.matches()));
  writer.Name("match");
  writer.Raw(spec.match_json);
  writer.Name("do");
  writer.Raw(spec.action_json);
  writer.EndObject();
}

}  // namespace hashrange
