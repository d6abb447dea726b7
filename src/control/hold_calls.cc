// holds: the calls that hold items as if a transaction were writing them.
#include <string>

#include "base/time_text.h"
#include "control/control_call.h"
#include "control/control_json.h"
#include "control/key_json.h"
#include "control/routes.h"
#include "control/scope.h"
#include "engine/engine.h"
#include "operation/parameter/item_key.h"
#include "simulation/holds.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

Result<TableRef> FindHeldTable(const ControlCall& call, const ControlObject& body) {
  HR_ASSIGN(const AccountName account, ReadAccount(body, call.parts.shared_tables));
  const std::string_view name = *body.Text("table");
  TableRef table = call.parts.engine.catalog().Find(account, name);
  if (table) return table;
  return Error{ErrorCode::kResourceNotFoundException, "There is no table " + Quoted(name) + ".",
               nullptr};
}

void WriteHold(const Hold& hold, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("id");
  answer.Integer(static_cast<std::int64_t>(hold.id));
  answer.Name("table");
  answer.String(hold.table);
  answer.Name("account");
  answer.String(hold.account_id);
  if (!hold.region.empty()) {
    answer.Name("region");
    answer.String(hold.region);
  }
  answer.Name("key");
  answer.Raw(hold.key_json);
  if (hold.until_epoch_ms) {
    answer.Name("until");
    answer.String(InstantText(*hold.until_epoch_ms));
  }
  answer.EndObject();
}

}  // namespace

ControlResult ListHolds(ControlCall& call, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("holds");
  answer.BeginArray();
  for (const Hold& hold : call.parts.holds.List()) WriteHold(hold, answer);
  answer.EndArray();
  answer.EndObject();
  return {};
}

ControlResult AddHold(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"table", MemberType::kText, true},
                                 kAccountMember,
                                 kRegionMember,
                                 {"key", MemberType::kObject, true},
                                 {"timeout", MemberType::kDuration}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const auto key, ReadKeyJson(*body.Find("key"), call.arena));
  HR_ASSIGN(const TableRef table, FindHeldTable(call, body));
  HR_RETURN_IF_ERROR(CheckWholeKey(*table, key));
  const Position place = PositionOf(table->key, key, call.arena);
  HR_ASSIGN(const std::uint64_t id, call.parts.holds.Add(*table, place, JsonText(*body.Find("key")),
                                                         body.DurationMs("timeout")));
  answer.BeginObject();
  answer.Name("id");
  answer.Integer(static_cast<std::int64_t>(id));
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

}  // namespace hashrange
