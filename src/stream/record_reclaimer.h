// RecordReclaimer frees the records that streams have trimmed, on a thread of its own:
// whoever trims is in the middle of a commit or of a request. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "stream/stream_record.h"

namespace hashrange {

class RecordReclaimer {
 public:
  RecordReclaimer() = default;
  RecordReclaimer(const RecordReclaimer&) = delete;
  RecordReclaimer& operator=(const RecordReclaimer&) = delete;
  ~RecordReclaimer();  // when all is freed

  // Frees the chunks soon; at once when more waits already than kMaxWaitingBytes, so that
  // the thread cannot fall behind for good.
  void Free(RecordChunks chunks);

  static constexpr std::int64_t kMaxWaitingBytes = 64 << 20;

  // Of what is not freed yet.
  std::int64_t waiting_bytes();

 private:
  bool Enqueue(RecordChunks* chunks);
  void Run();

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  RecordChunks waiting_;
  std::int64_t waiting_bytes_ = 0;
  bool stopping_ = false;
  std::thread thread_;  // started by the first chunks
};

}  // namespace hashrange
