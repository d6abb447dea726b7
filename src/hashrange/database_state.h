// What a Database is made of, in the order in which it is put together.
#pragma once

#include "base/clock.h"
#include "engine/engine.h"
#include "hashrange/database.h"
#include "operation/dispatch.h"
#include "ttl/time_to_live.h"

namespace hashrange {

struct Database::State {
  explicit State(const Options& options)
      : engine(clock),
        time_to_live(engine, options.ttl_interval_ms),
        dispatcher(engine, {.shared_tables = options.shared_tables,
                            .time_to_live = &time_to_live,
                            .transition_ms = options.transition_ms}) {}

  SystemClock clock;
  Engine engine;
  TimeToLive time_to_live;
  Dispatcher dispatcher;
};

}  // namespace hashrange
