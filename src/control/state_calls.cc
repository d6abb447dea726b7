// reset, fork and snapshots: the calls that replace tables by others; and accounts, which lists who
// has tables.
#include <algorithm>
#include <string>

#include "base/log.h"
#include "base/memory/memory_bound.h"
#include "base/text/short_text.h"
#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/content/collection_directory.h"
#include "control/routes.h"
#include "control/snapshots.h"
#include "control/table_exchange.h"
#include "simulation/consistency.h"
#include "simulation/fault_plan.h"
#include "simulation/held_status.h"
#include "simulation/holds.h"
#include "simulation/throughput.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxSnapshotNameBytes = 100;

TableKeepers KeepersOf(const ControlParts& parts) {
  return {parts.engine, parts.streams, parts.time_to_live, parts.backfiller};
}

// The name of a snapshot is part of a path.
Status CheckSnapshotName(std::string_view name) {
  // A client would remove "." and ".." from the path.
  const bool is_name = name.size() <= kMaxSnapshotNameBytes && name != "." && name != ".." &&
                       std::ranges::all_of(name, [](char c) {
                         return IsLetter(c) || IsDigit(c) || c == '-' || c == '_' || c == '.';
                       });
  if (is_name) return {};
  return ValidationError(
      Quoted(name) +
      " is not a name of a snapshot, which has up to 100 of the characters a-z, A-Z, 0-9, "
      "'-', '_' and '.'.");
}

ControlError NoSuchSnapshot(std::string_view name) {
  return {404, "There is no snapshot " + Quoted(name) + "."};
}

void EndSimulation(const ControlParts& parts) {
  parts.faults.Clear();
  parts.holds.Clear();
  parts.consistency.Clear({});
  parts.throughput.Clear();
  parts.throughput.EndPartitions();
  ReleaseHeldStatuses(parts.engine.catalog());
}

Result<std::size_t> ResetScope(const ControlCall& call, const Scope& scope) {
  const TableKeepers keepers = KeepersOf(call.parts);
  if (!scope.table) return Reset(keepers, scope);
  HR_ASSIGN(const std::size_t count, Truncate(keepers, scope));
  if (count > 0) return count;
  return Error{ErrorCode::kResourceNotFoundException,
               "There is no table " + Quoted(*scope.table) + " to reset.", nullptr};
}

// Says once that an account is not kept from now on.
void LogFork(std::string_view account_id) {
  Log(LogLevel::kWarning,
      "account " + std::string(account_id) +
          " is a fork: its tables, also those that are created in it later, are in memory only and "
          "are gone after a restart. A reset of the account, or a fork with \"durable\":true, "
          "changes that");
}

void WriteSnapshot(const Snapshot& snapshot, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("name", snapshot.name);
  if (snapshot.account_id) answer.StringMember("account", *snapshot.account_id);
  answer.StringMember("created", InstantText(snapshot.creation_epoch_ms));
  answer.IntegerMember("tables", static_cast<std::int64_t>(snapshot.tables.size()));
  answer.IntegerMember("items", snapshot.item_count());
  answer.IntegerMember("size_bytes", snapshot.size_bytes());
  answer.EndObject();
}

}  // namespace

ControlResult ResetTables(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kResetBody));
  HR_ASSIGN(const Scope scope, ReadScope(body, call.parts.shared_tables));
  HR_ASSIGN(const std::size_t count, ResetScope(call, scope));
  call.parts.directories.Clear();
  if (body.Boolean("simulation").value_or(false)) EndSimulation(call.parts);
  return AnswerCount("tables", count, answer);
}

ControlResult ForkAccount(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"from", MemberType::kText, true},
                                 {"to", MemberType::kText, true},
                                 {"durable", MemberType::kBoolean}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_RETURN_IF_ERROR(CheckAccountId(body, "from"));
  HR_RETURN_IF_ERROR(CheckAccountId(body, "to"));
  const std::string_view from = *body.Text("from");
  const std::string_view to = *body.Text("to");
  if (from == to) {
    return ControlError{400, "\"from\" and \"to\" are the same account."};
  }
  if (call.parts.shared_tables) {
    return ControlError{
        400,
        "A server with --shared has one set of tables for all accounts, so there is "
        "nothing to fork."};
  }
  if (call.parts.memory) HR_RETURN_IF_ERROR(call.parts.memory->AdmitGrowth());
  const bool is_durable = body.Boolean("durable").value_or(false);
  if (is_durable && !call.parts.kept) {
    return ControlError{400, "\"durable\" needs a server that was started with --data."};
  }
  Catalog& catalog = call.parts.engine.catalog();
  const bool was_durable = catalog.IsDurable(to);
  const std::vector<TablePin> tables = catalog.Pin({.account_id = from});
  HR_ASSIGN(const std::size_t count, Replace(KeepersOf(call.parts), {.account_id = to}, tables, to,
                                             is_durable ? Keeping::kDurable : Keeping::kInMemory));
  if (was_durable && !is_durable) LogFork(to);
  return AnswerCount("tables", count, answer);
}

ControlResult ListAccounts(ControlCall& call, JsonWriter& answer) {
  const auto write = [&](const AccountSummary& account) {
    answer.BeginObject();
    answer.StringMember("account", account.account_id);
    answer.IntegerMember("tables", static_cast<std::int64_t>(account.tables));
    answer.BoolMember("durable", account.is_durable);
    answer.EndObject();
  };
  return AnswerList("accounts", call.parts.engine.catalog().Accounts(), answer, write);
}

ControlResult ListSnapshots(ControlCall& call, JsonWriter& answer) {
  return AnswerList("snapshots", call.parts.snapshots.All(), answer,
                    [&](const SnapshotRef& snapshot) { WriteSnapshot(*snapshot, answer); });
}

ControlResult TakeSnapshot(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"name", MemberType::kText, true}, kAccountMember};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_RETURN_IF_ERROR(CheckSnapshotName(*body.Text("name")));
  HR_ASSIGN(const Scope scope, ReadScope(body, call.parts.shared_tables));
  HR_ASSIGN(const SnapshotRef snapshot,
            call.parts.snapshots.Take(*body.Text("name"), scope.account_id,
                                      call.parts.clock.NowEpochMs()));
  WriteSnapshot(*snapshot, answer);
  return {};
}

ControlResult RestoreSnapshot(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN([[maybe_unused]] const ControlObject body, ReadObject(*call.body, {}));
  const SnapshotRef snapshot = call.parts.snapshots.Find(call.name);
  if (!snapshot) return NoSuchSnapshot(call.name);
  HR_ASSIGN(const std::size_t count,
            Replace(KeepersOf(call.parts), snapshot->scope(), snapshot->tables));
  return AnswerCount("tables", count, answer);
}

ControlResult DropSnapshot(ControlCall& call, JsonWriter& answer) {
  if (!call.parts.snapshots.Drop(call.name)) return NoSuchSnapshot(call.name);
  answer.BeginObject();
  answer.EndObject();
  return {};
}

}  // namespace hashrange
