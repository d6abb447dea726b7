// status: the call that keeps a table, or one of its global indexes, in a transitional status.
#include <string>
#include <utility>

#include "control/control_call.h"
#include "control/control_json.h"
#include "control/routes.h"
#include "control/scope.h"
#include "engine/engine.h"
#include "simulation/held_status.h"

namespace hashrange {
namespace {

Result<ResourceStatus> ParseStatus(std::string_view text) {
  if (text == "CREATING") return ResourceStatus::kCreating;
  if (text == "UPDATING") return ResourceStatus::kUpdating;
  if (text == "ACTIVE") return ResourceStatus::kActive;
  return ValidationError("\"status\" is \"CREATING\", \"UPDATING\" or \"ACTIVE\".");
}

}  // namespace

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
  answer.Name("table");
  answer.String(*body.Text("table"));
  if (index) {
    answer.Name("index");
    answer.String(*index);
  }
  answer.Name("status");
  answer.String(*body.Text("status"));
  answer.EndObject();
  return {};
}

}  // namespace hashrange
