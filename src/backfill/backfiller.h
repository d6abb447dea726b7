// Backfiller does the backfills of a database: a small one at once, by whoever starts it, any
// other on a thread of its own, a batch of each in turn. Thread-safe.
//
// The thread starts with the first large backfill. It has the priority of the others: it holds
// locks that requests wait for, if only for one item at a time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "backfill/backfill.h"

namespace hashrange {

class Backfiller {
 public:
  struct Options {
    // How many items Start visits before it leaves the rest to the thread.
    std::size_t at_once = 1000;
    // False: the rest waits for Work, for tests.
    bool has_thread = true;
  };

  explicit Backfiller(Engine& engine) : Backfiller(engine, Options()) {}
  Backfiller(Engine& engine, const Options& options) : engine_(engine), options_(options) {}
  Backfiller(const Backfiller&) = delete;
  Backfiller& operator=(const Backfiller&) = delete;
  // Soon, however much there is left to do; that stays undone.
  ~Backfiller();

  // Fills an index that was just published as kCreating, now or soon.
  // Cost: Options::at_once commits.
  void Start(IndexAddress address);

  // One batch of the backfill that has waited longest, on the calling thread, one thread at a
  // time. False when there is none.
  bool Work();

 private:
  void Run();
  void StartThread();

  Engine& engine_;
  const Options options_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<std::unique_ptr<Backfill>> waiting_;  // the first one is being worked on
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace hashrange
