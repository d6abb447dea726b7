#include "http/listener.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using Code = boost::system::error_code;

// How often a free port of the first address may be taken on the second.
constexpr int kFreePortTries = 16;
// After a failed accept (no descriptor left), the queue is left alone for a moment.
constexpr std::chrono::milliseconds kAcceptPause{50};

std::vector<asio::ip::address> Resolve(asio::io_context& io, const std::string& host, Code& ec) {
  const asio::ip::address literal = asio::ip::make_address(host, ec);
  if (!ec) return {literal};
  asio::ip::tcp::resolver resolver(io);
  std::vector<asio::ip::address> addresses;
  for (const auto& entry : resolver.resolve(host, "", ec)) {
    const asio::ip::address address = entry.endpoint().address();
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
      addresses.push_back(address);
    }
  }
  return addresses;
}

bool MeansNoSuchAddress(const Code& ec) {
  return ec == asio::error::address_family_not_supported ||
         ec == boost::system::errc::address_not_available;
}

}  // namespace

std::string Listener::Bind(const std::string& host, std::uint16_t port) {
  Code ec;
  const std::vector<asio::ip::address> addresses =
      host.empty() ? std::vector<asio::ip::address>{asio::ip::address_v4::loopback(),
                                                    asio::ip::address_v6::loopback()}
                   : Resolve(workers_.front()->io(), host, ec);
  host_ = host.empty() ? "127.0.0.1" : host;
  if (ec || addresses.empty()) return "cannot resolve host " + host_ + ": " + ec.message();
  for (int tries = port == 0 ? kFreePortTries : 1; tries > 0; --tries) {
    ec = BindAll(addresses, addresses.size() > 1, port);
    if (ec != asio::error::address_in_use) break;
  }
  if (ec) return Explain(ec);
  asio::ip::address first = addresses.front();
  if (first.is_unspecified()) {
    // No URL leads to all addresses, and the control API refuses that name.
    if (first.is_v6()) first = asio::ip::address_v6::loopback();
    if (first.is_v4()) first = asio::ip::address_v4::loopback();
  }
  address_ = first.is_v6() ? "[" + first.to_string() + "]" : first.to_string();
  return {};
}

std::string Listener::Listen() {
  for (Door& door : doors_) {
    Code ec;
    door.acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (ec) return Explain(ec);
  }
  return {};
}

std::string Listener::Explain(const Code& ec) const {
  const std::string port = std::to_string(port_);
  if (ec == asio::error::address_in_use) {
    return "port " + port + " on " + host_ +
           " is taken by another program (choose one with --port)";
  }
  return "cannot listen on " + host_ + " port " + port + ": " + ec.message();
}

Code Listener::BindAll(const std::vector<asio::ip::address>& addresses, bool later_optional,
                       std::uint16_t port) {
  doors_.clear();
  port_ = port;
  for (const asio::ip::address& address : addresses) {
    const Code ec = BindDoor({address, port_});
    if (ec && later_optional && !doors_.empty() && MeansNoSuchAddress(ec)) continue;
    if (ec) return ec;
  }
  return {};
}

Code Listener::BindDoor(const tcp::endpoint& endpoint) {
  Door& door = doors_.emplace_back(workers_.front()->io());
  tcp::acceptor& acceptor = door.acceptor;
  Code ec;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) port_ = acceptor.local_endpoint(ec).port();
  if (ec) doors_.pop_back();
  return ec;
}

void Listener::Accept() {
  for (Door& door : doors_) AcceptAt(door);
}

void Listener::AcceptAt(Door& door) {
  Worker& worker = *workers_[door.turn++ % workers_.size()];
  door.acceptor.async_accept(
      worker.io().get_executor(), [this, &door, &worker](const Code& ec, Socket socket) {
        if (!door.acceptor.is_open()) return;
        if (!ec) {
          door.failing = false;
          worker.Adopt(std::move(socket));
          return AcceptAt(door);
        }
        if (!std::exchange(door.failing, true)) {
          Log(LogLevel::kWarning, "accepting a connection failed: " + ec.message());
        }
        door.pause.expires_after(kAcceptPause);
        door.pause.async_wait([this, &door](const Code&) {
          if (door.acceptor.is_open()) AcceptAt(door);
        });
      });
}

void Listener::Close() {
  for (Door& door : doors_) {
    Code ignored;
    door.acceptor.close(ignored);
    door.pause.cancel();
  }
}

}  // namespace hashrange
