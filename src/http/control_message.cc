#include "http/control_message.h"

#include <algorithm>
#include <string_view>

namespace hashrange {
namespace {

std::string_view NameOf(HttpMethod method) {
  switch (method) {
    case HttpMethod::kGet:
      return "GET";
    case HttpMethod::kPost:
      return "POST";
    case HttpMethod::kDelete:
      return "DELETE";
    case HttpMethod::kHead:
      return "HEAD";
    default:
      return "another method";
  }
}

}  // namespace

ControlRequest ControlRequestOf(const HttpRequest& request) {
  constexpr std::size_t kBefore = sizeof(kControlPath) - 1;
  return {.method = std::string(NameOf(request.method)),
          .path = std::string(request.path.substr(std::min(kBefore, request.path.size()))),
          .query = std::string(request.query),
          .body = std::string(request.body.data(), request.body.size())};
}

}  // namespace hashrange
