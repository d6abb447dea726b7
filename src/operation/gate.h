// Gate: the only place where a simulation can refuse a request, change its answer or observe it.
//
//   Begin ── the operation ── (Enter ── verb ── Leave)* ── End
//
// The dispatcher calls Begin once the request's body is bound, and End when the call's outcome is
// known; for a call that fails before Begin it calls Fail alone.
// An operation calls Enter for each access to items, after every check against the schema and
// before the engine's verb. Each access that Enter admits has exactly one Leave: when the verb is
// done, or at the latest when the call ends (open_accesses.h). An operation that repeats a verb,
// because its table has changed, enters again.
// Without a gate nothing is simulated and none of these functions is called.
//
// A batch answers that a refused member is unprocessed (batch_gate.h); a refused action cancels its
// transaction (transaction_gate.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "engine/catalog.h"
#include "engine/table_version.h"
#include "expression/expression.h"
#include "value/attribute_value.h"
#include "value/key.h"

namespace hashrange {

struct JsonValue;  // wire/json.h

// One call of an operation, on the stack of the thread that serves it.
struct Call {
  std::uint64_t number = 0;            // counts the calls of one thread, from 1
  std::string_view operation;          // "GetItem"
  AccountName account;                 // owns the tables that the call sees
  std::string_view region;             // of the request
  const JsonValue* request = nullptr;  // the bound body
  std::size_t request_bytes = 0;       // size of the body
  // A gate sets these to change what happens to the answer.
  std::int64_t send_after_ms = 0;             // the answer is delayed for this long
  bool drop = false;                          // the connection is closed and no answer is sent
  std::optional<Error> replacing_error = {};  // answered in place of the call's own outcome
};

// One access of a call: to an item by its key, or to the items of a Query or a Scan.
struct Access {
  enum class Kind { kRead, kWrite, kConditionCheck, kQuery, kScan };

  Kind kind = Kind::kRead;
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;  // null: the table itself
  Position key;                         // of the item; of a Query or Scan, where it begins
  bool in_transaction = false;
  // For a write, the attributes in the request that end up in the item: all of them for a put, the
  // key for an update, none for a delete.
  std::span<const Attribute> attributes = {};
  // For a Query, its key condition.
  std::span<const KeyClause> clauses = {};
};

// Usage: the capacity that one access consumed, and the numbers of items that it read and wrote.
// The spans are views of the request's arena.
struct Usage {
  double units = 0;                          // capacity units of the table and its indexes
  std::span<const double> index_units = {};  // the part of each of the table's indexes
  std::int64_t items_examined = 0;           // stored items that were read
  std::int64_t items_returned = 0;           // items in the answer, or counted in it
  std::int64_t items_written = 0;            // items that were put, changed or deleted
};

// The outcome of a call.
struct CallOutcome {
  const Error* error = nullptr;  // null: it succeeded
  std::size_t answer_bytes = 0;  // size of the body
};

// Thread-safe: each thread that serves a call uses the gate.
class Gate {
 public:
  virtual ~Gate() = default;
  // An error refuses the whole call; End follows.
  virtual std::optional<Error> Begin(Call&) { return std::nullopt; }
  // An error refuses this one access, which then has no Leave.
  virtual std::optional<Error> Enter(Call& call, const Access& access) = 0;
  // `usage` is zero when the access failed and the service does not charge for the failure.
  virtual void Leave(Call& call, const Access& access, const Usage& usage) = 0;
  virtual void End(Call&, const CallOutcome&) {}
  // Reports a call that failed before Begin. Members of the Call that are not known are empty: the
  // operation, the account, the request. Hashrange may not implement the operation
  // (unknown_operation.h).
  virtual void Fail(Call&, const CallOutcome&) {}
};

// The gate of a server. It may change while the server runs: a call keeps the gate that it found
// when it arrived. Null: nothing is simulated.
using GateSlot = std::atomic<Gate*>;

}  // namespace hashrange
