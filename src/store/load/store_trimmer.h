// StoreTrimmer removes from the store what is over: stream records that are older than 24 hours or
// for which the buffer has no room, and client request tokens that have expired. A thread looks at
// all durable streams now and then.
//
//   lock order: the set of streams, then the trimmer, then a shard
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "base/work_queue.h"
#include "engine/stream/stream.h"
#include "store/journal.h"

namespace hashrange {

// Returns the change that stores a stream as it is, without its records.
JournalRecord StreamDescription(Stream& stream, std::int64_t now_ms);

class StoreTrimmer {
 public:
  // Both outlive the object.
  StoreTrimmer(Journal& journal, const Clock& clock) : journal_(journal), clock_(clock) {}

  // Begins to look at a stream. `firsts`: for each shard, the number from which on its records are
  // stored, or will be.
  void Add(Stream& stream, std::vector<std::uint64_t> firsts);
  // Does not use the stream any more.
  void Remove(Stream& stream);

  // Starts the thread. The destructor stops it.
  void Start();
  // Stops the thread. Idempotent.
  void Stop() { queue_.Stop(); }
  // Does what there is to do now.
  void Trim();

 private:
  struct Trimmed {
    Stream* stream;
    std::vector<std::uint64_t> firsts;  // by shard: the number of the oldest stored record
  };

  void TrimStream(Trimmed& trimmed);

  Journal& journal_;
  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  std::map<std::uint64_t, Trimmed> streams_;
  WorkQueue queue_{{.name = "trimming the store"}};
};

}  // namespace hashrange
