// OpenPages links the pages of one logical call: a Query or a Scan whose page ended early, and the
// request that continues at this place. The pages may be served by different threads. It keeps the
// sums of at most kMax calls that may still go on. Of several calls that go on at the same place,
// the oldest is continued first. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "measure/meter/pattern_table.h"

namespace hashrange {

struct PagesSoFar {
  RequestSizes sizes;
  std::uint64_t pages = 0;
};

class OpenPages {
 public:
  static constexpr std::size_t kMax = 4096;
  // Of so many calls at one place. Most calls that stop where others did are never continued.
  static constexpr std::size_t kMaxAtPlace = 8;

  // Keeps the pages of a call until a request continues it at `place`. `place` is a hash of what is
  // read and of the position behind which the next page begins.
  void Put(std::uint64_t place, const PagesSoFar& pages);
  // Returns and forgets the pages of the call that is continued at `place`.
  std::optional<PagesSoFar> Take(std::uint64_t place);
  // Returns how many calls were forgotten because there were too many.
  std::uint64_t forgotten() const;

 private:
  struct OpenCall {
    std::uint64_t place = 0;
    PagesSoFar pages;
  };
  using OpenCalls = std::list<OpenCall, ReservedAllocator<OpenCall, MemoryPart::kMeasurements>>;
  // The calls of each place, the oldest first.
  using CallsByPlace = MeterMap<std::uint64_t, absl::InlinedVector<OpenCalls::iterator, 1>>;

  // Forgets the oldest call of a place. Called with `mutex_` held.
  void Remove(CallsByPlace::iterator found);

  mutable std::mutex mutex_;  // guards what follows
  OpenCalls calls_;           // the oldest first
  CallsByPlace at_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace hashrange
