// explain: what a request would read, write and take, without making it. The request is run on
// tables of its own, which start from the present ones as a fork does (table_exchange.h) and are
// dropped afterwards. So nothing changes, and no gate of the server counts the request or refuses
// it.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/output_buffer.h"
#include "control/access_list.h"
#include "control/control_call.h"
#include "control/control_json.h"
#include "control/routes.h"
#include "control/scope.h"
#include "control/table_copy.h"
#include "engine/engine.h"
#include "engine/prepared_tables.h"
#include "engine/stream/stream_set.h"
#include "engine/table_life_cycle.h"
#include "operation/call/operations.h"
#include "operation/dispatch.h"

namespace hashrange {
namespace {

// The operations that read or write items are those whose answers report units.
bool HasUnits(const OperationRow& row) {
  return std::ranges::find(row.shape->input->members, "ReturnConsumedCapacity",
                           &ShapeMember::name) != row.shape->input->members.end();
}

// A database without simulations, streams and expiry, for one request.
class PrivateTables {
 public:
  PrivateTables(const ControlParts& parts, AccountName account)
      : streams_(parts.clock, {}),
        engine_(parts.clock),
        memory_(parts.memory),
        shared_tables_(parts.shared_tables) {
    Scope scope{.account_id = account.account_id};
    if (!account.region.empty()) scope.region = account.region;
    PreparedTables tables(engine_.catalog());
    for (const TablePin& pin : parts.engine.catalog().Pin(scope)) {
      auto version = CopyDefinition(*pin.version, pin.version->account_id);
      EditWithNextPhase(version.get(), [](TableVersion* each) { each->settings.stream.reset(); });
      tables.Add(std::move(version), &pin);
    }
    engine_.catalog().Exchange({}, tables.all(), nullptr);
    tables.Keep();
  }

  ApiAnswer Run(const ApiCall& call, Gate& gate, OutputBuffer& out) {
    const GateSlot slot{&gate};
    Dispatcher dispatcher(engine_, streams_,
                          {.shared_tables = shared_tables_, .gate = &slot, .memory = memory_});
    return dispatcher.Call(call, out);
  }

 private:
  StreamSet streams_;  // outlives the engine
  Engine engine_;
  MemoryBound* const memory_;
  const bool shared_tables_;
};

std::string TextOf(const JsonValue& json) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(json, writer);
  return std::string(out.view());
}

void WriteExplanation(std::string_view operation, int http_status, std::string_view body,
                      AccessList& accesses, JsonWriter& answer) {
  constexpr int kOk = 200;
  answer.BeginObject();
  answer.StringMember("operation", operation);
  answer.IntegerMember("status", http_status);
  answer.Name("read_units");
  answer.Double(accesses.read_units());
  answer.Name("write_units");
  answer.Double(accesses.write_units());
  answer.Name("accesses");
  answer.Raw(accesses.EndList());
  answer.IntegerMember("answer_bytes", static_cast<std::int64_t>(body.size()));
  if (http_status != kOk) {
    answer.Name("error");
    answer.Raw(body);
  }
  answer.EndObject();
}

}  // namespace

ControlResult ExplainRequest(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"operation", MemberType::kText, true},
                                 {"input", MemberType::kObject, true},
                                 kAccountMember,
                                 kRegionMember};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  const OperationRow* const row = FindOperation(*body.Text("operation"));
  if (!row || !HasUnits(*row)) {
    return ControlError(400, Quoted(*body.Text("operation")) +
                                 " is no operation that reads or writes items, such as "
                                 "\"Query\" or \"PutItem\".");
  }
  HR_RETURN_IF_ERROR(CheckAccountId(body));
  HR_ASSIGN(const AccountName account, ReadAccount(body, call.parts.shared_tables));
  const Caller caller{body.Text("account").value_or(kDefaultAccount),
                      body.Text("region").value_or(kDefaultRegion)};
  const std::string input = TextOf(*body.Find("input"));
  AccessList accesses;
  OutputBuffer out;
  PrivateTables tables(call.parts, account);
  const ApiAnswer answered = tables.Run({row->name, input, caller}, accesses, out);
  WriteExplanation(row->name, answered.http_status, out.view(), accesses, answer);
  return {};
}

}  // namespace hashrange
