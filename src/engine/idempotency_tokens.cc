#include "engine/idempotency_tokens.h"

#include <algorithm>
#include <utility>

#include "base/md5.h"

namespace hashrange {
namespace {

// How many of the cleared tokens a request frees, so that none waits for all of them.
constexpr int kMostFreedAtOnce = 16;

}  // namespace

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
  const auto [found, is_new] = entries_.try_emplace(key, Entry{digest, nullptr, 0, generation_});
  if (is_new) return State::kNew;
  Entry& entry = found->second;
  if (!IsKnown(entry, now_ms)) {
    entry = {digest, nullptr, 0, generation_};
    return State::kNew;
  }
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
  Entry& entry = found->second;
  entry.sizes = std::move(sizes);
  entry.expiry_epoch_ms = now_ms + kLifetimeMs;
  // That of Begin: what it did before Clear is not there any more.
  expiries_.push_back({entry.expiry_epoch_ms, key, entry.generation});
}

void IdempotencyTokens::Abandon(Api api, std::string_view token) {
  const Token key = TokenOf(api, token);
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end() && !found->second.sizes) entries_.erase(found);
}

void IdempotencyTokens::Clear() {
  std::lock_guard lock(mutex_);
  ++generation_;
}

bool IdempotencyTokens::IsKnown(const Entry& entry, std::int64_t now_ms) const {
  if (!entry.sizes) return true;
  return entry.generation == generation_ && entry.expiry_epoch_ms > now_ms;
}

// In the order of completion, which is that of expiry unless the clock was set back. What was
// completed in a future that is far by now goes, or the rest would wait for it behind.
void IdempotencyTokens::Expire(std::int64_t now_ms) {
  for (int cleared = 0; !expiries_.empty() && cleared < kMostFreedAtOnce;) {
    const Expiry& first = expiries_.front();
    const bool is_over = first.epoch_ms <= now_ms || first.epoch_ms - now_ms > 2 * kLifetimeMs;
    if (!is_over && first.generation == generation_) return;
    if (!is_over) ++cleared;
    const auto found = entries_.find(first.token);
    // Another request may have the token by now.
    const bool is_same = found != entries_.end() && found->second.sizes &&
                         found->second.expiry_epoch_ms == first.epoch_ms &&
                         found->second.generation == first.generation;
    if (is_same) entries_.erase(found);
    expiries_.pop_front();
  }
}

}  // namespace hashrange
