#include "operation/authentication.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

namespace hashrange {
namespace {

// The parameters of "AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…".
struct HeaderParameters {
  std::optional<std::string_view> credential;
  std::optional<std::string_view> signature;
  std::optional<std::string_view> signed_headers;
};

void SetHeaderParameter(std::string_view field, HeaderParameters* parameters) {
  const std::size_t equals = field.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view name = field.substr(0, equals);
  const std::string_view value = field.substr(equals + 1);
  if (name == "Credential") parameters->credential = value;
  if (name == "Signature") parameters->signature = value;
  if (name == "SignedHeaders") parameters->signed_headers = value;
}

// Removes the text up to and including the first `separator`; returns it without the separator.
std::string_view TakeUntil(char separator, std::string_view* text) {
  const std::size_t at = text->find(separator);
  const std::string_view field = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + 1);
  return field;
}

// Returns the parameters of the header. Its fields are separated by blanks and commas; the first
// field names the algorithm and is skipped. Nearly every request has this header, so the function
// searches for the next separator instead of looking at each byte.
HeaderParameters ReadAuthorizationHeader(std::string_view header) {
  HeaderParameters parameters;
  bool is_first = true;
  while (!header.empty()) {
    for (std::string_view part = TakeUntil(',', &header); !part.empty(); is_first = false) {
      const std::string_view field = TakeUntil(' ', &part);
      if (!is_first) SetHeaderParameter(field, &parameters);
    }
  }
  return parameters;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string_view PercentDecode(std::string_view text, Arena& arena) {
  char* out = arena.AllocateBytes(text.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
                           HexDigit(text[i + 2]) >= 0;
    if (is_escape) {
      out[size++] = static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out[size++] = text[i];
    }
  }
  return {out, size};
}

std::optional<std::string_view> QueryParameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view field = query.substr(0, end);
    if (field == name) return std::string_view();
    if (field.starts_with(name) && field[name.size()] == '=') return field.substr(name.size() + 1);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return std::nullopt;
}

// How the caller of a credential is found.
struct CallerSearch {
  KeyOwners owners;
  Arena& arena;
};

// Returns the caller of "AKID/date/region/service/aws4_request".
Caller CallerOfCredential(std::string_view credential, const CallerSearch& search) {
  const std::string_view access_key = TakeUntil('/', &credential);
  TakeUntil('/', &credential);
  Caller caller = CallerOf(access_key, TakeUntil('/', &credential));
  if (search.owners == KeyOwners::kEachKey) {
    char* const digits = search.arena.AllocateBytes(kAccountDigits);
    caller.account_id =
        AccountOfKey(access_key, std::span<char, kAccountDigits>(digits, kAccountDigits));
  }
  return caller;
}

Result<Caller> CallerFromHeader(const ApiRequest& request, const CallerSearch& search) {
  const std::string_view header = *request.authorization;
  const HeaderParameters parameters = ReadAuthorizationHeader(header);
  std::string missing;
  const auto require = [&](const std::optional<std::string_view>& value, std::string_view name) {
    if (value) return;
    missing.append("Authorization header requires '").append(name).append("' parameter. ");
  };
  require(parameters.credential, "Credential");
  require(parameters.signature, "Signature");
  require(parameters.signed_headers, "SignedHeaders");
  if (!request.has_date) {
    missing.append(
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (!missing.empty()) {
    return Error{ErrorCode::kIncompleteSignatureException,
                 missing.append("Authorization=").append(header), nullptr};
  }
  return CallerOfCredential(*parameters.credential, search);
}

Result<Caller> CallerFromQuery(const ApiRequest& request, const CallerSearch& search) {
  std::string missing;
  for (std::string_view name : {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature",
                                "X-Amz-SignedHeaders", "X-Amz-Date"}) {
    if (!QueryParameter(request.query, name)) {
      missing.append("AWS query-string parameters must include '").append(name).append("'. ");
    }
  }
  if (!missing.empty()) {
    return Error{ErrorCode::kIncompleteSignatureException,
                 missing.append("Re-examine the query-string parameters."), nullptr};
  }
  return CallerOfCredential(
      PercentDecode(*QueryParameter(request.query, "X-Amz-Credential"), search.arena), search);
}

}  // namespace

Result<Caller> Authenticate(const ApiRequest& request, KeyOwners owners, Arena& arena) {
  const CallerSearch search{owners, arena};
  // An empty X-Amz-Algorithm counts as missing.
  const bool in_query = !QueryParameter(request.query, "X-Amz-Algorithm").value_or("").empty();
  if (request.authorization && in_query) {
    return Error{ErrorCode::kInvalidSignatureException,
                 "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
                 "header.",
                 nullptr};
  }
  if (in_query) return CallerFromQuery(request, search);
  if (!request.authorization || !request.authorization->starts_with("AWS4-")) {
    return Error{ErrorCode::kMissingAuthenticationTokenException,
                 "Request is missing Authentication Token", nullptr};
  }
  return CallerFromHeader(request, search);
}

}  // namespace hashrange
