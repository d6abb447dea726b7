#include "engine/idempotency_tokens.h"

#include <algorithm>
#include <utility>

#include "base/checksums.h"
#include "base/memory/memory_reserve.h"
#include "base/record_fields.h"

namespace hashrange {

template <typename Fields>
void VisitFields(Fields& fields, TokenRecord& record) {
  fields.Field(1, record.account_id);
  fields.Field(2, record.region);
  fields.Field(3, record.token);
  fields.Field(4, record.request);
  fields.Field(5, record.expiry_epoch_ms);
  fields.Field(6, record.completed.size_bytes);
  fields.Field(7, record.completed.tables);
}

std::string EncodeToken(const TokenRecord& record) { return EncodeRecord(record); }

Result<TokenRecord> DecodeToken(std::string_view bytes) {
  TokenRecord record;
  HR_RETURN_IF_ERROR(DecodeRecord(bytes, "the record of a token", &record));
  if (!record.account_id.empty()) return record;
  return InternalError("the record of a token names no account");
}

namespace {

// The most tokens from before a Clear that one request frees, so that no request waits until all
// of them are freed.
constexpr int kMostFreedAtOnce = 16;

// The number of words before the sizes in a packed CompletedRequest.
constexpr std::size_t kCounts = 2;

}  // namespace

TokenDigest IdempotencyTokens::DigestOf(Api api, std::string_view token) {
  Token digest = Md5(token);
  // Each API has its own tokens.
  digest[0] = static_cast<std::uint8_t>(digest[0] ^ static_cast<std::uint8_t>(api));
  return digest;
}

IdempotencyTokens::PackedRequest IdempotencyTokens::Pack(const CompletedRequest& completed) {
  const std::size_t sizes = completed.size_bytes.size();
  const std::size_t words = kCounts + sizes + 2 * completed.tables.size();
  PackedRequest packed(static_cast<std::uint32_t*>(
      AllocateReserved(MemoryPart::kTokens, words * sizeof(std::uint32_t))));
  packed[0] = static_cast<std::uint32_t>(sizes);
  packed[1] = static_cast<std::uint32_t>(completed.tables.size());
  std::uint32_t* half = std::ranges::copy(completed.size_bytes, packed.get() + kCounts).out;
  for (const std::uint64_t id : completed.tables) {
    *half++ = static_cast<std::uint32_t>(id >> 32);
    *half++ = static_cast<std::uint32_t>(id);
  }
  return packed;
}

IdempotencyTokens::State IdempotencyTokens::Begin(Api api, std::string_view token,
                                                  const RequestDigest& digest, std::int64_t now_ms,
                                                  std::vector<std::uint32_t>* size_bytes) {
  const Token key = DigestOf(api, token);
  MutexLock lock(mutex_);
  Expire(now_ms);
  MakeRoom(entries_);
  const auto [found, is_new] = entries_.try_emplace(key);
  Entry& entry = found->second;
  if (is_new || !IsKnown(entry, now_ms)) {
    entry = {.digest = digest, .completed = nullptr, .generation = generation_};
    ++in_progress_;
    return State::kNew;
  }
  if (entry.digest != digest) return State::kMismatch;
  if (!entry.completed) return State::kInProgress;
  const std::uint32_t* const sizes = entry.completed.get() + kCounts;
  size_bytes->assign(sizes, sizes + entry.completed[0]);
  return State::kReplay;
}

void IdempotencyTokens::Complete(Api api, std::string_view token, std::int64_t now_ms,
                                 const CompletedRequest& completed) {
  const Token key = DigestOf(api, token);
  auto packed = Pack(completed);
  MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.completed) return;
  --in_progress_;
  if (UsedForgottenTable(packed.get())) {
    entries_.erase(found);
    return;
  }
  Entry& entry = found->second;
  entry.completed = std::move(packed);
  entry.expiry_epoch_ms = now_ms + kLifetimeMs;
  // The generation is the one at Begin: what the request wrote before a Clear does not exist any
  // more.
  expiries_.push_back({entry.expiry_epoch_ms, key, entry.generation});
  if (entry.generation == generation_) {
    newest_expiry_epoch_ms_ = std::max(newest_expiry_epoch_ms_, entry.expiry_epoch_ms);
  }
}

void IdempotencyTokens::Restore(const TokenRecord& record) {
  auto packed = Pack(record.completed);
  MutexLock lock(mutex_);
  const auto [found, is_new] = entries_.try_emplace(record.token);
  if (!is_new) return;
  found->second = {.digest = record.request,
                   .completed = std::move(packed),
                   .expiry_epoch_ms = record.expiry_epoch_ms,
                   .generation = generation_};
  expiries_.push_back({record.expiry_epoch_ms, record.token, generation_});
  newest_expiry_epoch_ms_ = std::max(newest_expiry_epoch_ms_, record.expiry_epoch_ms);
}

void IdempotencyTokens::Abandon(Api api, std::string_view token) {
  const Token key = DigestOf(api, token);
  MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.completed) return;
  --in_progress_;
  entries_.erase(found);
}

void IdempotencyTokens::Clear() {
  MutexLock lock(mutex_);
  ++generation_;
  newest_expiry_epoch_ms_ = INT64_MIN;
}

void IdempotencyTokens::ForgetTable(std::uint64_t table_id, std::int64_t now_ms) {
  MutexLock lock(mutex_);
  ExpireForgottenTables(now_ms);
  if (entries_.empty()) return;
  // If the clock was set back, some tokens live longer than a token that is completed now.
  forgotten_.push_back({std::max(now_ms + kLifetimeMs, newest_expiry_epoch_ms_), table_id});
  forgotten_tables_.insert(table_id);
}

bool IdempotencyTokens::IsIdle(std::int64_t now_ms) const {
  MutexLock lock(mutex_);
  return in_progress_ == 0 && newest_expiry_epoch_ms_ <= now_ms;
}

bool IdempotencyTokens::UsedForgottenTable(const std::uint32_t* completed) const {
  if (forgotten_tables_.empty()) return false;
  const std::uint32_t* half = completed + kCounts + completed[0];
  for (const std::uint32_t* const end = half + 2 * completed[1]; half != end; half += 2) {
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
  if (!entry.completed) return true;
  return entry.generation == generation_ && entry.expiry_epoch_ms > now_ms &&
         !UsedForgottenTable(entry.completed.get());
}

// Tokens are dropped in the order of completion, which is the order of expiry unless the clock was
// set back. A token that was completed far in what is now the future is dropped too, as otherwise
// the tokens behind it would wait for it.
void IdempotencyTokens::Expire(std::int64_t now_ms) {
  for (int cleared = 0; !expiries_.empty() && cleared < kMostFreedAtOnce;) {
    const Expiry& first = expiries_.front();
    const bool is_over = first.epoch_ms <= now_ms || first.epoch_ms - now_ms > 2 * kLifetimeMs;
    if (!is_over && first.generation == generation_) return;
    if (!is_over) ++cleared;
    const auto found = entries_.find(first.token);
    // Another request may use the token by now.
    const bool is_same = found != entries_.end() && found->second.completed &&
                         found->second.expiry_epoch_ms == first.epoch_ms &&
                         found->second.generation == first.generation;
    if (is_same) entries_.erase(found);
    expiries_.pop_front();
  }
}

}  // namespace hashrange
