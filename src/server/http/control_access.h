// Decides who may use the control API: programs on this machine, or a caller with the token; never
// a web page of another site. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/http_request.h"
#include "server/http/refusal.h"

namespace hashrange {

// Returns whether `path`, given without its query, belongs to the control API.
bool IsControlPath(std::string_view path);

// Returns why the request is refused, with status 400, 401 or 403; nothing when it is allowed.
// A page of another origin is always refused, and so is a request that is ambiguous (HttpRequest).
// With a `token`, any other caller that sends it is allowed. With an empty `token`, the peer must
// be on this machine, and Host must be a name of this machine: otherwise a site could make its own
// name resolve to 127.0.0.1 and call from a browser. Without a token a proxy on this machine is
// refused, too, since it acts for somebody else.
std::optional<Refusal> RefuseControl(const HttpRequest& request, bool is_loopback_peer,
                                     std::string_view token);

}  // namespace hashrange
