// holds and status: the calls that hold something in a state which it otherwise has for a moment:
// items as if a transaction were writing them, and tables or global indexes in a status such as
// CREATING.
#include <string>

#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "engine/engine.h"
#include "operation/parameter/item_key.h"
#include "simulation/held_status.h"
#include "simulation/holds.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

void WriteHold(const Hold& hold, JsonWriter& answer) {
  answer.BeginObject();
  answer.IntegerMember("id", static_cast<std::int64_t>(hold.id));
  answer.StringMember("table", hold.table);
  answer.StringMember("account", hold.account_id);
  if (!hold.region.empty()) answer.StringMember("region", hold.region);
  answer.RawMember("key", hold.key_json);
  if (hold.until_epoch_ms) answer.StringMember("until", InstantText(*hold.until_epoch_ms));
  answer.EndObject();
}

Result<ResourceStatus> ParseStatus(std::string_view text) {
  if (text == "CREATING") return ResourceStatus::kCreating;
  if (text == "UPDATING") return ResourceStatus::kUpdating;
  if (text == "ACTIVE") return ResourceStatus::kActive;
  return ValidationError("\"status\" is \"CREATING\", \"UPDATING\" or \"ACTIVE\".");
}

}  // namespace

ControlResult ListHolds(ControlCall& call, JsonWriter& answer) {
  return AnswerList("holds", call.parts.holds.List(), answer,
                    [&](const Hold& hold) { WriteHold(hold, answer); });
}

ControlResult AddHold(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"table", MemberType::kText, true},
                                 kAccountMember,
                                 kRegionMember,
                                 {"key", MemberType::kObject, true},
                                 {"timeout", MemberType::kDuration}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const auto key, ReadKeyJson(*body.Find("key"), call.arena));
  HR_ASSIGN(const TableRef table,
            FindTableOfCall(body, call.parts.shared_tables, call.parts.engine.catalog()));
  HR_RETURN_IF_ERROR(CheckWholeKey(*table, key));
  const Position place = PositionOf(table->key, key, call.arena);
  HR_ASSIGN(const std::uint64_t id, call.parts.holds.Add(*table, place, JsonText(*body.Find("key")),
                                                         body.DurationMs("timeout")));
  answer.BeginObject();
  answer.IntegerMember("id", static_cast<std::int64_t>(id));
  answer.EndObject();
  return {};
}

ControlResult ReleaseHold(ControlCall& call, JsonWriter& answer) {
  const auto id = ParseCallId(call.name);
  if (id && call.parts.holds.Release(*id)) return AnswerCount("holds", 1, answer);
  return ControlError(404, "There is no hold " + Quoted(call.name) + ".");
}

ControlResult ReleaseHolds(ControlCall& call, JsonWriter& answer) {
  return AnswerCount("holds", call.parts.holds.Clear(), answer);
}

ControlResult ChangeStatus(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"table", MemberType::kText, true},
                                 kAccountMember,
                                 kRegionMember,
                                 {"index", MemberType::kText},
                                 {"status", MemberType::kText, true}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const AccountName account, ReadAccount(body, call.parts.shared_tables));
  HR_ASSIGN(const ResourceStatus status, ParseStatus(*body.Text("status")));
  const auto index = body.Text("index");
  HR_RETURN_IF_ERROR(HoldStatus(call.parts.engine.catalog(), account, *body.Text("table"),
                                {.index = index.value_or(""), .status = status}));
  answer.BeginObject();
  answer.StringMember("table", *body.Text("table"));
  if (index) answer.StringMember("index", *index);
  answer.StringMember("status", *body.Text("status"));
  answer.EndObject();
  return {};
}

}  // namespace hashrange
