// Context: what an operation works with. Each request has its own, on the thread that serves it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/memory/arena.h"
#include "base/memory/memory_bound.h"
#include "engine/backfill/backfiller.h"
#include "engine/engine.h"
#include "operation/call/gate.h"
#include "value/key.h"
#include "value/vector.h"
#include "wire/binder.h"
#include "wire/json_writer.h"
#include "wire/validation_layer.h"

namespace hashrange {

class KinesisSink;  // operation/kinesis/kinesis_sink.h
class StreamSet;    // engine/stream/stream_set.h
class TimeToLive;   // engine/ttl/time_to_live.h

struct Context {
  Engine& engine;
  StreamSet& streams;
  Gate* gate;                      // null: nothing is simulated
  OpenAccesses* accesses;          // the open accesses of this call
  Backfiller* backfiller;          // null: an index is filled before UpdateTable answers
  TimeToLive* time_to_live;        // null: no item expires
  Arena& arena;                    // emptied before the next request
  AccountName account;             // owns the tables that the call sees
  std::string_view region;         // of the request's credential scope, for ARNs and messages
  std::string_view host;           // the Host header of the request; may be empty
  std::int64_t transition_ms = 0;  // how long a table is CREATING, UPDATING or DELETING
  // How long each phase of an index lasts that is added or deleted; at least `transition_ms`.
  std::int64_t index_transition_ms = 0;
  ValidationLayer layer;  // the operation's own layer
  // True when the request is a PutItem, UpdateItem or DeleteItem with a value that is nested so
  // deep that the older layer handles the request (docs/service/01-wire-protocol.md, section 8).
  bool is_too_deep_for_layer = false;

  MemoryBound* memory = nullptr;   // null: memory is not bounded
  KinesisSink* kinesis = nullptr;  // null: there is no Kinesis stream
  // True: an operation that kSearches and would take long may set `leaves` and return without an
  // answer. The caller then makes the call again, on a thread that may take long.
  bool may_leave = false;
  bool leaves = false;

  // Returns an error when the data of the server takes all the memory that it may take. An
  // operation that makes something new asks before it changes anything; for a write of an item,
  // GrowthLimit asks. Errors: InternalServerError
  Status AdmitGrowth() const { return memory ? memory->AdmitGrowth() : Status(); }

  // Returns the time of the call, which is read from the clock only once. The call uses this time
  // for every time of a table that it sets or compares with the present.
  std::int64_t NowEpochMs() const {
    if (!now_epoch_ms) now_epoch_ms = engine.clock().NowEpochMs();
    return *now_epoch_ms;
  }
  mutable std::optional<std::int64_t> now_epoch_ms = {};  // set by NowEpochMs

  // An operation calls Enter for each access before it calls the engine's verb (Commit, Read or
  // Range), and Leave with the usage of the access after the verb. When a call ends with an error,
  // OpenAccesses calls Leave for the accesses that are still open.
  // Enter returns the error with which the gate refuses the access; nullopt admits the access.
  std::optional<Error> Enter(const Access& access) const {
    return gate ? accesses->Enter(access) : std::nullopt;
  }
  void Leave(const Access& access, const Usage& usage) const {
    if (gate) accesses->Leave(access, usage);
  }
  // Reports units to the gate that the call consumed by an access that did not enter.
  void Charge(const Access& access, const Usage& usage) const {
    if (gate) accesses->Charge(access, usage);
  }
  // Returns a copy of the terms that lives as long as the access. Only a gate uses terms, so an
  // operation makes them only where there is a gate.
  const AccessTerms* Keep(const AccessTerms& terms) const { return arena.New<AccessTerms>(terms); }
};

// Refuses a write that makes an item and its entries in indexes larger while the data of the server
// takes all the memory that it may take. A write that makes them smaller, or removes the item, is
// never refused, so that memory can be freed. One write asks the bound once, before its partition
// is locked.
class GrowthLimit {
 public:
  explicit GrowthLimit(const Context& context) : admitted_(context.AdmitGrowth()) {}

  // Returns the decision of a write about the stored item `before` of the table, or the refusal
  // (InternalServerError) in its place.
  Decision Check(const TableVersion& table, ItemView before, Decision decision) const {
    if (admitted_.ok() || decision.kind != Decision::Kind::kPut) [[likely]]
      return decision;
    const ItemView after(table.key, decision.item.get());
    if (MemoryOf(table, after) <= MemoryOf(table, before)) return decision;
    return Decision::Refuse(admitted_.error());
  }

 private:
  static std::size_t MemoryOf(const TableVersion& table, ItemView item) {
    constexpr std::size_t kEntryBytes = 48;  // about what an entry takes in the map of its index
    if (!item.exists()) return 0;
    std::size_t bytes = item.item()->memory_bytes();
    for (const IndexVersion& index : table.indexes) {
      if (!BelongsTo(index.schema.key, item)) continue;
      bytes += kEntryBytes;
      if (index.schema.vector && item.Find(index.schema.vector->attribute)) {
        bytes += VectorSizeBytes(*index.schema.vector);
      }
    }
    return bytes;
  }

  const Status admitted_;
};

// One operation: reads the bound request, runs it, writes the answer's body. On an error the
// dispatcher discards what the operation has written.
using OperationFunction = Status (*)(Context& context, const RequestObject& request,
                                     JsonWriter& answer);

}  // namespace hashrange
