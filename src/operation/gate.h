// Gate: the interface with which a simulation refuses a call or one of its accesses, delays, drops
// or replaces an answer, and observes calls. Another interface, ReadLag in
// operation/read/read_lag.h, changes the items that reads see.
//
//   Begin ── the operation ── (Enter ── verb ── Leave)* ── End
//
// A verb is one call of the engine: Commit, Read or Range.
// The dispatcher calls Begin once the request's body is bound, and End when the call's outcome is
// known; for a call that fails before Begin it calls Fail alone.
// An operation calls Enter for each access to items, after every check against the schema and
// before the verb. Each access that Enter admits has exactly one Leave: when the verb is
// done, or at the latest when the call ends (open_accesses.h). An operation that repeats a verb,
// because its table has changed, enters again.
// Without a gate nothing is simulated and none of these functions is called.
//
// Some errors of Enter leave a member of a batch unprocessed (batch_gate.h), or are a reason why a
// transaction is cancelled (transaction_gate.h). Any other error of Enter fails the whole call.
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
  // A gate sets the following members to change what happens to the answer.
  std::int64_t send_after_ms = 0;             // the answer is delayed for this long
  bool drop = false;                          // the connection is closed and no answer is sent
  std::optional<Error> replacing_error = {};  // answered in place of the call's own outcome
};

// One access of a call: the call reads or writes one item by its key, or it reads the items of a
// Query or a Scan.
struct Access {
  enum class Kind { kRead, kWrite, kConditionCheck, kQuery, kScan };

  Kind kind = Kind::kRead;
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;  // null: the table itself
  Position key;                         // the item's position; for a Query or Scan, its start
  bool in_transaction = false;
  // For a write, the attributes in the request that end up in the item: all of them for a put, the
  // key for an update, none for a delete.
  std::span<const Attribute> attributes = {};
  // For a Query, its key condition.
  std::span<const KeyClause> clauses = {};
};

// Usage: the capacity that one access consumed, and the numbers of items that it read and wrote.
// `index_units` is a view of the request's arena.
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
  // Returns nullopt, or the error that refuses the whole call. End is called in either case.
  virtual std::optional<Error> Begin(Call&) { return std::nullopt; }
  // Returns nullopt, or the error that refuses this one access, which then has no Leave.
  virtual std::optional<Error> Enter(Call& call, const Access& access) = 0;
  // `usage` is zero when the access failed and the service does not charge for the failure.
  virtual void Leave(Call& call, const Access& access, const Usage& usage) = 0;
  virtual void End(Call&, const CallOutcome&) {}
  // Reports a call that failed before Begin. The operation, the account and the request in the Call
  // are empty where they are not known. The operation may be one that Hashrange does not implement
  // (unknown_operation.h).
  virtual void Fail(Call&, const CallOutcome&) {}
};

// The slot in which a dispatcher finds the gate of its server; a slot with null means that nothing
// is simulated. The gate in the slot may change while the server runs: a call keeps the gate that
// the slot held when the call began.
using GateSlot = std::atomic<Gate*>;

}  // namespace hashrange
