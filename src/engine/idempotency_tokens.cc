#include "engine/idempotency_tokens.h"

#include <algorithm>
#include <utility>

#include "base/md5.h"

namespace hashrange {

IdempotencyTokens::Token IdempotencyTokens::TokenOf(Api api, std::string_view token) {
  Token digest = Md5(token);
  // Each API has tokens of its own.
  digest[0] = static_cast<std::uint8_t>(digest[0] ^ static_cast<std::uint8_t>(api));
  return digest;
}

IdempotencyTokens::State IdempotencyTokens::Begin(Api api, std::string_view token,
                                                  const RequestDigest& digest, std::int64_t now_ms,
                                                  std::vector<std::uint32_t>* size_bytes) {
  const Token key = TokenOf(api, token);
  std::lock_guard lock(mutex_);
  Expire(now_ms);
  const auto [found, is_new] = entries_.try_emplace(key, Entry{digest, nullptr});
  if (is_new) return State::kNew;
  const Entry& entry = found->second;
  if (entry.digest != digest) return State::kMismatch;
  if (!entry.sizes) return State::kInProgress;
  size_bytes->assign(entry.sizes.get() + 1, entry.sizes.get() + 1 + entry.sizes[0]);
  return State::kReplay;
}

void IdempotencyTokens::Complete(Api api, std::string_view token, std::int64_t now_ms,
                                 const std::vector<std::uint32_t>& size_bytes) {
  const Token key = TokenOf(api, token);
  auto sizes = std::make_unique<std::uint32_t[]>(size_bytes.size() + 1);
  sizes[0] = static_cast<std::uint32_t>(size_bytes.size());
  std::ranges::copy(size_bytes, sizes.get() + 1);
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.sizes) return;
  found->second.sizes = std::move(sizes);
  expiries_.push_back({now_ms + kLifetimeMs, key});
}

void IdempotencyTokens::Abandon(Api api, std::string_view token) {
  const Token key = TokenOf(api, token);
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end() && !found->second.sizes) entries_.erase(found);
}

void IdempotencyTokens::Clear() {
  std::lock_guard lock(mutex_);
  entries_.clear();
  expiries_.clear();
}

void IdempotencyTokens::Expire(std::int64_t now_ms) {
  while (!expiries_.empty() && expiries_.front().epoch_ms <= now_ms) {
    entries_.erase(expiries_.front().token);
    expiries_.pop_front();
  }
}

}  // namespace hashrange
