// IdempotencyTokens: which client request tokens an account has used in the last ten
// minutes, per API. An SDK sends one with every transaction, so they are kept small, about
// 160 bytes each: of the token and of the parsed request a 128-bit digest, the time, the tables
// it wrote to, and the sizes a replay is charged for (docs/service/10-transactions.md,
// sections 6 and 8). The clock may be set back: a token is known while less than its time has
// passed since. Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace hashrange {

using RequestDigest = std::array<std::uint8_t, 16>;

class IdempotencyTokens {
 public:
  enum class State {
    kNew,         // reserved for the caller, who owes Complete or Abandon
    kInProgress,  // another request with this token is being executed
    kReplay,      // done before with the same digest
    kMismatch,    // done before, or being done, with another digest
  };

  // Which API the token belongs to.
  enum class Api : std::uint8_t { kTransactWriteItems, kExecuteTransaction };

  using TableIds = std::vector<std::uint64_t>;

  static constexpr std::int64_t kLifetimeMs = 10 * 60 * 1000;

  // What a request with `token` is to do. On kReplay `*size_bytes` gets the sizes given to
  // Complete.
  State Begin(Api api, std::string_view token, const RequestDigest& digest, std::int64_t now_ms,
              std::vector<std::uint32_t>* size_bytes);
  // What there is to say of a request that succeeded.
  struct Done {
    std::vector<std::uint32_t> size_bytes;
    TableIds tables;  // each that it used once, by Table::id
  };
  // The request succeeded: the token is known for kLifetimeMs from now on. Only after
  // kNew, like Abandon.
  void Complete(Api api, std::string_view token, std::int64_t now_ms, const Done& done);
  // The request failed: the token is unknown again.
  void Abandon(Api api, std::string_view token);

  // Every token of a request that has succeeded is unknown again; one of a request under way is
  // when that ends. Cost: O(1); the memory is given back by what begins later.
  void Clear();
  // The same for the requests that used that table.
  void ForgetTable(std::uint64_t table_id, std::int64_t now_ms);

  // Whether no token is known and no request is under way.
  bool IsIdle(std::int64_t now_ms) const;

 private:
  using Token = std::array<std::uint8_t, 16>;  // a digest, different for each API

  struct TokenHash {
    std::size_t operator()(const Token& token) const {
      std::size_t hash;
      std::memcpy(&hash, token.data(), sizeof(hash));
      return hash;
    }
  };
  struct Entry {
    RequestDigest digest;
    // In one block: how many sizes, how many tables, the sizes, the two halves of each table's id.
    // Null while the request is under way.
    std::unique_ptr<std::uint32_t[]> done;
    std::int64_t expiry_epoch_ms = 0;
    std::uint32_t generation = 0;
  };
  struct ForgottenTable {
    std::int64_t epoch_ms;  // when every token that knows it has expired
    std::uint64_t id;
  };
  struct Expiry {
    std::int64_t epoch_ms;
    Token token;
    std::uint32_t generation;
  };

  static Token TokenOf(Api api, std::string_view token);
  static std::unique_ptr<std::uint32_t[]> Pack(const Done& done);
  // These with the lock held.
  bool IsKnown(const Entry& entry, std::int64_t now_ms) const;
  bool UsedForgottenTable(const std::uint32_t* done) const;
  void Expire(std::int64_t now_ms);
  void ExpireForgottenTables(std::int64_t now_ms);

  mutable std::mutex mutex_;  // guards what follows
  absl::flat_hash_map<Token, Entry, TokenHash> entries_;
  std::deque<Expiry> expiries_;   // of the complete ones, in the order of their completion
  std::uint32_t generation_ = 0;  // counts Clear; what was completed before is unknown
  std::size_t in_progress_ = 0;   // how many of the entries
  std::int64_t newest_expiry_epoch_ms_ = INT64_MIN;  // since the last Clear
  absl::flat_hash_set<std::uint64_t> forgotten_tables_;
  std::deque<ForgottenTable> forgotten_;  // the same, in the order of ForgetTable
};

}  // namespace hashrange
