// Gate: the one place where something may stand between a request and the engine, or watch it.
//
//   Begin ── the operation ── (Enter ── verb ── Leave)* ── End
//
// A call that is let in by Begin, once its body is bound, is ended by End with what became of it;
// one that never comes so far is told to Fail.
// An operation calls Enter once for each item access, after every check against the schema and
// before the verb; each access that is let in is let out by one Leave, when the verb is done or at
// the latest when the call ends (open_accesses.h).
// Without a gate nothing is simulated and nothing is called.
//
// A refused member of a batch comes back unprocessed (batch_gate.h), a refused action of a
// transaction cancels it (transaction_gate.h).
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
  std::uint64_t number = 0;            // another one for each call that a thread serves, from 1
  std::string_view operation;          // "GetItem"
  AccountName account;                 // whose tables it sees
  std::string_view region;             // of the request
  const JsonValue* request = nullptr;  // its body, bound
  std::size_t request_bytes = 0;       // of the body
  // What a gate makes of the answer, whatever it says.
  std::int64_t send_after_ms = 0;             // it is held back for so long
  bool drop = false;                          // the connection is closed instead
  std::optional<Error> replacing_error = {};  // it is this error, whatever became of the call
};

struct Access {
  enum class Kind { kRead, kWrite, kConditionCheck, kQuery, kScan };

  Kind kind = Kind::kRead;
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;  // null: the table itself
  Position key;                         // of a Query or Scan: where it begins
  bool in_transaction = false;
  // Of a write, what the request says of the item: of a put all of it, of an update its key, of
  // a delete nothing.
  std::span<const Attribute> attributes = {};
  // Of a Query, what it asks of the key.
  std::span<const KeyClause> clauses = {};
};

// What an access took. Views of the request's arena.
struct Usage {
  double units = 0;                          // of capacity, of the table and of indexes
  std::span<const double> index_units = {};  // of them those of each of the table's indexes
  std::int64_t items_examined = 0;           // stored ones that were looked at
  std::int64_t items_returned = 0;           // in the answer, or counted in it
  std::int64_t items_written = 0;            // put, changed or deleted
};

// What became of a call.
struct CallOutcome {
  const Error* error = nullptr;  // null: it succeeded
  std::size_t answer_bytes = 0;  // of the body
};

// Thread-safe.
class Gate {
 public:
  virtual ~Gate() = default;
  // An error refuses the whole call, which is then ended.
  virtual std::optional<Error> Begin(Call&) { return std::nullopt; }
  // An error refuses this one access.
  virtual std::optional<Error> Enter(Call& call, const Access& access) = 0;
  // Usage is zero when the access failed and the service does not charge failures.
  virtual void Leave(Call& call, const Access& access, const Usage& usage) = 0;
  virtual void End(Call&, const CallOutcome&) {}
  // A call that did not come as far as Begin, with an error. What is not known of it is empty:
  // its operation, its account, its request. Its operation may be one that is not here
  // (unknown_operation.h).
  virtual void Fail(Call&, const CallOutcome&) {}
};

// The gate of a server, which may change while it serves: a call that has begun keeps the one it
// began with. Null: nothing is simulated.
using GateSlot = std::atomic<Gate*>;

}  // namespace hashrange
