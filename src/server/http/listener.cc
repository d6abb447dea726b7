#include "server/http/listener.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "base/log.h"
#include "platform/net/sockets.h"
#include "server/net/resolve_host.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using Code = boost::system::error_code;

// With port 0: how many free ports of the first address are tried on the second address.
constexpr int kFreePortTries = 16;
// The pause after a failed accept (the process has no descriptor left).
constexpr std::chrono::milliseconds kAcceptPause{50};

bool MeansNoSuchAddress(const Code& ec) {
  return ec == asio::error::address_family_not_supported ||
         ec == boost::system::errc::address_not_available;
}

std::string AddressInUrl(const asio::ip::address& address) {
  return address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
}

}  // namespace

std::string Listener::Bind(const std::string& host, std::uint16_t port) {
  std::string reason;
  const std::vector<asio::ip::address> addresses =
      ResolveHost(host.empty() ? "localhost" : host, &reason);
  if (addresses.empty()) return "cannot resolve host " + host + ": " + reason;
  Code ec;
  for (int tries = port == 0 ? kFreePortTries : 1; tries > 0; --tries) {
    ec = BindAll(addresses, addresses.size() > 1, port);
    if (ec != asio::error::address_in_use) break;
  }
  return ec ? Explain(ec, refused_) : std::string();
}

std::string Listener::Listen() {
  for (ListeningSocket& listening : sockets_) {
    Code ec;
    listening.acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (ec) return Explain(ec, listening.address);
  }
  return {};
}

std::string Listener::Explain(const Code& ec, const asio::ip::address& address) const {
  const std::string port = std::to_string(port_);
  if (ec == asio::error::address_in_use) {
    return "port " + port + " on " + AddressInUrl(address) +
           " is taken by another program (choose one with --port)";
  }
  return "cannot listen on " + AddressInUrl(address) + " port " + port + ": " + ec.message();
}

// The address that means all addresses (0.0.0.0, ::) is replaced: clients cannot use it in a URL,
// and the control API refuses it in Host.
std::vector<std::string> Listener::addresses() const {
  std::vector<std::string> found;
  const auto add = [&](const asio::ip::address& address) {
    const std::string text = AddressInUrl(address);
    if (std::ranges::find(found, text) == found.end()) found.push_back(text);
  };
  for (const ListeningSocket& listening : sockets_) {
    if (!listening.address.is_unspecified()) {
      add(listening.address);
      continue;
    }
    const bool is_v6 = listening.address.is_v6();
    if (is_v6) add(asio::ip::address_v6::loopback());
    if (!is_v6) add(asio::ip::address_v4::loopback());
    Code unknown;
    asio::ip::v6_only only;
    if (is_v6) listening.acceptor.get_option(only, unknown);
    for (const asio::ip::address& own : OwnAddresses()) {
      if (own.is_v6() == is_v6 || (is_v6 && !only.value())) add(own);
    }
  }
  return found;
}

bool Listener::is_loopback_only() const {
  return std::ranges::all_of(
      sockets_, [](const ListeningSocket& listening) { return listening.address.is_loopback(); });
}

Code Listener::BindAll(const std::vector<asio::ip::address>& addresses, bool may_skip,
                       std::uint16_t port) {
  sockets_.clear();
  port_ = port;
  for (const asio::ip::address& address : addresses) {
    const Code ec = BindSocket({address, port_});
    if (ec && may_skip && !sockets_.empty() && MeansNoSuchAddress(ec)) continue;
    refused_ = address;
    if (ec) return ec;
  }
  return {};
}

Code Listener::BindSocket(const tcp::endpoint& endpoint) {
  ListeningSocket& listening = sockets_.emplace_back(workers_.front()->io(), endpoint.address());
  tcp::acceptor& acceptor = listening.acceptor;
  Code ec;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) port_ = acceptor.local_endpoint(ec).port();
  if (ec) sockets_.pop_back();
  return ec;
}

void Listener::Accept() {
  for (ListeningSocket& listening : sockets_) AcceptNext(listening);
}

void Listener::AcceptNext(ListeningSocket& listening) {
  Worker& worker = *workers_[listening.turn++ % workers_.size()];
  listening.acceptor.async_accept(
      worker.io().get_executor(), [this, &listening, &worker](const Code& ec, Socket socket) {
        if (!listening.acceptor.is_open()) return;
        if (!ec) {
          listening.failing = false;
          return Place(listening, worker, std::move(socket));
        }
        if (!std::exchange(listening.failing, true)) {
          Log(LogLevel::kWarning, "accepting a connection failed: " + ec.message());
        }
        listening.pause.expires_after(kAcceptPause);
        listening.pause.async_wait([this, &listening](const Code&) {
          if (listening.acceptor.is_open()) AcceptNext(listening);
        });
      });
}

// An SDK whose connection is closed tries again a little later.
void Listener::Place(ListeningSocket& listening, Worker& worker, Socket socket) {
  switch (limits_.TakeConnection()) {
    case Limits::Place::kOrdinary:
      HandToWorker(worker, std::move(socket), false);
      return AcceptNext(listening);
    case Limits::Place::kSpare:
      listening.newcomer.emplace(Newcomer{.worker = worker, .socket = std::move(socket)});
      return AskWorkers(listening, 0);
    case Limits::Place::kNone:
      listening.newcomer.emplace(
          Newcomer{.worker = worker, .socket = std::move(socket), .needs_room = true});
      return AskWorkers(listening, 0);
  }
}

void Listener::HandToWorker(Worker& worker, Socket socket, bool has_spare_place) {
  try {
    worker.Adopt(std::move(socket), has_spare_place);
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());  // only this connection is lost
    limits_.ReturnConnection();
  }
}

// Posts a step of the search for a place, which cannot fail for want of memory: otherwise no
// further connection would be accepted.
template <typename Step>
void Listener::Post(Worker& worker, ListeningSocket& listening, Step step) {
  PostWithMemory(worker.io(), listening.step, std::move(step));
}

// Asks the worker `first` and those behind it.
void Listener::AskWorkers(ListeningSocket& listening, std::size_t first) {
  Post(*workers_[first], listening, [this, &listening, first] {
    Newcomer& newcomer = *listening.newcomer;
    const Worker::Closable found = workers_[first]->FindClosable();
    if (found.IsBefore(newcomer.found)) {
      newcomer.found = found;
      newcomer.found_at = first;
    }
    if (first + 1 < workers_.size()) return AskWorkers(listening, first + 1);
    Post(*workers_[newcomer.found_at], listening, [this, &listening] { MakeRoom(listening); });
  });
}

// Called on the thread of the worker that has the connection to be closed.
void Listener::MakeRoom(ListeningSocket& listening) {
  Newcomer& newcomer = *listening.newcomer;
  // The connection that the search found may be busy by now, so its worker looks again.
  const Worker::Closable found = workers_[newcomer.found_at]->FindClosable();
  if (found.connection) {
    newcomer.has_spare_place = found.connection->has_spare_place();
    newcomer.needs_room = false;
    found.connection->Close();
  }
  Post(*workers_.front(), listening, [this, &listening] {
    Newcomer& placed = *listening.newcomer;
    if (placed.needs_room) {
      limits_.ReturnConnection();
      limits_.WarnOfTooMany("a new one was closed");
    } else {
      if (!placed.has_spare_place)
        limits_.WarnOfTooMany("the one that was idle longest was closed");
      HandToWorker(placed.worker, std::move(placed.socket), placed.has_spare_place);
    }
    listening.newcomer.reset();
    if (listening.acceptor.is_open()) AcceptNext(listening);
  });
}

void Listener::Close() {
  for (ListeningSocket& listening : sockets_) {
    Code ignored;
    listening.acceptor.close(ignored);
    listening.pause.cancel();
  }
}

}  // namespace hashrange
