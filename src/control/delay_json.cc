#include "control/delay_json.h"

#include <string>

#include "base/duration.h"

namespace hashrange {

Result<std::optional<DelayRange>> ReadDelays(const ControlObject& object, std::string_view name,
                                             std::string_view place) {
  constexpr Member kMembers[] = {{"min", MemberType::kDuration},
                                 {"max", MemberType::kDuration, true}};
  const JsonValue* const json = object.Find(name);
  if (!json) return std::optional<DelayRange>();
  if (const auto ms = DurationMsOf(*json)) return std::optional(DelayRange{*ms, *ms});
  if (json->type != JsonValue::Type::kObject) {
    return ValidationError(Quoted(name) + " in " + std::string(place) + " is neither " +
                           std::string(kDurationForms) +
                           ", nor an object of two such times, \"min\" and \"max\".");
  }
  HR_ASSIGN(const ControlObject range, ReadObject(*json, kMembers, Quoted(name)));
  const DelayRange delays{range.DurationMs("min").value_or(0), *range.DurationMs("max")};
  if (delays.min_ms > delays.max_ms) {
    return ValidationError("\"min\" in " + Quoted(name) + " is more than \"max\".");
  }
  return std::optional(delays);
}

void WriteDelays(std::string_view name, const DelayRange& delays, JsonWriter& answer) {
  answer.Name(name);
  answer.BeginObject();
  answer.IntegerMember("min", delays.min_ms);
  answer.IntegerMember("max", delays.max_ms);
  answer.EndObject();
}

}  // namespace hashrange
