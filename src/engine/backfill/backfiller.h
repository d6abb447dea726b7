// Backfiller does the backfills of a database. The thread that starts a backfill does the first
// part, which is all of a small backfill. The rest of a large backfill is done by the backfiller's
// own thread, which does a batch of each backfill in turn. Thread-safe.
//
// The backfiller's thread has the priority of the others: it holds locks that requests wait for,
// if only for one item at a time.
#pragma once

#include <cstddef>

#include "base/work_queue.h"
#include "engine/backfill/backfill.h"

namespace hashrange {

class Backfiller {
 public:
  struct Options {
    // How many items Start visits before it leaves the rest to the thread.
    std::size_t at_once = 1000;
    // False: the rest waits until RunBatch is called, for tests.
    bool has_thread = true;
  };

  explicit Backfiller(Engine& engine) : Backfiller(engine, Options()) {}
  // The destructor of a Backfiller returns soon and leaves the rest of the backfills undone.
  Backfiller(Engine& engine, const Options& options);

  // Fills an index that was just published as kCreating, now or soon.
  // Cost: Options::at_once commits; where the system has no thread, a commit for each item.
  void Start(IndexAddress address);

  // Starts the backfill of each index of a published table that must be filled, as after the start
  // of a server that keeps its data.
  void StartAll(const TableVersion& table);

  // Does one batch of the backfill that has waited longest, on the calling thread. Returns false
  // when there is none. Only one thread at a time may call RunBatch.
  bool RunBatch() { return queue_.RunNext(); }

 private:
  Engine& engine_;
  const Options options_;
  WorkQueue queue_;
};

}  // namespace hashrange
