// OpenPages links the pages of one logical call: a Query or a Scan whose page ended early, and the
// request that continues at this place. The pages may be served by different threads. It keeps the
// sums of at most kMax calls that may still go on. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "meter/pattern_counters.h"

namespace hashrange {

struct PagesSoFar {
  RequestSizes sizes;
  std::uint64_t pages = 0;
};

class OpenPages {
 public:
  static constexpr std::size_t kMax = 4096;

  // Keeps the pages of a call until a request continues it at `place`. `place` is a hash of what is
  // read and of the position behind which the next page begins.
  void Put(std::uint64_t place, const PagesSoFar& pages);
  // Returns and forgets the pages of the call that is continued at `place`.
  std::optional<PagesSoFar> Take(std::uint64_t place);
  // Returns how many calls were forgotten because there were too many.
  std::uint64_t forgotten() const;

 private:
  mutable std::mutex mutex_;  // guards what follows
  absl::flat_hash_map<std::uint64_t, PagesSoFar> open_;
  std::deque<std::uint64_t> order_;  // the places, the oldest first, also of pages that were taken
  std::uint64_t forgotten_ = 0;
};

}  // namespace hashrange
