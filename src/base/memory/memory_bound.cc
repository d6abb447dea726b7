#include "base/memory/memory_bound.h"

#include <string>

#include "base/log.h"

namespace hashrange {
namespace {

// The log says that writes are accepted again when this part of the bound is free. Otherwise it
// would say so for each deletion while the memory stays close to the bound.
constexpr std::int64_t kFreePart = 32;

std::string InMegabytes(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

}  // namespace

Status MemoryBound::Decide(bool is_exceeded) {
  if (is_exceeded) {
    if (!was_exceeded_.exchange(true, std::memory_order_relaxed)) {
      Log(LogLevel::kWarning, "data, requests and answers take all of the " +
                                  InMegabytes(max_bytes_) +
                                  " of --max-memory: writes that need memory are refused; reads "
                                  "and deletes are not");
    }
    const LiveMemory live = CountLiveMemory();
    const std::int64_t of_requests = live.of(MemoryPart::kArenas) + live.of(MemoryPart::kBuffers);
    // Small requests are always under way.
    const bool is_data = live.total() - of_requests > max_bytes_ || of_requests < max_bytes_ / 8;
    return InternalError(
        is_data ? "The data of the server takes all of its --max-memory. Delete items or "
                  "tables."
                : "The data, the requests under way and the answers that their clients do "
                  "not read take all of the server's --max-memory.");
  }
  if (ApproximateLiveBytes() <= max_bytes_ - max_bytes_ / kFreePart &&
      was_exceeded_.exchange(false, std::memory_order_relaxed)) {
    Log(LogLevel::kInfo, "less than --max-memory is taken again: writes are accepted");
  }
  return {};
}

}  // namespace hashrange
