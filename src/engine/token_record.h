// TokenRecord: a client request token that stands for a transaction which succeeded, as a server
// that keeps its data stores it together with the transaction's changes
// (engine/idempotency_tokens.h). EncodeToken and DecodeToken are pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hashrange {

// A digest of a token, different for each API.
using TokenDigest = std::array<std::uint8_t, 16>;
using RequestDigest = std::array<std::uint8_t, 16>;

// What is remembered of a request that succeeded.
struct CompletedRequest {
  std::vector<std::uint32_t> size_bytes;
  std::vector<std::uint64_t> tables;  // the Table::id of each table that it used, without repeats
};

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

}  // namespace hashrange
