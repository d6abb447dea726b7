// IdempotencyTokens: which client request tokens an account has used in the last ten
// minutes, per API. A token keeps a 128-bit digest of the parsed request, its time and
// the sizes a replay is charged for, never the request itself (reference 10). Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/string_hash.h"

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

  static constexpr std::int64_t kLifetimeMs = 10 * 60 * 1000;

  // What a request with `token` is to do. On kReplay `*size_bytes` gets the sizes given to
  // Complete.
  State Begin(Api api, std::string_view token, const RequestDigest& digest, std::int64_t now_ms,
              std::vector<std::uint32_t>* size_bytes);
  // The request succeeded: the token is known for kLifetimeMs from now on. Only after
  // kNew, like Abandon.
  void Complete(Api api, std::string_view token, std::int64_t now_ms,
                std::vector<std::uint32_t> size_bytes);
  // The request failed: the token is unknown again.
  void Abandon(Api api, std::string_view token);

 private:
  struct Entry {
    RequestDigest digest;
    bool is_complete = false;
    std::vector<std::uint32_t> size_bytes;
  };
  struct Expiry {
    std::int64_t epoch_ms;
    Api api;
    std::string token;
  };
  using Tokens = absl::flat_hash_map<std::string, Entry, StringHash, StringEqual>;

  Tokens& TokensOf(Api api) { return tokens_[static_cast<std::size_t>(api)]; }
  void Expire(std::int64_t now_ms);

  std::mutex mutex_;
  std::array<Tokens, 2> tokens_;
  std::deque<Expiry> expiries_;  // of the complete ones, in the order of their completion
};

}  // namespace hashrange
