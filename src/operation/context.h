// Context: what an operation works with. Each request has its own, on the thread that serves it.
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
  OpenAccesses* accesses;          // those of this call that the gate has admitted
  Backfiller* backfiller;          // null: an index is filled before UpdateTable answers
  TimeToLive* time_to_live;        // null: no item expires
  Arena& arena;                    // emptied before the next request
  AccountName account;             // owns the tables the call sees; the same for all when shared
  std::string_view region;         // of the request's credential scope, for ARNs and messages
  std::string_view host;           // the Host header of the request; may be empty
  std::int64_t transition_ms = 0;  // how long a table is CREATING, UPDATING or DELETING
  ValidationLayer layer;           // of the operation
  // A PutItem, UpdateItem or DeleteItem is nested so deep that the older layer handles it
  // (docs/service/01-wire-protocol.md, section 8).
  bool is_too_deep_for_layer = false;

  // Returns the time of the call. The call uses this one time wherever it sets a time of a table or
  // compares one with now.
  std::int64_t NowEpochMs() const {
    if (!now_epoch_ms) now_epoch_ms = engine.clock().NowEpochMs();
    return *now_epoch_ms;
  }
  mutable std::optional<std::int64_t> now_epoch_ms = {};  // none: nobody has asked yet

  // An operation enters each access before the engine's verb, and leaves it with the access's usage
  // after the verb. A call that ends with an error need not leave its accesses: OpenAccesses does.
  // Enter returns the error with which the gate refuses the access.
  std::optional<Error> Enter(const Access& access) const {
    return gate ? accesses->Enter(access) : std::nullopt;
  }
  void Leave(const Access& access, const Usage& usage) const {
    if (gate) accesses->Leave(access, usage);
  }
};

// One operation: reads the bound request, runs it, writes the answer's body. On an error the
// dispatcher discards what the operation has written.
using OperationFunction = Status (*)(Context& context, const RequestObject& request,
                                     JsonWriter& answer);

}  // namespace hashrange
