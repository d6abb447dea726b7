// Who may call the server: BrowserAccess decides which web pages may, RefuseControl who may use the
// control API.
//
// A browser runs pages of any site on the user's machine, where the server answers every program,
// so two headers are checked:
//
//   Origin   says which page sends the request. Pages of this machine (localhost, a name below
//            localhost, or a loopback address, with any port) and the origins of --cors are
//            allowed. So is the server's own page, the console, when it was opened by an address,
//            by a name of this machine or by a name of --allow-host.
//   Host     says by which name the page calls the server. It is checked only if the server
//            listens on nothing but loopback addresses. Names of this machine, IP addresses and
//            the names of --allow-host are allowed. Any other name may be an attack: a site made
//            its own name resolve to 127.0.0.1, so that the browser takes the server for a part of
//            that site (DNS rebinding).
//
// A program that is not a browser sends no Origin, and its Host names the server: it is not
// affected.
//
// The control API is for programs on this machine, or for callers with the token; never for a web
// page of another site.
//
// Thread-safe, except BrowserAccess::EnableHostCheck, which is called before the first request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "server/exchange/http_answer.h"
#include "server/exchange/http_request.h"

namespace hashrange {

class BrowserAccess {
 public:
  // `origins`: origins that are allowed besides the origins of this machine, such as
  // "https://app.example:3000"; "*" allows all.
  // `hosts`: names of the server that are allowed besides this machine's.
  BrowserAccess(std::vector<std::string> origins, std::vector<std::string> hosts);

  // Switches the check of Host on: the server listens on `port` of loopback addresses only. Called
  // before the server answers requests.
  void EnableHostCheck(std::uint16_t port);

  // Returns the options that let pages of any site call, as "--cors *"; empty: there is none.
  std::string OpenOrigins() const;

  // Returns why the request is refused; nothing when it is allowed.
  std::optional<Refusal> Refuse(const HttpRequest& request) const;
  // Returns the value of Access-Control-Allow-Origin for an allowed request that has an Origin: "*"
  // or that origin.
  std::string_view AllowedOrigin(const HttpRequest& request) const;

 private:
  bool IsAllowedOrigin(std::string_view origin) const;
  bool IsAllowedHost(std::string_view host) const;
  // Returns whether the server's own page sends the request. A page that was opened by an unknown
  // name is not taken for its own, since a site may have made that name resolve to the server.
  bool IsOwnPage(const HttpRequest& request) const;
  Refusal RefuseOrigin(std::string_view origin) const;

  const std::vector<std::string> origins_;
  const std::vector<std::string> hosts_;
  const bool allows_any_origin_;
  bool checks_host_ = false;
  std::vector<std::string> usual_hosts_;  // the Host of most requests, compared first to save time
  mutable RepeatLimit refused_;           // limits how often the log names a refused origin
};

// Returns whether a browser may send `text` as an Origin: "null", or a scheme, "://" and a host
// without '*', perhaps with a port. A slash at the end, which no browser sends, is accepted, too.
bool IsOrigin(std::string_view text);

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
