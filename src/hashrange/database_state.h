// What a Database is made of, in the order in which it is put together.
#pragma once

#include "backfill/backfiller.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "hashrange/database.h"
#include "operation/dispatch.h"
#include "stream/stream_set.h"
#include "ttl/time_to_live.h"

namespace hashrange {

struct Database::State {
  explicit State(const Options& options)
      : streams(clock,
                {.shards = options.stream_shards, .buffer_bytes = options.stream_buffer_bytes}),
        engine(clock),
        time_to_live(engine, options.ttl_interval_ms),
        backfiller(engine),
        dispatcher(engine, streams,
                   {.shared_tables = options.shared_tables,
                    .backfiller = &backfiller,
                    .time_to_live = &time_to_live,
                    .transition_ms = options.transition_ms}) {
    engine.AddObserver(streams);
  }

  SystemClock clock;
  StreamSet streams;  // outlives the engine, whose tables hold streams
  Engine engine;
  TimeToLive time_to_live;
  Backfiller backfiller;  // which commits until it is gone
  Dispatcher dispatcher;
};

}  // namespace hashrange
