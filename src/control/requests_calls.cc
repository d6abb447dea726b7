// requests: the calls about the list of the latest API calls and what each of them used.
#include <string>

#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "simulation/recorder.h"

namespace hashrange {
namespace {

Result<RequestFilter> ReadFilter(const ControlCall& call) {
  HR_ASSIGN(const CallQuery query, ReadCallQuery(call.request.query, kRequestsQuery, call.arena));
  HR_ASSIGN(const std::string_view account, ReadAccountId(query, call.parts.shared_tables));
  RequestFilter filter{.account_id = account,
                       .region = query.Find("region"),
                       .table = query.Find("table"),
                       .operation = query.Find("operation")};
  const std::string_view since = query.Find("since");
  if (since.empty()) return filter;
  const auto id = ParseCallId(since);
  if (!id) return ValidationError("\"since\" is not the id of a request: " + Quoted(since) + ".");
  filter.since = *id;
  return filter;
}

// The names are in the order of Access::Kind.
constexpr std::string_view kAccessKinds[] = {"read",  "write", "condition_check",
                                             "query", "scan",  "search"};

// Writes the sum of all units, the units of the table itself and, if there are any, of its indexes.
void WriteUnits(const RequestAccess& access, JsonWriter& answer) {
  double of_table = access.units;
  for (const auto& index : access.index_units) of_table -= index.units;
  answer.DoubleMember("units", access.units);
  answer.DoubleMember("table_units", of_table);
  if (access.index_units.empty()) return;
  answer.BeginObject("index_units");
  for (const auto& index : access.index_units) {
    answer.DoubleMember(index.index, index.units);
  }
  answer.EndObject();
}

void WriteAccess(const RequestAccess& access, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("table", access.table);
  if (!access.index.empty()) answer.StringMember("index", access.index);
  answer.StringMember("kind", kAccessKinds[static_cast<std::size_t>(access.kind)]);
  if (!access.sort_key.empty()) answer.StringMember("sort_key", access.sort_key);
  answer.IntegerMember("count", access.count);
  WriteUnits(access, answer);
  if (access.vector_bytes > 0) answer.DoubleMember("vector_bytes", access.vector_bytes);
  answer.IntegerMember("examined", access.examined);
  answer.IntegerMember("returned", access.returned);
  answer.IntegerMember("written", access.written);
  answer.EndObject();
}

void WriteRequest(const RequestRecord& record, JsonWriter& answer) {
  answer.BeginObject();
  answer.IntegerMember("id", static_cast<std::int64_t>(record.id));
  answer.StringMember("time", InstantText(record.epoch_ms));
  if (!record.operation.empty()) answer.StringMember("operation", record.operation);
  if (!record.account_id.empty()) {
    answer.StringMember("account", record.account_id);
    answer.StringMember("region", record.region);
  }
  answer.IntegerMember("status", record.http_status);
  if (!record.error.empty()) answer.StringMember("error", record.error);
  if (!record.message.empty()) answer.StringMember("message", record.message);
  answer.IntegerMember("duration_us", record.duration_us);
  if (record.delay_ms > 0) answer.IntegerMember("delay_ms", record.delay_ms);
  if (record.dropped) answer.BoolMember("dropped", true);
  answer.IntegerMember("request_bytes", static_cast<std::int64_t>(record.request_bytes));
  answer.IntegerMember("answer_bytes", static_cast<std::int64_t>(record.answer_bytes));
  WriteList("accesses", record.accesses, answer,
            [&](const RequestAccess& access) { WriteAccess(access, answer); });
  answer.EndObject();
}

void WriteState(const Recorder& recorder, const RequestList::State& state, JsonWriter& answer) {
  answer.BoolMember("enabled", recorder.is_listing());
  answer.IntegerMember("limit", static_cast<std::int64_t>(state.limit));
  answer.IntegerMember("last_id", static_cast<std::int64_t>(state.last_id));
  answer.IntegerMember("forgotten", static_cast<std::int64_t>(state.forgotten));
}

}  // namespace

ControlResult ListRequests(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const RequestFilter filter, ReadFilter(call));
  Recorder& recorder = call.parts.recorder;
  const RequestList::Page page = recorder.list().Find(filter);
  answer.BeginObject();
  WriteState(recorder, page.state, answer);
  if (filter.since) answer.IntegerMember("missed", static_cast<std::int64_t>(page.missed));
  WriteList("requests", page.records, answer,
            [&](const auto& record) { WriteRequest(*record, answer); });
  answer.EndObject();
  return {};
}

ControlResult SwitchRequests(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kRequestsBody));
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
  return AnswerCount("requests", call.parts.recorder.list().Remove(filter), answer);
}

}  // namespace hashrange
