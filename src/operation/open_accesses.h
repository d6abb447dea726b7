// OpenAccesses: the accesses of one call that its gate has let in and not out again. When the call
// ends, however it does, those that are left are let out as having taken nothing: an error, or what
// the allocator throws, keeps no units. One call, one thread.
#pragma once

#include <optional>
#include <vector>

#include "operation/gate.h"

namespace hashrange {

class OpenAccesses {
 public:
  // Both outlive it. `gate` may be null: then nothing is called.
  OpenAccesses(Gate* gate, Call& call) : gate_(gate), call_(call) {}
  OpenAccesses(const OpenAccesses&) = delete;
  OpenAccesses& operator=(const OpenAccesses&) = delete;
  ~OpenAccesses();

  // Gate::Enter. What the access views, but its table, is in the request's arena.
  std::optional<Error> Enter(const Access& access);
  // Gate::Leave of an access that was let in: the first of the same kind to the same key.
  void Leave(const Access& access, const Usage& usage);

 private:
  struct OpenAccess {
    Access access;
    TableRef table;  // which the access points to
  };

  Gate* const gate_;
  Call& call_;
  std::vector<OpenAccess> open_;
};

}  // namespace hashrange
