// Gate: the interface with which a simulation refuses a call or one of its accesses, delays, drops
// or replaces an answer, and observes calls. Another interface, ReadLag in
// operation/read/read_lag.h, changes the items that reads see.
//
//   Begin ── the operation ── (Enter ── verb ── Leave | Charge)* ── End
//
// A verb is one call of the engine: Commit, Read or Range.
// The dispatcher calls Begin once the request's body is bound, and End when the call's outcome is
// known; for a call that fails before Begin it calls Fail alone.
// An operation calls Enter for each access to items, after every check against the schema and
// before the verb. Each access that Enter admits has exactly one Leave: when the verb is
// done, or at the latest when the call ends (OpenAccesses). An operation that repeats a verb,
// because its table has changed, enters again. Charge alone reports units that the call consumed by
// an access that entered no gate. The units of all Leaves and Charges of a call are those that its
// answer can report as ConsumedCapacity; the units of failed accesses are apart (Usage::is_failed).
// Without a gate nothing is simulated and none of these functions is called.
//
// Some errors of Enter leave a member of a batch unprocessed (batch_gate.h), or are a reason why a
// transaction is cancelled (transaction_rules.h). Any other error of Enter fails the whole call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "base/error.h"
#include "engine/catalog.h"
#include "operation/call/access.h"

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
  std::string_view pattern = {};       // X-Hashrange-Pattern; empty when absent
  std::string_view user_agent = {};    // User-Agent; empty when absent
  std::uint64_t connection = 0;        // unique in the process; 0: the call did not come by HTTP
  // A gate sets the following members to change what happens to the answer.
  std::int64_t send_after_ms = 0;             // the answer is delayed for this long
  bool drop = false;                          // the connection is closed and no answer is sent
  std::optional<Error> replacing_error = {};  // answered in place of the call's own outcome
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
  // Reports what the call consumed by an access that entered no gate, as no gate could refuse it:
  // an action of a transaction whose client request token was used before, and a SELECT with a
  // WHERE that contradicts itself, which is charged as a read that finds nothing.
  virtual void Charge(Call&, const Access&, const Usage&) {}
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

// The open accesses of one call. An access is open from Gate::Enter, if the gate admits the access,
// to Gate::Leave. When the call ends, by an answer, an error or an exception, the destructor calls
// Gate::Leave with a usage of zero for each access that is still open, so that the gate gives back
// the capacity units that it took in Enter. Only the call's thread uses it.
class OpenAccesses {
 public:
  // `gate` and `call` outlive this object. `gate` may be null: then Enter and Leave must not be
  // called.
  OpenAccesses(Gate* gate, Call& call) : gate_(gate), call_(call) {}
  OpenAccesses(const OpenAccesses&) = delete;
  OpenAccesses& operator=(const OpenAccesses&) = delete;
  ~OpenAccesses();

  // Calls Gate::Enter and returns the gate's refusal, if any. What the access points to must live
  // until Gate::Leave: OpenAccesses keeps a reference to the table, and the request's arena owns
  // the rest.
  std::optional<Error> Enter(const Access& access);
  // Calls Gate::Leave for the open access with the same kind, table, index, key and member; does
  // nothing when no such access is open. The gate gets the access as it entered.
  void Leave(const Access& access, const Usage& usage);
  // Calls Gate::Charge.
  void Charge(const Access& access, const Usage& usage) { gate_->Charge(call_, access, usage); }

 private:
  struct OpenAccess {
    Access access;
    TableRef table;  // keeps the version that `access` points to; null: the access has left
  };

  Gate* const gate_;
  Call& call_;
  // In the order of Enter. Most accesses leave in this order, too, and those before first_ have
  // left.
  absl::InlinedVector<OpenAccess, 1> open_;
  std::size_t first_ = 0;
};

}  // namespace hashrange
