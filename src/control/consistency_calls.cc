// consistency: the calls that set how far behind eventually consistent reads are, for each table.
#include <string>
#include <string_view>

#include "control/call_input.h"
#include "control/routes.h"
#include "simulation/consistency.h"

namespace hashrange {
namespace {

void WriteTable(const LaggingTable& lagging, JsonWriter& answer) {
  const TableVersion& table = *lagging.table;
  answer.BeginObject();
  WriteTableIdentity(table, answer);
  WriteDelays("index_lag", lagging.index_lag, answer);
  WriteDelays("stale_reads", lagging.stale_reads, answer);
  answer.IntegerMember("seed", static_cast<std::int64_t>(lagging.seed));
  answer.BeginObject("waiting");
  answer.IntegerMember("index_lag", static_cast<std::int64_t>(lagging.waiting_for_indexes));
  answer.IntegerMember("stale_reads", static_cast<std::int64_t>(lagging.waiting_for_items));
  answer.EndObject();
  answer.EndObject();
}

ControlResult WriteTables(const Consistency& consistency, const Scope& scope, JsonWriter& answer) {
  return AnswerList("tables", consistency.Tables(scope), answer,
                    [&](const LaggingTable& table) { WriteTable(table, answer); });
}

}  // namespace

ControlResult ListConsistency(ControlCall& call, JsonWriter& answer) {
  return WriteTables(call.parts.consistency, {}, answer);
}

ControlResult SetConsistency(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"table", MemberType::kText, true},
                                 kAccountMember,
                                 kRegionMember,
                                 {"index_lag", MemberType::kAny},
                                 {"stale_reads", MemberType::kAny},
                                 {"seed", MemberType::kWhole}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const AccountName account, ReadAccount(body, call.parts.shared_tables));
  LagSettings settings;
  HR_ASSIGN(settings.index_lag, ReadDelays(body, "index_lag"));
  HR_ASSIGN(settings.stale_reads, ReadDelays(body, "stale_reads"));
  if (const auto seed = body.Whole("seed")) settings.seed = static_cast<std::uint64_t>(*seed);
  if (!settings.index_lag && !settings.stale_reads && !settings.seed) {
    return ControlError(400, R"(The body has none of "index_lag", "stale_reads" and "seed".)");
  }
  const std::string_view table = *body.Text("table");
  if (!call.parts.consistency.Set(account, table, settings)) {
    return ControlError(404, "There is no table " + Quoted(table) + " in account " +
                                 std::string(account.account_id) + ", Region " +
                                 Quoted(account.region) + ".");
  }
  return WriteTables(call.parts.consistency, {account.account_id, account.region, table}, answer);
}

ControlResult ClearConsistency(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {kAccountMember, kRegionMember, kTableMember};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const Scope scope, ReadScope(body, call.parts.shared_tables));
  return AnswerCount("tables", call.parts.consistency.Clear(scope), answer);
}

}  // namespace hashrange
