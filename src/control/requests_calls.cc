// requests: the calls about the list of the latest API calls and what each of them used.
#include <string>

#include "base/time_text.h"
#include "control/call_query.h"
#include "control/control_call.h"
#include "control/control_json.h"
#include "control/routes.h"
#include "control/scope.h"
#include "simulation/recorder.h"

namespace hashrange {
namespace {

constexpr std::string_view kFilters[] = {"account", "region", "table", "operation", "since"};

Result<RequestFilter> ReadFilter(const ControlCall& call) {
  HR_ASSIGN(const CallQuery query, ReadCallQuery(call.request.query, kFilters, call.arena));
  RequestFilter filter{.account_id = query.Find("account"),
                       .region = query.Find("region"),
                       .table = query.Find("table"),
                       .operation = query.Find("operation")};
  if (!filter.account_id.empty() && !IsAccountId(filter.account_id)) {
    return ValidationError(Quoted(filter.account_id) +
                           " is not an account id, which has 12 digits.");
  }
  // Where all accounts share one set of tables, the filter by account is ignored.
  if (call.parts.shared_tables) filter.account_id = {};
  const std::string_view since = query.Find("since");
  if (since.empty()) return filter;
  const auto id = ParseCallId(since);
  if (!id) return ValidationError("\"since\" is not the id of a request: " + Quoted(since) + ".");
  filter.since = *id;
  return filter;
}

void WriteMember(JsonWriter& answer, std::string_view name, std::string_view text) {
  answer.Name(name);
  answer.String(text);
}
void WriteMember(JsonWriter& answer, std::string_view name, std::int64_t number) {
  answer.Name(name);
  answer.Integer(number);
}

std::string_view KindText(Access::Kind kind) {
  switch (kind) {
    case Access::Kind::kRead:
      return "read";
    case Access::Kind::kWrite:
      return "write";
    case Access::Kind::kConditionCheck:
      return "condition_check";
    case Access::Kind::kQuery:
      return "query";
    case Access::Kind::kScan:
      break;
  }
  return "scan";
}

// Writes the sum of all units, those of the table itself and, if there are any, of its indexes.
void WriteUnits(const RequestAccess& access, JsonWriter& answer) {
  double of_table = access.units;
  for (const auto& index : access.index_units) of_table -= index.units;
  answer.Name("units");
  answer.Double(access.units);
  answer.Name("table_units");
  answer.Double(of_table);
  if (access.index_units.empty()) return;
  answer.Name("index_units");
  answer.BeginObject();
  for (const auto& index : access.index_units) {
    answer.Name(index.index);
    answer.Double(index.units);
  }
  answer.EndObject();
}

void WriteAccess(const RequestAccess& access, JsonWriter& answer) {
  answer.BeginObject();
  WriteMember(answer, "table", access.table);
  if (!access.index.empty()) WriteMember(answer, "index", access.index);
  WriteMember(answer, "kind", KindText(access.kind));
  if (!access.sort_key.empty()) WriteMember(answer, "sort_key", access.sort_key);
  WriteMember(answer, "count", access.count);
  WriteUnits(access, answer);
  WriteMember(answer, "examined", access.examined);
  WriteMember(answer, "returned", access.returned);
  WriteMember(answer, "written", access.written);
  answer.EndObject();
}

void WriteRequest(const RequestRecord& record, JsonWriter& answer) {
  answer.BeginObject();
  WriteMember(answer, "id", static_cast<std::int64_t>(record.id));
  WriteMember(answer, "time", InstantText(record.epoch_ms));
  if (!record.operation.empty()) {
    WriteMember(answer, "operation", record.operation);
  }
  if (!record.account_id.empty()) {
    WriteMember(answer, "account", record.account_id);
    WriteMember(answer, "region", record.region);
  }
  WriteMember(answer, "status", record.http_status);
  if (!record.error.empty()) WriteMember(answer, "error", record.error);
  if (!record.message.empty()) WriteMember(answer, "message", record.message);
  WriteMember(answer, "duration_us", record.duration_us);
  if (record.delay_ms > 0) WriteMember(answer, "delay_ms", record.delay_ms);
  if (record.dropped) {
    answer.Name("dropped");
    answer.Bool(true);
  }
  WriteMember(answer, "request_bytes", static_cast<std::int64_t>(record.request_bytes));
  WriteMember(answer, "answer_bytes", static_cast<std::int64_t>(record.answer_bytes));
  answer.Name("accesses");
  answer.BeginArray();
  for (const RequestAccess& access : record.accesses) WriteAccess(access, answer);
  answer.EndArray();
  answer.EndObject();
}

void WriteState(const Recorder& recorder, const RequestList::State& state, JsonWriter& answer) {
  answer.Name("enabled");
  answer.Bool(recorder.is_listing());
  WriteMember(answer, "limit", static_cast<std::int64_t>(state.limit));
  WriteMember(answer, "last_id", static_cast<std::int64_t>(state.last_id));
  WriteMember(answer, "forgotten", static_cast<std::int64_t>(state.forgotten));
}

}  // namespace

ControlResult ListRequests(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const RequestFilter filter, ReadFilter(call));
  Recorder& recorder = call.parts.recorder;
  const RequestList::Page page = recorder.list().Find(filter);
  answer.BeginObject();
  WriteState(recorder, page.state, answer);
  if (filter.since) WriteMember(answer, "missed", static_cast<std::int64_t>(page.missed));
  answer.Name("requests");
  answer.BeginArray();
  for (const auto& record : page.records) WriteRequest(*record, answer);
  answer.EndArray();
  answer.EndObject();
  return {};
}

ControlResult SwitchRequests(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"enabled", MemberType::kBoolean}, {"limit", MemberType::kWhole}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  Recorder& recorder = call.parts.recorder;
  const std::int64_t limit =
      body.Whole("limit").value_or(static_cast<std::int64_t>(recorder.list().state().limit));
  if (limit < 1 || limit > static_cast<std::int64_t>(RequestList::kMaxLimit)) {
    return ControlError(400,
                        "\"limit\" is from 1 to " + std::to_string(RequestList::kMaxLimit) + ".");
  }
  if (body.Boolean("enabled").value_or(true)) {
    recorder.StartList(static_cast<std::size_t>(limit));
  } else {
    recorder.StopList();
    recorder.list().SetLimit(static_cast<std::size_t>(limit));
  }
  answer.BeginObject();
  WriteState(recorder, recorder.list().state(), answer);
  answer.EndObject();
  return {};
}

ControlResult ForgetRequests(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const RequestFilter filter, ReadFilter(call));
  const std::size_t count = call.parts.recorder.list().Remove(filter);
  answer.BeginObject();
  WriteMember(answer, "requests", static_cast<std::int64_t>(count));
  answer.EndObject();
  return {};
}

}  // namespace hashrange
