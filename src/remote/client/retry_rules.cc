#include "remote/client/retry_rules.h"

#include <algorithm>

namespace hashrange {
namespace {

// The codes that the SDKs take for throttles.
constexpr std::string_view kThrottles[] = {
    "ThrottlingException",
    "Throttling",
    "ThrottledException",
    "RequestThrottled",
    "SlowDown",
    "RequestThrottledException",
    "RequestLimitExceeded",
    "LimitExceededException",
    "TooManyRequestsException",
    "PriorRequestNotComplete",
    "BandwidthLimitExceeded",
    "TransactionInProgressException",
    "ProvisionedThroughputExceededException",
};

constexpr int kRetryCost = 5;
constexpr int kTimeoutCost = 10;
constexpr int kSuccess = 1;

int CostOf(RetryKind kind) { return kind == RetryKind::kTimeout ? kTimeoutCost : kRetryCost; }

}  // namespace

RetryKind RetryKindOf(int status, std::string_view error) {
  if (std::ranges::find(kThrottles, error) != std::end(kThrottles)) return RetryKind::kThrottled;
  if (error == "RequestTimeout" || error == "RequestTimeoutException") return RetryKind::kTransient;
  const bool is_transient = status == 500 || status == 502 || status == 503 || status == 504;
  return is_transient ? RetryKind::kTransient : RetryKind::kNever;
}

std::chrono::microseconds RetryWait(int attempts, std::chrono::milliseconds base,
                                    std::chrono::milliseconds longest, Random& random) {
  constexpr int kMostDoublings = 30;
  const double doubled = static_cast<double>(base.count()) *
                         static_cast<double>(1ULL << std::clamp(attempts - 1, 0, kMostDoublings));
  const double most_us = std::min(doubled, static_cast<double>(longest.count())) * 1000;
  return std::chrono::microseconds(static_cast<std::int64_t>(most_us * random.Fraction()));
}

bool RetryTokens::Take(RetryKind kind) {
  const int cost = CostOf(kind);
  if (tokens_ < cost) return false;
  tokens_ -= cost;
  return true;
}

void RetryTokens::Return(RetryKind kind) {
  tokens_ = std::min(kMost, tokens_ + (kind == RetryKind::kNever ? kSuccess : CostOf(kind)));
}

}  // namespace hashrange
