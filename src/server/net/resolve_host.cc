#include "server/net/resolve_host.h"

#include <string_view>

#include "base/text/host_name.h"
#include "platform/net/host_lookup.h"

namespace hashrange {

std::vector<boost::asio::ip::address> ResolveHost(const std::string& host, std::string* reason) {
  namespace asio = boost::asio;
  boost::system::error_code is_a_name;
  const asio::ip::address literal = asio::ip::make_address(host, is_a_name);
  if (!is_a_name) return {literal};
  const bool ends_with_dot = host.ends_with('.');
  if (IsLocalhost(std::string_view(host).substr(0, host.size() - (ends_with_dot ? 1 : 0))))
    return {asio::ip::address_v4::loopback(), asio::ip::address_v6::loopback()};
  return LookUpHost(host, reason);
}

}  // namespace hashrange
