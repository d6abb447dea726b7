// Dispatch: one API request in, one answer out. It knows no socket: http/ hands it the
// few header fields that matter and the body, and sends what it says.
//
//   body → JSON → target → authentication shape → the row of operations.def → its answer
//
// Thread-safe: any number of threads may use it at once. Each thread keeps an arena for the
// request it is working on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/output_buffer.h"
#include "engine/engine.h"
#include "operation/caller.h"
#include "operation/gate.h"

namespace hashrange {

class Backfiller;  // backfill/backfiller.h
class StreamSet;   // stream/stream_set.h
class TimeToLive;  // ttl/time_to_live.h

// What an HTTP request says of an API call. Views into the connection's buffer.
struct ApiRequest {
  std::string_view target;                        // X-Amz-Target; empty when absent
  std::optional<std::string_view> authorization;  // Authorization
  bool has_date = false;                          // an X-Amz-Date or Date header
  std::string_view host;                          // Host; empty when absent
  std::string_view query;                         // what follows '?' in the URL
  std::span<char> body;  // overwritten; the byte behind its end must be writable too
};

// A call that did not come by HTTP: its operation and its caller are known.
struct ApiCall {
  std::string_view operation;  // "GetItem"
  std::string_view body;       // JSON
  Caller caller;
};

struct ApiAnswer {
  int http_status = 200;
  std::int64_t send_after_ms = 0;  // the answer is held back for this long
  bool drop = false;               // the connection is closed instead of answered
};

class Dispatcher {
 public:
  struct Options {
    // One set of tables for all accounts and regions (account 000000000000).
    bool shared_tables = false;
    const GateSlot* gate = nullptr;
    // Fills the indexes that are added to tables; null: UpdateTable does before it answers.
    Backfiller* backfiller = nullptr;
    // Which watches the tables whose items expire; null: nothing does.
    TimeToLive* time_to_live = nullptr;
    // How long a table is CREATING, UPDATING or DELETING, in milliseconds from 0.
    std::int64_t transition_ms = 0;
  };

  // `streams` reads the engine's log.
  Dispatcher(Engine& engine, StreamSet& streams, Options options)
      : engine_(engine), streams_(streams), options_(options) {}

  // Both append the body of the answer to `out`, and always answer: what a library or the
  // allocator throws becomes InternalServerError.
  ApiAnswer Handle(const ApiRequest& request, OutputBuffer& out);
  ApiAnswer Call(const ApiCall& call, OutputBuffer& out);

 private:
  Engine& engine_;
  StreamSet& streams_;
  const Options options_;
};

}  // namespace hashrange
