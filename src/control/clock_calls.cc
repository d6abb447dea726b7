// clock: the calls about the server's time. All dates and all expiries follow this clock. Pauses
// and time limits of the server itself follow the machine's clock.
#include <string>

#include "base/clock.h"
#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "engine/ttl/time_to_live.h"

namespace hashrange {
namespace {

constexpr double kMinScale = 0.001;

// The names are in the order of AdjustableClock::Mode.
constexpr std::string_view kModeNames[] = {"real", "frozen", "scaled"};

void WriteClock(const AdjustableClock& clock, JsonWriter& answer) {
  const AdjustableClock::State state = clock.state();
  answer.BeginObject();
  answer.StringMember("mode", kModeNames[static_cast<std::size_t>(state.mode)]);
  answer.StringMember("now", InstantText(state.now_epoch_ms));
  answer.IntegerMember("epoch_ms", state.now_epoch_ms);
  answer.DoubleMember("scale", state.mode == AdjustableClock::Mode::kFrozen ? 0 : state.scale);
  answer.EndObject();
}

// The requested changes of the clock.
struct ClockChange {
  bool runs_real = false;
  std::optional<std::int64_t> frozen_epoch_ms;
  std::optional<double> scale;
  std::int64_t advance_ms = 0;
};

Result<std::optional<std::int64_t>> ReadFrozen(const ControlObject& body, std::int64_t now_ms) {
  const JsonValue* const frozen = body.Find("frozen");
  if (!frozen) return std::optional<std::int64_t>();
  if (frozen->type == JsonValue::Type::kTrue) return std::optional(now_ms);
  const auto epoch_ms = InstantMsOf(*frozen);
  if (epoch_ms) return epoch_ms;
  return ValidationError("\"frozen\" in the body is neither true nor " +
                         std::string(kInstantForms) + ".");
}

Result<ClockChange> ReadClockChange(const JsonValue& json, std::int64_t now_ms) {
  constexpr Member kMembers[] = {{"mode", MemberType::kText},
                                 {"frozen", MemberType::kAny},
                                 {"scale", MemberType::kNumber},
                                 {"advance", MemberType::kDuration}};
  HR_ASSIGN(const ControlObject body, ReadObject(json, kMembers));
  ClockChange change;
  HR_ASSIGN(change.frozen_epoch_ms, ReadFrozen(body, now_ms));
  change.runs_real = body.Has("mode");
  change.scale = body.Number("scale");
  change.advance_ms = body.DurationMs("advance").value_or(0);
  if (change.runs_real && body.Text("mode") != "real") {
    return ValidationError(
        "\"mode\" can only be \"real\"; \"frozen\" stops the clock, and \"scale\" changes its "
        "speed.");
  }
  const int modes =
      change.runs_real + change.frozen_epoch_ms.has_value() + change.scale.has_value();
  if (modes > 1) {
    return ValidationError("A call has only one of \"mode\", \"frozen\" and \"scale\".");
  }
  if (modes == 0 && !body.Has("advance")) {
    return ValidationError("The body has none of \"mode\", \"frozen\", \"scale\" and \"advance\".");
  }
  if (change.scale &&
      !(*change.scale >= kMinScale && *change.scale <= AdjustableClock::kMaxScale)) {
    return ValidationError("\"scale\" is a number from 0.001 to 1000000.");
  }
  return change;
}

Status CheckAdvance(const ClockChange& change, std::int64_t now_ms) {
  const std::int64_t start_ms =
      change.runs_real ? SystemClock().NowEpochMs() : change.frozen_epoch_ms.value_or(now_ms);
  if (change.advance_ms <= kLastEpochMs - start_ms) return {};
  return ValidationError("\"advance\" would go beyond the year 9999.");
}

void ApplyChange(const ClockChange& change, AdjustableClock& clock) {
  if (change.frozen_epoch_ms) {
    clock.FreezeAt(*change.frozen_epoch_ms + change.advance_ms);
    return;
  }
  if (change.runs_real) clock.RunReal();
  if (change.scale) clock.RunScaled(*change.scale);
  if (change.advance_ms > 0) clock.Advance(change.advance_ms);
}

}  // namespace

ControlResult DescribeClock(ControlCall& call, JsonWriter& answer) {
  WriteClock(call.parts.clock, answer);
  return {};
}

// When the call answers, the items that have expired by the new time are deleted, and the deletions
// are in the streams.
ControlResult ChangeClock(ControlCall& call, JsonWriter& answer) {
  AdjustableClock& clock = call.parts.clock;
  const std::int64_t now_ms = clock.NowEpochMs();
  HR_ASSIGN(const ClockChange change, ReadClockChange(*call.body, now_ms));
  HR_RETURN_IF_ERROR(CheckAdvance(change, now_ms));
  ApplyChange(change, clock);
  call.parts.time_to_live.Sweep();
  WriteClock(clock, answer);
  return {};
}

}  // namespace hashrange
