#include "engine/idempotency_tokens.h"

#include <algorithm>
#include <utility>

#include "base/md5.h"

namespace hashrange {
namespace {

// How many of the cleared tokens a request frees, so that none waits for all of them.
constexpr int kMostFreedAtOnce = 16;

// The words of a packed Done before its sizes.
constexpr std::size_t kCounts = 2;

}  // namespace

IdempotencyTokens::Token IdempotencyTokens::TokenOf(Api api, std::string_view token) {
  Token digest = Md5(token);
  // Each API has tokens of its own.
  digest[0] = static_cast<std::uint8_t>(digest[0] ^ static_cast<std::uint8_t>(api));
  return digest;
}

std::unique_ptr<std::uint32_t[]> IdempotencyTokens::Pack(const Done& done) {
  const std::size_t sizes = done.size_bytes.size();
  auto packed = std::make_unique<std::uint32_t[]>(kCounts + sizes + 2 * done.tables.size());
  packed[0] = static_cast<std::uint32_t>(sizes);
  packed[1] = static_cast<std::uint32_t>(done.tables.size());
  std::uint32_t* half = std::ranges::copy(done.size_bytes, packed.get() + kCounts).out;
  for (const std::uint64_t id : done.tables) {
    *half++ = static_cast<std::uint32_t>(id >> 32);
    *half++ = static_cast<std::uint32_t>(id);
  }
  return packed;
}

IdempotencyTokens::State IdempotencyTokens::Begin(Api api, std::string_view token,
                                                  const RequestDigest& digest, std::int64_t now_ms,
                                                  std::vector<std::uint32_t>* size_bytes) {
  const Token key = TokenOf(api, token);
  std::lock_guard lock(mutex_);
  Expire(now_ms);
  const auto [found, is_new] = entries_.try_emplace(key);
  Entry& entry = found->second;
  if (is_new || !IsKnown(entry, now_ms)) {
    entry = {.digest = digest, .done = nullptr, .generation = generation_};
    ++in_progress_;
    return State::kNew;
  }
  if (entry.digest != digest) return State::kMismatch;
  if (!entry.done) return State::kInProgress;
  const std::uint32_t* const sizes = entry.done.get() + kCounts;
  size_bytes->assign(sizes, sizes + entry.done[0]);
  return State::kReplay;
}

void IdempotencyTokens::Complete(Api api, std::string_view token, std::int64_t now_ms,
                                 const Done& done) {
  const Token key = TokenOf(api, token);
  auto packed = Pack(done);
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.done) return;
  --in_progress_;
  if (UsedForgottenTable(packed.get())) {
    entries_.erase(found);
    return;
  }
  Entry& entry = found->second;
  entry.done = std::move(packed);
  entry.expiry_epoch_ms = now_ms + kLifetimeMs;
  // That of Begin: what it did before Clear is not there any more.
  expiries_.push_back({entry.expiry_epoch_ms, key, entry.generation});
  if (entry.generation == generation_) {
    newest_expiry_epoch_ms_ = std::max(newest_expiry_epoch_ms_, entry.expiry_epoch_ms);
  }
}

void IdempotencyTokens::Abandon(Api api, std::string_view token) {
  const Token key = TokenOf(api, token);
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.done) return;
  --in_progress_;
  entries_.erase(found);
}

void IdempotencyTokens::Clear() {
  std::lock_guard lock(mutex_);
  ++generation_;
  newest_expiry_epoch_ms_ = INT64_MIN;
}

void IdempotencyTokens::ForgetTable(std::uint64_t table_id, std::int64_t now_ms) {
  std::lock_guard lock(mutex_);
  ExpireForgottenTables(now_ms);
  if (entries_.empty()) return;
  // Where the clock was set back, some tokens live longer than those of now.
  forgotten_.push_back({std::max(now_ms + kLifetimeMs, newest_expiry_epoch_ms_), table_id});
  forgotten_tables_.insert(table_id);
}

bool IdempotencyTokens::IsIdle(std::int64_t now_ms) const {
  std::lock_guard lock(mutex_);
  return in_progress_ == 0 && newest_expiry_epoch_ms_ <= now_ms;
}

bool IdempotencyTokens::UsedForgottenTable(const std::uint32_t* done) const {
  if (forgotten_tables_.empty()) return false;
  const std::uint32_t* half = done + kCounts + done[0];
  for (const std::uint32_t* const end = half + 2 * done[1]; half != end; half += 2) {
    if (forgotten_tables_.contains(std::uint64_t{half[0]} << 32 | half[1])) return true;
  }
  return false;
}

void IdempotencyTokens::ExpireForgottenTables(std::int64_t now_ms) {
  while (!forgotten_.empty()) {
    const ForgottenTable& first = forgotten_.front();
    if (first.epoch_ms > now_ms) return;
    forgotten_tables_.erase(first.id);
    forgotten_.pop_front();
  }
}

bool IdempotencyTokens::IsKnown(const Entry& entry, std::int64_t now_ms) const {
  if (!entry.done) return true;
  return entry.generation == generation_ && entry.expiry_epoch_ms > now_ms &&
         !UsedForgottenTable(entry.done.get());
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
    const bool is_same = found != entries_.end() && found->second.done &&
                         found->second.expiry_epoch_ms == first.epoch_ms &&
                         found->second.generation == first.generation;
    if (is_same) entries_.erase(found);
    expiries_.pop_front();
  }
}

}  // namespace hashrange
