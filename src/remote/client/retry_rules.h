// Which failures are worth another attempt, and how long to wait before it: the standard mode of
// AWS's SDKs (AWS SDKs and Tools Reference Guide, "Retry behavior").
#pragma once

#include <chrono>
#include <string_view>

#include "base/random.h"

namespace hashrange {

enum class RetryKind {
  kNever,      // the same request would fail again
  kThrottled,  // the service asks for a wait
  kTransient,  // the service, or the way to it, failed
  kTimeout,    // no answer came in time
  kStale,      // a connection that was used before had been closed; another one needs no wait
  kWrongTime,  // the service refused the time of the signature, and has told its own
};

// Returns what follows from an answer with the status `status` and the error `error`, such as
// "ThrottlingException".
RetryKind RetryKindOf(int status, std::string_view error);

// How long to wait before the attempt after `attempts`: any time up to the base delay, which
// doubles with each attempt (full jitter).
std::chrono::microseconds RetryWait(int attempts, std::chrono::milliseconds base,
                                    std::chrono::milliseconds longest, Random& random);

// The tokens that all calls of a client share, so that an endpoint that fails always is not asked
// several times as often. Not thread-safe.
class RetryTokens {
 public:
  // Takes what a retry costs; false: there are not enough.
  bool Take(RetryKind kind);
  // Puts back what the last retry of a call cost, when the call succeeds. kNever: it was not sent
  // again.
  void Return(RetryKind kind);

 private:
  static constexpr int kMost = 500;
  int tokens_ = kMost;
};

}  // namespace hashrange
