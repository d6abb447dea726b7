// IdempotencyTokens: the client request tokens that an account has used in the last ten
// minutes, for each API; TokenRecord is such a token as the store keeps it. An SDK sends a token
// with every transaction, so a token is kept in about 160 bytes: 128-bit digests of the token and
// of the parsed request, the time, the tables that the request wrote to, and the sizes that a
// replay is charged for (docs/service/10-transactions.md, section 6). The clock may be set back: a
// token is known until the clock has passed ten minutes after its completion. Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/memory/memory_reserve.h"
#include "base/result.h"
#include "base/threads.h"

namespace hashrange {

// A digest of a token, different for each API.
using TokenDigest = std::array<std::uint8_t, 16>;
using RequestDigest = std::array<std::uint8_t, 16>;

// What is remembered of a request that succeeded.
struct CompletedRequest {
  std::vector<std::uint32_t> size_bytes;
  std::vector<std::uint64_t> tables;  // the Table::id of each table that it used, without repeats
};

// A client request token that stands for a transaction which succeeded, as a server that keeps its
// data stores it together with the transaction's changes. EncodeToken and DecodeToken are pure.
struct TokenRecord {
  std::string account_id;
  std::string region;
  TokenDigest token = {};  // within its account and Region, a token has one record
  RequestDigest request = {};
  std::int64_t expiry_epoch_ms = 0;
  CompletedRequest completed;
};

std::string EncodeToken(const TokenRecord& record);
// Errors: InternalServerError  the bytes are no record of a token
Result<TokenRecord> DecodeToken(std::string_view bytes);

class IdempotencyTokens {
 public:
  enum class State {
    kNew,         // reserved for the caller, who must call Complete or Abandon
    kInProgress,  // another request with this token is being executed
    kReplay,      // a request with the same digest has succeeded before
    kMismatch,    // a request with another digest has succeeded before, or is being executed
  };

  // Which API the token belongs to.
  enum class Api : std::uint8_t { kTransactWriteItems, kExecuteTransaction };

  // Returns the digest under which a token is stored.
  static TokenDigest DigestOf(Api api, std::string_view token);

  static constexpr std::int64_t kLifetimeMs = 10 * 60 * 1000;

  // Returns what a request with `token` must do. On kReplay, sets `*size_bytes` to the sizes that
  // were given to Complete.
  State Begin(Api api, std::string_view token, const RequestDigest& digest, std::int64_t now_ms,
              std::vector<std::uint32_t>* size_bytes);
  // Ends a request that has succeeded: the token is known until kLifetimeMs after `now_ms`. Call
  // Complete or Abandon only after Begin has returned kNew. Takes memory from the thread's reserve
  // (base/memory/memory_reserve.h) if there is no other.
  void Complete(Api api, std::string_view token, std::int64_t now_ms,
                const CompletedRequest& completed);
  // Adds the token of a request that succeeded before the program was started, unless the token is
  // there. The records are restored in the order of their expiry, before the first request.
  void Restore(const TokenRecord& record);
  // Ends a request that has failed: the token is forgotten.
  void Abandon(Api api, std::string_view token);

  // Forgets every token of a request that has succeeded. The token of a request in progress is
  // forgotten when the request ends. Cost: O(1); later calls of Begin free the memory.
  void Clear();
  // Does what Clear does, but only for the tokens of requests that used the table.
  void ForgetTable(std::uint64_t table_id, std::int64_t now_ms);

  // Returns whether no token is known and no request is in progress.
  bool IsIdle(std::int64_t now_ms) const;

 private:
  using Token = TokenDigest;

  struct TokenHash {
    std::size_t operator()(const Token& token) const {
      std::size_t hash;
      std::memcpy(&hash, token.data(), sizeof(hash));
      return hash;
    }
  };
  struct FreePacked {
    void operator()(std::uint32_t* packed) const { FreeReserved(MemoryPart::kTokens, packed); }
  };
  using PackedRequest = std::unique_ptr<std::uint32_t[], FreePacked>;
  struct Entry {
    RequestDigest digest;
    // A packed CompletedRequest in one block: the number of sizes, the number of tables, the sizes,
    // the two halves of each table's id. Null while the request is in progress.
    PackedRequest completed;
    std::int64_t expiry_epoch_ms = 0;
    std::uint32_t generation = 0;
  };
  struct ForgottenTable {
    std::int64_t epoch_ms;  // when all tokens of requests that used the table have expired
    std::uint64_t id;
  };
  struct Expiry {
    std::int64_t epoch_ms;
    Token token;
    std::uint32_t generation;
  };

  static PackedRequest Pack(const CompletedRequest& completed);
  // The functions below are called with the lock held.
  bool IsKnown(const Entry& entry, std::int64_t now_ms) const;
  bool UsedForgottenTable(const std::uint32_t* completed) const;
  void Expire(std::int64_t now_ms);
  void ExpireForgottenTables(std::int64_t now_ms);

  mutable Mutex mutex_;  // guards what follows
  template <typename T>
  using Counted = ReservedAllocator<T, MemoryPart::kTokens>;
  absl::flat_hash_map<Token, Entry, TokenHash, std::equal_to<Token>,
                      Counted<std::pair<const Token, Entry>>>
      entries_;
  std::deque<Expiry, Counted<Expiry>>
      expiries_;                  // of the completed entries, in the order of their completion
  std::uint32_t generation_ = 0;  // the number of Clear calls; older completed entries are unknown
  std::size_t in_progress_ = 0;   // the number of entries in progress
  std::int64_t newest_expiry_epoch_ms_ = INT64_MIN;  // of entries completed since the last Clear
  std::unordered_set<std::uint64_t> forgotten_tables_;
  std::deque<ForgottenTable> forgotten_;  // the same tables, in the order of ForgetTable
};

}  // namespace hashrange
