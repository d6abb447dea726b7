// What a Database is made of, in the order in which it is put together.
#pragma once

#include "base/clock.h"
#include "engine/engine.h"
#include "hashrange/database.h"
#include "operation/dispatch.h"
#include "stream/stream_set.h"

namespace hashrange {

struct Database::State {
  explicit State(const Options& options)
      : streams(clock,
                {.shards = options.stream_shards, .buffer_bytes = options.stream_buffer_bytes}),
        engine(clock),
        dispatcher(
            engine, streams,
            {.shared_tables = options.shared_tables, .transition_ms = options.transition_ms}) {
    engine.AddObserver(streams);
  }

  SystemClock clock;
  StreamSet streams;  // outlives the engine, whose tables hold streams
  Engine engine;
  Dispatcher dispatcher;
};

}  // namespace hashrange
