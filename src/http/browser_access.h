// BrowserAccess: which pages in a browser may call the server, and by which names of it. A browser
// runs pages of anybody, on the machine where the server listens for its user alone:
//
//   Origin   a page of this machine (localhost, a name below it, a loopback address; any port), or
//            one that --cors names; no other is answered
//   Host     a server that listens on loopback addresses only is asked by a name of this machine,
//            by an address, or by a name of --allow-host; another name was made to lead here, and
//            the browser takes its page for one of the server's own (DNS rebinding)
//
// Programs that are no browsers send no Origin and notice nothing. Thread-safe once it is set up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/repeat_limit.h"
#include "http/http_request.h"
#include "http/refusal.h"

namespace hashrange {

class BrowserAccess {
 public:
  // `origins`: of further pages, "https://app.example:3000", or "*" for all. `hosts`: further
  // names.
  BrowserAccess(std::vector<std::string> origins, std::vector<std::string> hosts);

  // The server listens on this port of loopback addresses, and on no other. Before it serves.
  void OnLoopbackOnly(std::uint16_t port);

  // Why the request is refused; nothing when it is let in.
  std::optional<Refusal> Refuse(const HttpRequest& request) const;
  // Access-Control-Allow-Origin of the answer to a request with an Origin that is let in: "*", or
  // its origin.
  std::string_view AllowedOrigin(const HttpRequest& request) const;

 private:
  bool IsAllowedOrigin(std::string_view origin) const;
  bool IsAllowedHost(std::string_view host) const;
  Refusal RefuseOrigin(std::string_view origin) const;

  const std::vector<std::string> origins_;
  const std::vector<std::string> hosts_;
  const bool allows_any_origin_;
  bool checks_host_ = false;
  std::vector<std::string>
      usual_hosts_;              // what most requests say, so that nothing else is looked at
  mutable RepeatLimit refused_;  // the log's lines
};

// Whether a browser may send it as an Origin: "null", or a scheme, "://" and a host.
bool IsOrigin(std::string_view text);

}  // namespace hashrange
