#include "server/exchange/limits.h"

#include <algorithm>
#include <climits>
#include <string>

#include "platform/process.h"

namespace hashrange {
namespace {

// Descriptors that are not for connections in ordinary places: the standard ones, listening
// sockets, seeds and dumps, the spare places, and some for each thread.
constexpr int kOtherDescriptors = 48 + Limits::kSparePlaces;
constexpr int kDescriptorsOfThread = 4;
constexpr int kFewestConnections = 16;

}  // namespace

Limits::Place Limits::TakeConnection() {
  const int before = connections_.fetch_add(1);
  if (before < max_connections_) return Place::kOrdinary;
  return before < max_connections_ + kSparePlaces ? Place::kSpare : Place::kNone;
}

bool Limits::TakeBytes(std::int64_t count) {
  if (bytes_.fetch_add(count) + count <= max_bytes_) return true;
  bytes_ -= count;
  return false;
}

void Limits::WarnOfTooMany(const char* what_was_closed) {
  if (!too_many_.Admits(0, RepeatLimit::TimePoint::clock::now())) return;
  Log(LogLevel::kWarning, "all " + std::to_string(max_connections_) +
                              " connections were taken (--max-connections): " + what_was_closed);
}

int MaxConnections(int asked, int threads) {
  const int given_by_system = MaxOpenFiles().value_or(INT_MAX);
  const int most = std::max(given_by_system - kOtherDescriptors - threads * kDescriptorsOfThread,
                            kFewestConnections);
  if (asked > most) {
    Log(LogLevel::kWarning, "the system gives this process " + std::to_string(given_by_system) +
                                " descriptors: it accepts " + std::to_string(most) +
                                " connections at a time, not " + std::to_string(asked));
  }
  return std::min(asked > 0 ? asked : Limits::kUsualConnections, most);
}

}  // namespace hashrange
