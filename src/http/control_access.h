// Who may control the server: this machine, or who knows the token; never a page that a
// browser has from elsewhere. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "http/http_request.h"
#include "http/refusal.h"

namespace hashrange {

// Whether a request for `path`, without its query, is for the control API at all.
bool IsControlPath(std::string_view path);

// Why this one is refused, with 400, 401 or 403; nothing when it is let in. `token`: empty when
// there is none, and then only a peer on this machine that asked for it by a name of this machine
// is let in, so that no name elsewhere that was made to mean 127.0.0.1 leads a browser here; and no
// proxy on this machine, which asks for somebody else.
std::optional<Refusal> RefuseControl(const HttpRequest& request, bool is_loopback_peer,
                                     std::string_view token);

}  // namespace hashrange
