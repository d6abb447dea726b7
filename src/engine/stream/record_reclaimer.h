// RecordReclaimer frees, on a thread of its own, the records that streams have dropped: the thread
// that drops them is in the middle of a commit or of a request. Thread-safe.
#pragma once

#include <cstdint>
#include <utility>

#include "base/work_queue.h"
#include "engine/stream/stream_record.h"

namespace hashrange {

class RecordReclaimer {
 public:
  // When more than this is waiting, the thread that drops chunks frees them itself, so that chunks
  // do not pile up.
  static constexpr std::int64_t kMaxWaitingBytes = 64 << 20;

  // Frees the chunks soon; at once when more than kMaxWaitingBytes are waiting already.
  void Free(RecordChunks chunks) {
    if (chunks.empty()) return;
    std::int64_t size_bytes = 0;
    for (const auto& chunk : chunks) size_bytes += chunk->size_bytes;
    queue_.Post([chunks = std::move(chunks)]() mutable { chunks.clear(); },
                {.size_bytes = size_bytes});
  }

  // The size of the chunks that are not freed yet.
  std::int64_t waiting_bytes() const { return queue_.waiting_bytes(); }

 private:
  WorkQueue queue_{{.name = "freeing the records of streams",
                    .at_end = WorkQueue::AtEnd::kFinish,
                    .max_waiting_bytes = kMaxWaitingBytes}};
};

}  // namespace hashrange
