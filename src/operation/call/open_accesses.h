// OpenAccesses: the open accesses of one call. An access is open from Gate::Enter, if the gate
// admits the access, to Gate::Leave. When the call ends, by an answer, an error or an exception,
// the destructor calls Gate::Leave with a usage of zero for each access that is still open, so that
// the gate gives back the capacity units that it took in Enter. Each call has its own OpenAccesses;
// only the call's thread uses it.
#pragma once

#include <cstddef>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "operation/call/gate.h"

namespace hashrange {

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
