// What a Database is made of, in the order in which it is put together.
#pragma once

#include "backfill/backfiller.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "hashrange/database.h"
#include "operation/dispatch.h"

namespace hashrange {

struct Database::State {
  explicit State(const Options& options)
      : engine(clock),
        backfiller(engine),
        dispatcher(engine, {.shared_tables = options.shared_tables,
                            .backfiller = &backfiller,
                            .transition_ms = options.transition_ms}) {}

  SystemClock clock;
  Engine engine;
  Backfiller backfiller;
  Dispatcher dispatcher;
};

}  // namespace hashrange
