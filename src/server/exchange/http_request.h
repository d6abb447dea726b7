// HttpRequest: the parts of one request that the server uses, as views into the connection's
// buffer. Header fields that have no effect are not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hashrange {

// The limits of docs/service/01-wire-protocol.md, sections 1 and 2.
inline constexpr std::size_t kMaxBodyBytes = 16 << 20;
inline constexpr std::size_t kMaxHeadBytes = 16 << 10;

enum class HttpMethod : std::uint8_t { kGet, kHead, kPost, kOptions, kDelete, kOther };

struct HttpRequest {
  HttpMethod method = HttpMethod::kOther;
  std::string_view path;
  std::string_view query;         // what follows '?' in the URL
  std::string_view host;          // Host; empty when absent
  std::string_view content_type;  // as sent; empty when absent
  std::string_view api_target;    // X-Amz-Target; empty when absent
  std::string_view pattern;       // X-Hashrange-Pattern; empty when absent
  std::string_view user_agent;    // User-Agent; empty when absent
  std::optional<std::string_view> authorization;
  std::optional<std::string_view> requested_headers;  // Access-Control-Request-Headers
  std::optional<std::string_view> requested_method;   // Access-Control-Request-Method
  std::optional<std::string_view> origin;             // Origin
  std::optional<std::string_view> fetch_site;         // Sec-Fetch-Site
  std::optional<std::string_view> accept_encoding;    // Accept-Encoding
  std::optional<std::string_view> if_none_match;      // If-None-Match
  // Host, Origin, Sec-Fetch-Site or Authorization is sent twice; the members hold the last one.
  bool is_ambiguous = false;
  bool is_forwarded = false;  // a proxy added the field Forwarded or X-Forwarded-…
  bool has_date = false;      // X-Amz-Date or Date
  bool is_http_1_0 = false;
  bool keep_alive = true;        // the client wants to use the connection again
  std::uint64_t connection = 0;  // unique in the process; not 0
  bool may_leave = true;         // see ApiAnswer::body_to_repeat
  std::span<char> body;          // without chunk framing; the byte behind it is writable
};

}  // namespace hashrange
