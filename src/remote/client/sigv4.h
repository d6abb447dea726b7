// Signature Version 4: the signature by which AWS knows who sends a request (AWS's IAM User Guide,
// "Create a signed AWS API request"). Pure functions; any thread.
//
//   canonical request   the method, path, query, headers and the body's digest, in one fixed form
//   string to sign      time, scope (day, Region, service), the canonical request's digest
//   signing key         HMACs of the secret key over the parts of the scope
//   signature           the HMAC of the string to sign with the signing key
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "remote/client/credential_source.h"

namespace hashrange {

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

// A request before it is signed.
struct UnsignedRequest {
  std::string_view method = "POST";
  // The path and, after "?", the query, as they are sent.
  std::string_view target = "/";
  // With Host. X-Amz-Date is not among them.
  const HeaderFields& headers;
  std::string_view body = {};
};

struct SigningScope {
  std::string_view region = {};
  std::string_view service = "dynamodb";
  std::int64_t epoch_ms = 0;
};

// Returns the form of the request that is signed, from its method to the digest of its body.
std::string CanonicalRequest(const UnsignedRequest& request, std::int64_t epoch_ms);

// Returns the headers to add: X-Amz-Date, X-Amz-Security-Token if the keys have one, Authorization.
HeaderFields SignatureHeaders(const UnsignedRequest& request, const SigningScope& scope,
                              const SigningKeys& keys);

using Sha256Digest = std::array<std::uint8_t, 32>;

Sha256Digest Sha256(std::string_view bytes);
// Returns the digest as 64 digits from 0 to f.
std::string HexText(const Sha256Digest& digest);

}  // namespace hashrange
