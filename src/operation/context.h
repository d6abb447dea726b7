// Context: what an operation works with. One for each request.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "backfill/backfiller.h"
#include "base/arena.h"
#include "engine/engine.h"
#include "operation/gate.h"
#include "operation/open_accesses.h"
#include "wire/binder.h"
#include "wire/json_writer.h"
#include "wire/validation_layer.h"

namespace hashrange {

class StreamSet;   // stream/stream_set.h
class TimeToLive;  // ttl/time_to_live.h

struct Context {
  Engine& engine;
  StreamSet& streams;
  Gate* gate;                      // null: nothing is simulated
  OpenAccesses* accesses;          // of this call at the gate
  Backfiller* backfiller;          // null: an index is filled before UpdateTable answers
  TimeToLive* time_to_live;        // null: nothing expires
  Arena& arena;                    // the request's
  AccountName account;             // whose tables; with shared tables the one account there is
  std::string_view region;         // of the request's credential scope, for ARNs and texts
  std::string_view host;           // that the request was sent to; may be empty
  std::int64_t transition_ms = 0;  // how long a table is CREATING, UPDATING, DELETING
  ValidationLayer layer;
  // A Put-, Update- or DeleteItem nested so deep that the older layer handles it
  // (docs/service/01-wire-protocol.md, section 8).
  bool is_too_deep_for_layer = false;

  // When the call is. All times that it gives a table, or compares a table's with, are this one.
  std::int64_t NowEpochMs() const {
    if (!now_epoch_ms) now_epoch_ms = engine.clock().NowEpochMs();
    return *now_epoch_ms;
  }
  mutable std::optional<std::int64_t> now_epoch_ms = {};  // none: nobody has asked yet

  // An access is let in before its verb and, when the call goes on after it, let out with what it
  // took. Of a call that ends with an error nobody needs to let it out (OpenAccesses).
  std::optional<Error> Enter(const Access& access) const {
    return gate ? accesses->Enter(access) : std::nullopt;
  }
  void Leave(const Access& access, const Usage& usage) const {
    if (gate) accesses->Leave(access, usage);
  }
};

// One operation: reads the bound request, runs it, writes the answer's body. On an error
// what it has written is thrown away.
using OperationFunction = Status (*)(Context& context, const RequestObject& request,
                                     JsonWriter& answer);

}  // namespace hashrange
