// OpenAccesses: the accesses of one call that its gate has admitted (Gate::Enter) and that have not
// left yet (Gate::Leave). When the call ends, by an answer, an error or an exception, the
// destructor makes the accesses that are still open leave with a usage of zero, so that they keep
// no capacity units. Each call has its own OpenAccesses; only the call's thread uses it.
#pragma once

#include <optional>
#include <vector>

#include "operation/gate.h"

namespace hashrange {

class OpenAccesses {
 public:
  // `gate` and `call` outlive this object. `gate` may be null: then Enter and Leave must not be
  // called.
  OpenAccesses(Gate* gate, Call& call) : gate_(gate), call_(call) {}
  OpenAccesses(const OpenAccesses&) = delete;
  OpenAccesses& operator=(const OpenAccesses&) = delete;
  ~OpenAccesses();

  // Calls Gate::Enter and returns the gate's refusal, if any. What the access points to must stay
  // until the access leaves: its table is kept here, the rest belongs to the request's arena.
  std::optional<Error> Enter(const Access& access);
  // Calls Gate::Leave for the first open access of the same kind to the same key; does nothing when
  // there is none.
  void Leave(const Access& access, const Usage& usage);

 private:
  struct OpenAccess {
    Access access;
    TableRef table;  // keeps the version that `access` points to
  };

  Gate* const gate_;
  Call& call_;
  std::vector<OpenAccess> open_;
};

}  // namespace hashrange
