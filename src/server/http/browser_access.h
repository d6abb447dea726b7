// BrowserAccess decides which web pages may call the server. A browser runs pages of any site on
// the user's machine, where the server answers every program, so two headers are checked:
//
//   Origin   says which page sends the request. Pages of this machine (localhost, a name below
//            localhost, or a loopback address, with any port) and the origins of --cors are
//            allowed.
//   Host     says by which name the page calls the server. It is checked only if the server
//            listens on nothing but loopback addresses. Names of this machine, IP addresses and
//            the names of --allow-host are allowed. Any other name may be an attack: a site made
//            its own name resolve to 127.0.0.1, so that the browser takes the server for a part of
//            that site (DNS rebinding).
//
// A program that is not a browser sends no Origin, and its Host names the server: it is not
// affected. Thread-safe, except EnableHostCheck, which is called before the first request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/repeat_limit.h"
#include "server/http/http_request.h"
#include "server/http/refusal.h"

namespace hashrange {

class BrowserAccess {
 public:
  // `origins`: origins that are allowed besides those of this machine, such as
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

}  // namespace hashrange
