// explain: what a request would read, write and take, without making it. The request is run on
// tables of its own, which start from the present ones as a fork does (table_exchange.h) and are
// dropped afterwards. So nothing changes, and no gate of the server counts the request or refuses
// it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/memory/output_buffer.h"
#include "base/text/text_encodings.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "control/table_copy.h"
#include "engine/catalog.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/table_life_cycle.h"
#include "expression/expression_text.h"
#include "operation/call/gate.h"
#include "operation/call/operations.h"
#include "operation/dispatch.h"
#include "value/attribute_value.h"
#include "value/key.h"
#include "value/number.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// A longer value of a key condition is cut.
constexpr std::size_t kMaxValueBytes = 300;

bool IsWrite(const Access& access) {
  return access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kConditionCheck;
}

std::string_view KindName(const Access& access) {
  constexpr std::string_view kWrites[] = {"put", "update", "delete"};
  switch (access.kind) {
    case Access::Kind::kRead:
      return "get";
    case Access::Kind::kWrite:
      return kWrites[static_cast<std::size_t>(access.write_kind)];
    case Access::Kind::kConditionCheck:
      return "check";
    case Access::Kind::kQuery:
      return "query";
    case Access::Kind::kSearch:
      return "search";
    case Access::Kind::kScan:
      break;
  }
  return "scan";
}

// Returns the text cut between two characters.
std::string CutText(std::string_view text) {
  if (text.size() <= kMaxValueBytes) return std::string(text);
  std::size_t size = kMaxValueBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return std::string(text.substr(0, size)) + "…";
}

std::string HexDigits(std::string_view bytes) {
  const std::string text = "0x" + HexText(bytes.substr(0, kMaxValueBytes / 2));
  return bytes.size() > kMaxValueBytes / 2 ? text + "…" : text;
}

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Returns `"CUST#1"`, `41`, `0x00ff`.
std::string ValueText(ValueView value) {
  if (value.type == AttributeType::kN) return Number::FromStored(value.bytes()).ToText();
  if (value.type == AttributeType::kB) return HexDigits(value.bytes());
  return "\"" + Escaped(CutText(value.bytes())) + "\"";
}

// Returns `PK = "CUST#1" AND SK begins_with "ORDER#"`.
std::string KeyConditionText(std::span<const KeyClause> clauses) {
  std::string text;
  for (const KeyClause& clause : clauses) {
    if (!text.empty()) text += " AND ";
    text.append(clause.attribute).append(" ").append(KeyOperatorText(clause.op)).append(" ");
    text += ValueText(clause.value);
    if (clause.op == KeyOperator::kBetween) text += " AND " + ValueText(clause.upper);
  }
  return text;
}

// Returns the key of the item, or what is asked of the keys of a Query; empty for a Scan, and for a
// search, whose condition names the HASH element.
std::string KeyOf(const Access& access) {
  if (access.kind == Access::Kind::kScan || access.kind == Access::Kind::kSearch) return {};
  if (access.kind == Access::Kind::kQuery) return KeyConditionText(access.clauses);
  return KeyText(access.table->key, access.key.bytes, kMaxPositionBytes);
}

void WriteText(std::string_view name, const std::string& text, JsonWriter& writer) {
  if (!text.empty()) writer.StringMember(name, text);
}

void WriteTrue(std::string_view name, bool value, JsonWriter& writer) {
  if (value) writer.BoolMember(name, true);
}

void WriteBytes(std::string_view name, std::size_t bytes, JsonWriter& writer) {
  writer.IntegerMember(name, static_cast<std::int64_t>(bytes));
}

// Returns what the condition of the access is. The WHERE of a statement names the key, too.
std::string_view ConditionName(const Call& call, const Access& access) {
  const bool is_statement =
      call.operation.ends_with("Statement") || call.operation == "ExecuteTransaction";
  if (is_statement) return "where";
  return IsWrite(access) ? "condition" : "filter";
}

// Returns whether the access is of one segment of a Scan. The start of a page that continues is no
// beginning of a segment.
bool IsSegment(const Access& access) {
  if (access.kind != Access::Kind::kScan) return false;
  return access.last_hash != UINT64_MAX || (!access.start && access.key.hash > 0);
}

// Writes what the request asks besides the key.
void WriteTerms(const Call& call, const Access& access, JsonWriter& writer) {
  const AccessTerms& terms = *access.terms;
  std::string condition, projection, update;
  AppendConditionText(terms.condition, &condition);
  WriteText(ConditionName(call, access), condition, writer);
  AppendProjectionText(terms.projection, &projection);
  WriteText("projection", projection, writer);
  if (terms.update) AppendUpdateText(*terms.update, &update);
  WriteText("update", update, writer);
  if (terms.limit > 0) writer.IntegerMember("limit", terms.limit);
  WriteTrue("backward", !terms.forward, writer);
  WriteTrue("counts_only", terms.counts_only, writer);
  WriteTrue("consistent", access.consistent, writer);
  WriteTrue("in_transaction", access.in_transaction, writer);
  WriteTrue("continues", access.start.has_value(), writer);
  WriteTrue("is_segment", IsSegment(access), writer);
}

// Writes {"GSI1":1.0}: what the indexes took of the units, without those that took none.
void WriteIndexUnits(const Access& access, const Usage& usage, JsonWriter& writer) {
  const auto& indexes = access.table->indexes;
  writer.BeginObject("index_units");
  for (std::size_t at = 0; at < std::min(usage.index_units.size(), indexes.size()); ++at) {
    if (usage.index_units[at] == 0) continue;
    writer.DoubleMember(indexes[at].schema.name, usage.index_units[at]);
  }
  writer.EndObject();
}

// Writes {"vix":1024.0}: what the vector indexes were charged, if there are any.
void WriteVectorBytes(const Access& access, const Usage& usage, JsonWriter& writer) {
  if (usage.vector_bytes.empty()) return;
  writer.BeginObject("vector_bytes");
  for (std::size_t at = 0; at < usage.vector_bytes.size(); ++at) {
    if (usage.vector_bytes[at] == 0) continue;
    writer.DoubleMember(access.table->indexes[at].schema.name, usage.vector_bytes[at]);
  }
  writer.EndObject();
}

std::string_view ChangeOf(const IndexMove& move) {
  if (!move.before) return "inserted";
  if (!move.after) return "removed";
  if (*move.before != *move.after) return "moved";
  return move.units > 0 ? "changed" : "unchanged";
}

void WriteIndexMoves(const Access& access, const Usage& usage, JsonWriter& writer) {
  writer.BeginArray("indexes");
  for (const IndexMove& move : usage.index_moves) {
    writer.BeginObject();
    writer.StringMember("index", access.table->indexes[move.index].schema.name);
    writer.StringMember("entry", ChangeOf(move));
    writer.DoubleMember("units", move.units);
    WriteBytes("bytes_before", move.bytes_before, writer);
    WriteBytes("bytes_after", move.bytes_after, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteReadUsage(const Usage& usage, JsonWriter& writer) {
  writer.IntegerMember("items_examined", usage.items_examined);
  writer.IntegerMember("items_returned", usage.items_returned);
  WriteBytes("bytes_examined", usage.bytes_examined, writer);
  WriteBytes("bytes_returned", usage.bytes_returned, writer);
  WriteTrue("has_more", usage.resume.has_value(), writer);
}

void WriteWriteUsage(const Access& access, const Usage& usage, JsonWriter& writer) {
  WriteBytes("bytes_before", usage.before.exists() ? usage.before.size_bytes() : 0, writer);
  if (access.kind == Access::Kind::kConditionCheck || usage.is_failed) return;
  WriteBytes("bytes_after", usage.after.exists() ? usage.after.size_bytes() : 0, writer);
  WriteIndexMoves(access, usage, writer);
}

void WriteAccess(const Call& call, const Access& access, const Usage& usage, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("kind", KindName(access));
  writer.StringMember("table", access.table->name);
  if (access.index) writer.StringMember("index", access.index->schema.name);
  WriteText("key", KeyOf(access), writer);
  WriteTerms(call, access, writer);
  writer.DoubleMember("units", usage.units);
  WriteIndexUnits(access, usage, writer);
  WriteVectorBytes(access, usage, writer);
  WriteTrue("is_failed", usage.is_failed, writer);
  if (usage.failure) writer.StringMember("failure", ErrorInfoOf(usage.failure->code).name);
  if (IsWrite(access)) {
    WriteWriteUsage(access, usage, writer);
  } else {
    WriteReadUsage(usage, writer);
  }
  writer.EndObject();
}

// A gate that refuses nothing and writes down, as JSON, each access of one call: what it asks of
// which table or index, and what it consumed, read and wrote. Used by one thread.
class AccessList : public Gate {
 public:
  AccessList() { writer_.BeginArray(); }

  std::optional<Error> Enter(Call&, const Access&) override { return std::nullopt; }
  void Leave(Call& call, const Access& access, const Usage& usage) override {
    if (usage.is_retried) return;
    (IsWrite(access) ? write_units_ : read_units_) += usage.units;
    WriteAccess(call, access, usage, writer_);
  }
  // A SELECT that contradicts itself is charged as a read that finds nothing.
  void Charge(Call& call, const Access& access, const Usage& usage) override {
    Leave(call, access, usage);
  }

  // The units of all accesses, also of failed accesses, which no answer reports.
  double read_units() const { return read_units_; }
  double write_units() const { return write_units_; }
  // Ends the list and returns it: a JSON array. Called once, after the call.
  std::string_view EndList() {
    writer_.EndArray();
    return out_.view();
  }

 private:
  OutputBuffer out_;
  JsonWriter writer_{out_};
  double read_units_ = 0;
  double write_units_ = 0;
};

// An operation reads or writes items when its answers report units.
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

void WriteExplanation(std::string_view operation, int http_status, std::string_view body,
                      AccessList& accesses, JsonWriter& answer) {
  constexpr int kOk = 200;
  answer.BeginObject();
  answer.StringMember("operation", operation);
  answer.IntegerMember("status", http_status);
  answer.DoubleMember("read_units", accesses.read_units());
  answer.DoubleMember("write_units", accesses.write_units());
  answer.RawMember("accesses", accesses.EndList());
  answer.IntegerMember("answer_bytes", static_cast<std::int64_t>(body.size()));
  if (http_status != kOk) answer.RawMember("error", body);
  answer.EndObject();
}

}  // namespace

ControlResult ExplainRequest(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kExplainBody));
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
  const std::string input = JsonText(*body.Find("input"));
  AccessList accesses;
  OutputBuffer out;
  PrivateTables tables(call.parts, account);
  const ApiAnswer answered = tables.Run({row->name, input, caller}, accesses, out);
  WriteExplanation(row->name, answered.http_status, out.view(), accesses, answer);
  return {};
}

}  // namespace hashrange
