// Dispatcher: takes one API request and gives one answer. It knows no socket: server/exchange
// passes the body and the few header fields that matter, and sends the answer.
//
//   body → JSON → operation of the target → caller of the signature → the operation → its answer
//
// Thread-safe: any number of threads may use one Dispatcher at once. Each thread keeps an arena for
// the request it is working on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/durability.h"
#include "base/memory/memory_bound.h"
#include "base/memory/output_buffer.h"
#include "engine/engine.h"
#include "operation/call/caller.h"
#include "operation/call/gate.h"

namespace hashrange {

class Backfiller;   // engine/backfill/backfiller.h
class KinesisSink;  // operation/kinesis/kinesis_sink.h
class StreamSet;    // engine/stream/stream_set.h
class TimeToLive;   // engine/ttl/time_to_live.h

// The parts of an HTTP request that matter to an API call. Views into the connection's buffer.
struct ApiRequest {
  std::string_view target;                        // X-Amz-Target; empty when absent
  std::optional<std::string_view> authorization;  // Authorization
  bool has_date = false;                          // has an X-Amz-Date or a Date header
  std::string_view host;                          // Host; empty when absent
  std::string_view query;                         // what follows '?' in the URL
  std::string_view pattern;                       // X-Hashrange-Pattern; empty when absent
  std::string_view user_agent;                    // User-Agent; empty when absent
  std::uint64_t connection = 0;                   // unique in the process; 0: not known
  bool may_leave = false;                         // see ApiAnswer::body_to_repeat
  std::span<char> body;  // overwritten; the byte behind the body must be writable too
};

// A call that did not come by HTTP: its operation and its caller are known.
struct ApiCall {
  std::string_view operation;  // "GetItem"
  std::string_view body;       // JSON
  Caller caller;
  std::string_view pattern = {};  // as X-Hashrange-Pattern; empty: none
};

struct ApiAnswer {
  int http_status = 200;
  std::int64_t send_after_ms = 0;  // the answer is delayed for this long
  bool drop = false;               // the connection is closed and no answer is sent
  // The answer is sent when this position of the log is safe; 0: it need not wait.
  Durability::Position safe_after = 0;
  // Not null: nothing was done and nothing is answered, as the call would take long. It is to be
  // made again with this body, on a thread that may take long, and without `may_leave`.
  std::unique_ptr<std::string> body_to_repeat;
};

class Dispatcher {
 public:
  struct Options {
    // True: all accounts and Regions share one set of tables, which account 000000000000 owns.
    bool shared_tables = false;
    // Whose tables a request by HTTP sees; a call in process names its account itself.
    KeyOwners key_owners = KeyOwners::kDefaultAccount;
    const GateSlot* gate = nullptr;  // null: nothing is simulated
    // Fills the indexes that are added to tables; null: UpdateTable fills them before it answers.
    Backfiller* backfiller = nullptr;
    // Watches the tables whose items expire; null: no item expires.
    TimeToLive* time_to_live = nullptr;
    // Keeps the changes; null: nothing is kept.
    Durability* durability = nullptr;
    // Bounds the memory of the data; null: there is no bound.
    MemoryBound* memory = nullptr;
    // Writes the changes of tables that have destinations; null: there is no Kinesis stream.
    KinesisSink* kinesis = nullptr;
    // How long a table is CREATING, UPDATING or DELETING, in milliseconds; 0 or more.
    std::int64_t transition_ms = 0;
    // How long each phase of an index lasts that is added to a table or deleted from it, in
    // milliseconds; less than `transition_ms`: as long as `transition_ms`.
    std::int64_t index_transition_ms = 0;
  };

  // `streams` is a reader of the engine's log. The engine, the streams and what `options` points to
  // outlive the dispatcher.
  Dispatcher(Engine& engine, StreamSet& streams, Options options)
      : engine_(engine), streams_(streams), options_(options) {
    options_.index_transition_ms = std::max(options_.index_transition_ms, options_.transition_ms);
  }

  // Handle and Call append the body of the answer to `out` and return the rest of the answer. Every
  // error is an answer, too: an exception that a library or the allocator throws during the
  // operation becomes InternalServerError.
  ApiAnswer Handle(const ApiRequest& request, OutputBuffer& out);
  ApiAnswer Call(const ApiCall& call, OutputBuffer& out);

 private:
  Engine& engine_;
  StreamSet& streams_;
  Options options_;  // not changed after the construction
};

}  // namespace hashrange
