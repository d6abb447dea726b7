// consistency: the calls that set how far behind eventually consistent reads are, for each table.
#include <string>
#include <string_view>

#include "base/duration.h"
#include "control/control_call.h"
#include "control/control_json.h"
#include "control/routes.h"
#include "control/scope.h"
#include "simulation/consistency.h"

namespace hashrange {
namespace {

// Reads a time that delays every change, or {"min","max"} for a random delay of each change. 0
// means that nothing is delayed.
Result<std::optional<DelayRange>> ReadDelays(const ControlObject& body, std::string_view name) {
  constexpr Member kMembers[] = {{"min", MemberType::kDuration},
                                 {"max", MemberType::kDuration, true}};
  const JsonValue* const json = body.Find(name);
  if (!json) return std::optional<DelayRange>();
  if (const auto ms = DurationMsOf(*json)) return std::optional(DelayRange{*ms, *ms});
  if (json->type != JsonValue::Type::kObject) {
    return ValidationError(Quoted(name) + " in the body is neither " + std::string(kDurationForms) +
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
  answer.Name("min");
  answer.Integer(delays.min_ms);
  answer.Name("max");
  answer.Integer(delays.max_ms);
  answer.EndObject();
}

void WriteTable(const LaggingTable& lagging, JsonWriter& answer) {
  const TableVersion& table = *lagging.table;
  answer.BeginObject();
  WriteTableIdentity(table, answer);
  WriteDelays("index_lag", lagging.index_lag, answer);
  WriteDelays("stale_reads", lagging.stale_reads, answer);
  answer.Name("seed");
  answer.Integer(static_cast<std::int64_t>(lagging.seed));
  answer.Name("waiting");
  answer.BeginObject();
  answer.Name("index_lag");
  answer.Integer(static_cast<std::int64_t>(lagging.waiting_for_indexes));
  answer.Name("stale_reads");
  answer.Integer(static_cast<std::int64_t>(lagging.waiting_for_items));
  answer.EndObject();
  answer.EndObject();
}

ControlResult WriteTables(const Consistency& consistency, const Scope& scope, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("tables");
  answer.BeginArray();
  for (const LaggingTable& table : consistency.Tables(scope)) WriteTable(table, answer);
  answer.EndArray();
  answer.EndObject();
  return {};
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
