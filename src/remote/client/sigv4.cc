#include "remote/client/sigv4.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <new>

#include "base/text/short_text.h"
#include "base/text/text_encodings.h"
#include "base/text/time_text.h"

namespace hashrange {
namespace {

const unsigned char* Data(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

Sha256Digest HmacSha256(std::string_view key, std::string_view bytes) {
  Sha256Digest digest;
  unsigned int size = 0;
  // It fails for want of memory only.
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Data(bytes), bytes.size(),
           digest.data(), &size) == nullptr) {
    throw std::bad_alloc();
  }
  return digest;
}

// Returns the bytes of a digest, as a key for the next HmacSha256.
std::string_view BytesOf(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// Returns "20150830T123600Z".
std::string BasicInstant(std::int64_t epoch_ms) {
  std::string text = InstantText(epoch_ms);  // 2015-08-30T12:36:00.000Z
  text.resize(text.find('.'));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "Z";
}

bool IsUnreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// Escapes all but the unreserved characters, and leaves the character `kept` as it is.
void AppendEscaped(std::string_view text, std::string& out, char kept = '-') {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c) || c == kept) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xf];
  }
}

// Returns the path without the segments "", "." and "..", each other segment escaped once more.
std::string CanonicalPath(std::string_view path) {
  std::vector<std::string_view> segments;
  const bool ends_with_slash = path.ends_with('/');
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(segment.size() + 1, path.size()));
    if (segment.empty() || segment == ".") continue;
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else {
      segments.push_back(segment);
    }
  }
  std::string canonical;
  for (const std::string_view segment : segments) {
    canonical += '/';
    AppendEscaped(segment, canonical);
  }
  if (canonical.empty() || ends_with_slash) canonical += '/';
  return canonical;
}

// Returns the parameters, in the order of their names and then of their values. What is escaped in
// them already stays so.
std::string CanonicalQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    const std::string_view name = parameter.substr(0, parameter.find('='));
    auto& [canonical_name, value] = parameters.emplace_back();
    AppendEscaped(name, canonical_name, '%');
    AppendEscaped(parameter.substr(std::min(name.size() + 1, parameter.size())), value, '%');
  }
  std::ranges::sort(parameters);
  std::string canonical;
  for (const auto& [name, value] : parameters) {
    if (!canonical.empty()) canonical += '&';
    canonical.append(name).append("=").append(value);
  }
  return canonical;
}

// Returns the value without spaces at its ends, and with one space for each run of them.
std::string CanonicalValue(std::string_view value) {
  std::string canonical;
  for (const char c : value) {
    const bool is_space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!is_space) {
      canonical += c;
    } else if (!canonical.empty() && canonical.back() != ' ') {
      canonical += ' ';
    }
  }
  if (canonical.ends_with(' ')) canonical.pop_back();
  return canonical;
}

// Names in lower case and canonical values, in the order of the names. Fields of one name are one,
// with their values in the order in which they were given.
HeaderFields CanonicalHeaders(const UnsignedRequest& request, std::int64_t epoch_ms) {
  HeaderFields fields;
  for (const auto& [name, value] : request.headers) {
    fields.emplace_back(LowerCase(name), CanonicalValue(value));
  }
  fields.emplace_back("x-amz-date", BasicInstant(epoch_ms));
  std::ranges::stable_sort(fields, {}, &HeaderFields::value_type::first);
  HeaderFields merged;
  for (auto& field : fields) {
    if (!merged.empty() && merged.back().first == field.first) {
      merged.back().second += "," + field.second;
    } else {
      merged.push_back(std::move(field));
    }
  }
  return merged;
}

std::string SignedHeaders(const HeaderFields& canonical) {
  std::string names;
  for (const auto& [name, value] : canonical) {
    if (!names.empty()) names += ';';
    names += name;
  }
  return names;
}

std::string CanonicalText(const UnsignedRequest& request, const HeaderFields& headers) {
  const std::size_t question = std::min(request.target.find('?'), request.target.size());
  std::string text(request.method);
  text += '\n';
  text += CanonicalPath(request.target.substr(0, question));
  text += '\n';
  text += CanonicalQuery(request.target.substr(std::min(question + 1, request.target.size())));
  text += '\n';
  for (const auto& [name, value] : headers) text.append(name).append(":").append(value) += '\n';
  text += '\n';
  text += SignedHeaders(headers);
  text += '\n';
  return text + HexText(Sha256(request.body));
}

Sha256Digest SigningKey(const SigningScope& scope, std::string_view day, std::string_view secret) {
  const Sha256Digest dated = HmacSha256("AWS4" + std::string(secret), day);
  const Sha256Digest regional = HmacSha256(BytesOf(dated), scope.region);
  return HmacSha256(BytesOf(HmacSha256(BytesOf(regional), scope.service)), "aws4_request");
}

}  // namespace

std::string CanonicalRequest(const UnsignedRequest& request, std::int64_t epoch_ms) {
  return CanonicalText(request, CanonicalHeaders(request, epoch_ms));
}

HeaderFields SignatureHeaders(const UnsignedRequest& request, const SigningScope& scope,
                              const SigningKeys& keys) {
  HeaderFields all = request.headers;
  HeaderFields added;
  if (!keys.session_token.empty()) {
    all.emplace_back("X-Amz-Security-Token", keys.session_token);
    added.push_back(all.back());
  }
  const UnsignedRequest whole = {request.method, request.target, all, request.body};
  const HeaderFields canonical = CanonicalHeaders(whole, scope.epoch_ms);
  const std::string instant = BasicInstant(scope.epoch_ms);
  const std::string day = instant.substr(0, 8);
  const std::string where =
      day + "/" + std::string(scope.region) + "/" + std::string(scope.service) + "/aws4_request";
  std::string to_sign(kAlgorithm);
  to_sign +=
      "\n" + instant + "\n" + where + "\n" + HexText(Sha256(CanonicalText(whole, canonical)));
  const Sha256Digest key = SigningKey(scope, day, keys.secret_key);
  std::string authorization(kAlgorithm);
  authorization += " Credential=" + keys.access_key + "/" + where;
  authorization += ", SignedHeaders=" + SignedHeaders(canonical);
  authorization += ", Signature=" + HexText(HmacSha256(BytesOf(key), to_sign));
  added.emplace_back("X-Amz-Date", instant);
  added.emplace_back("Authorization", std::move(authorization));
  return added;
}

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  SHA256(Data(bytes), bytes.size(), digest.data());
  return digest;
}

std::string HexText(const Sha256Digest& digest) { return HexText(BytesOf(digest)); }

}  // namespace hashrange
