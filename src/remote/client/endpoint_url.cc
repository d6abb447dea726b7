#include "remote/client/endpoint_url.h"

#include <algorithm>

#include "base/text/parse_whole.h"
#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::size_t kMostHostBytes = 253;

constexpr std::string_view kAwsDomains[] = {".amazonaws.com", ".amazonaws.com.cn", ".amazonaws.eu",
                                            ".api.aws", ".api.amazonwebservices.com.cn"};
constexpr std::string_view kNamesOfDynamoDb[] = {"dynamodb", "dynamodb-fips", "ddb"};

bool IsLowerLetter(char c) { return c >= 'a' && c <= 'z'; }

// What stands before an "@" may be a password, and is not repeated.
Error UrlError(std::string_view text, std::string_view why) {
  std::string message = "\"";
  if (const std::size_t at = text.rfind('@'); at != text.npos) {
    message += "…";
    text.remove_prefix(at);
  }
  message.append(text.substr(0, 200)).append("\" is no endpoint: ").append(why);
  return ValidationError(std::move(message));
}

bool IsHostCharacter(char c) {
  return IsDigit(c) || IsLowerLetter(LowerCase(c)) || c == '-' || c == '.' || c == '_';
}

bool IsAddressCharacter(char c) {
  return IsDigit(c) || (LowerCase(c) >= 'a' && LowerCase(c) <= 'f') || c == ':' || c == '.' ||
         c == '%';
}

// A path is sent as it is written, so it has no character that would need an escape.
bool IsPathCharacter(char c) {
  return IsHostCharacter(c) || c == '/' || c == '~' || c == '%' || c == ':';
}

// Takes the port from the end of "host:port" or "[::1]:port"; 0 when the text after the colon is no
// port.
std::uint16_t TakePort(std::string_view& authority, std::uint16_t usual) {
  const std::size_t colon = authority.rfind(':');
  const std::size_t bracket = authority.rfind(']');
  if (colon == authority.npos || (bracket != authority.npos && colon < bracket)) return usual;
  const std::string_view text = authority.substr(colon + 1);
  authority = authority.substr(0, colon);
  return ParseWhole<std::uint16_t>(text).value_or(0);
}

// Returns the last label of a name such as "dynamodb.eu-west-1", and removes it.
std::string_view TakeLastLabel(std::string_view& name) {
  const std::size_t dot = name.rfind('.');
  const std::string_view label = dot == name.npos ? name : name.substr(dot + 1);
  name = dot == name.npos ? std::string_view() : name.substr(0, dot);
  return label;
}

// Returns the Region of a host of DynamoDB; empty for any other host:
//
//   dynamodb.eu-west-1.amazonaws.com            dynamodb-fips.us-east-2.amazonaws.com
//   streams.dynamodb.eu-west-1.amazonaws.com    111122223333.ddb.eu-west-1.amazonaws.com
//   vpce-0a1b-2c3d.dynamodb.eu-west-1.vpce.amazonaws.com
std::string_view RegionOfDynamoDb(std::string_view host) {
  for (const std::string_view domain : kAwsDomains) {
    if (!host.ends_with(domain)) continue;
    std::string_view name = host.substr(0, host.size() - domain.size());
    if (name.ends_with(".vpce")) name.remove_suffix(5);
    const std::string_view region = TakeLastLabel(name);
    const std::string_view service = TakeLastLabel(name);
    const bool is_dynamodb =
        std::ranges::find(kNamesOfDynamoDb, service) != std::end(kNamesOfDynamoDb);
    return is_dynamodb ? region : std::string_view();
  }
  return {};
}

}  // namespace

std::string EndpointUrl::HostHeader() const {
  const bool is_ipv6 = host.find(':') != host.npos;
  std::string text = is_ipv6 ? "[" + host + "]" : host;
  if (port != (is_tls ? kHttpsPort : kHttpPort)) text += ":" + std::to_string(port);
  return text;
}

std::string EndpointUrl::Text() const {
  std::string text = is_tls ? "https://" : "http://";
  text += HostHeader();
  if (path != "/") text += path;
  return text;
}

Result<EndpointUrl> ParseEndpointUrl(std::string_view text) {
  EndpointUrl url;
  std::string_view rest = text;
  const std::string scheme = LowerCase(rest.substr(0, 8));
  if (scheme.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (scheme == "https://") {
    url.is_tls = true;
    rest.remove_prefix(8);
  } else {
    return UrlError(text, "it begins with http:// or https://");
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  url.path = slash < rest.size() ? std::string(rest.substr(slash)) : "/";
  if (authority.find('@') != authority.npos) {
    return UrlError(text, "a user's name does not belong into it");
  }
  if (!std::ranges::all_of(url.path, IsPathCharacter)) {
    return UrlError(text, "its path has letters, digits and the characters /-._~%: only");
  }
  url.port = TakePort(authority, url.is_tls ? kHttpsPort : kHttpPort);
  if (url.port == 0) return UrlError(text, "its port is a number from 1 to 65535");
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
    if (authority.find(':') == authority.npos ||
        !std::ranges::all_of(authority, IsAddressCharacter)) {
      return UrlError(text, "an IPv6 address stands between brackets");
    }
  } else if (!std::ranges::all_of(authority, IsHostCharacter)) {
    return UrlError(text, "its host is a name or an IP address");
  }
  if (authority.ends_with('.')) authority.remove_suffix(1);
  if (authority.empty() || authority.size() > kMostHostBytes) {
    return UrlError(text, "its host has from 1 to 253 characters");
  }
  url.host = LowerCase(authority);
  return url;
}

Result<EndpointUrl> DynamoDbEndpoint(std::string_view region) {
  if (!IsRegionName(region)) {
    return ValidationError("\"" + std::string(region.substr(0, 200)) +
                           "\" is no Region: a Region is written as in eu-west-1");
  }
  EndpointUrl url;
  url.is_tls = true;
  url.port = kHttpsPort;
  url.host = "dynamodb." + std::string(region);
  if (region.starts_with("cn-")) {
    url.host += ".amazonaws.com.cn";
  } else {
    url.host += region.starts_with("eusc-") ? ".amazonaws.eu" : ".amazonaws.com";
  }
  return url;
}

bool IsRegionName(std::string_view text) {
  constexpr std::size_t kMostBytes = 64;
  return !text.empty() && text.size() <= kMostBytes && std::ranges::all_of(text, [](char c) {
    return IsDigit(c) || IsLowerLetter(c) || c == '-';
  });
}

bool IsAwsEndpoint(const EndpointUrl& url) { return !RegionOfDynamoDb(url.host).empty(); }

std::string RegionOfEndpoint(const EndpointUrl& url) {
  return std::string(RegionOfDynamoDb(url.host));
}

}  // namespace hashrange
