// Who may control the server: this machine, or who knows the token; never a page that a
// browser has from elsewhere. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "http/http_request.h"

namespace hashrange {

// Whether a request for `path`, without its query, is for the control API at all.
bool IsControlPath(std::string_view path);

struct ControlRefusal {
  int http_status;            // 400, 401 or 403
  std::string_view sentence;  // what is wrong, for people
};

// Why this one is refused; nothing when it is let in. `token`: empty when there is none, and then
// only a peer on this machine that asked for it by a name of this machine is let in, so that no
// name elsewhere that was made to mean 127.0.0.1 leads a browser here.
std::optional<ControlRefusal> RefuseControl(const HttpRequest& request, bool is_loopback_peer,
                                            std::string_view token);

}  // namespace hashrange
