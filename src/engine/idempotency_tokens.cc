#include "engine/idempotency_tokens.h"

#include <utility>

namespace hashrange {

IdempotencyTokens::State IdempotencyTokens::Begin(Api api, std::string_view token,
                                                  const RequestDigest& digest, std::int64_t now_ms,
                                                  std::vector<std::uint32_t>* size_bytes) {
  std::lock_guard lock(mutex_);
  Expire(now_ms);
  Tokens& tokens = TokensOf(api);
  const auto found = tokens.find(token);
  if (found == tokens.end()) {
    tokens.emplace(token, Entry{digest, false, {}});
    return State::kNew;
  }
  const Entry& entry = found->second;
  if (entry.digest != digest) return State::kMismatch;
  if (!entry.is_complete) return State::kInProgress;
  *size_bytes = entry.size_bytes;
  return State::kReplay;
}

void IdempotencyTokens::Complete(Api api, std::string_view token, std::int64_t now_ms,
                                 std::vector<std::uint32_t> size_bytes) {
  std::lock_guard lock(mutex_);
  Tokens& tokens = TokensOf(api);
  const auto found = tokens.find(token);
  if (found == tokens.end() || found->second.is_complete) return;
  found->second.is_complete = true;
  found->second.size_bytes = std::move(size_bytes);
  expiries_.push_back({now_ms + kLifetimeMs, api, std::string(token)});
}

void IdempotencyTokens::Abandon(Api api, std::string_view token) {
  std::lock_guard lock(mutex_);
  Tokens& tokens = TokensOf(api);
  const auto found = tokens.find(token);
  if (found != tokens.end() && !found->second.is_complete) tokens.erase(found);
}

void IdempotencyTokens::Expire(std::int64_t now_ms) {
  while (!expiries_.empty() && expiries_.front().epoch_ms <= now_ms) {
    TokensOf(expiries_.front().api).erase(std::string_view(expiries_.front().token));
    expiries_.pop_front();
  }
}

}  // namespace hashrange
