#include "remote/client/connection_pool.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <mutex>
#include <thread>
#include <utility>

#include "server/net/host_name.h"
#include "server/net/resolve_host.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
// Services behind a name change their addresses; a connection that nobody used for long may have
// been forgotten by something between.
constexpr std::chrono::seconds kAddressesLast{10};
constexpr std::chrono::seconds kIdleLast{20};

ClientTime Now() { return std::chrono::steady_clock::now(); }

// Returns whether ResolveHost answers without asking anybody.
bool IsKnownHere(const std::string& host) {
  error_code is_a_name;
  asio::ip::make_address(host, is_a_name);
  return !is_a_name || IsLocalhost(host);
}

}  // namespace

struct ConnectionPool::LookupHome {
  std::mutex mutex;
  asio::io_context* io;  // null when the pool is closed
};

// The question for the addresses of a name, which outlives the coroutines that ask when no answer
// comes in time. The thread that looks up sets the addresses or the reason, and leaves the rest to
// the thread of the client.
struct ConnectionPool::HostLookup {
  std::vector<asio::ip::address> addresses = {};
  std::string reason = {};
  bool is_finished = false;
  std::vector<asio::steady_timer*> waiting = {};  // one for each coroutine that waits
};

ConnectionPool::ConnectionPool(asio::io_context& io, const EndpointUrl& url,
                               asio::ssl::context* tls, std::size_t max_connections)
    : io_(io),
      url_(url),
      tls_(tls),
      free_places_(max_connections),
      lookup_home_(std::make_shared<LookupHome>()) {
  lookup_home_->io = &io;
}

ConnectionPool::~ConnectionPool() { Close(); }

ConnectionPool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      connection_(std::move(other.connection_)),
      is_kept_(other.is_kept_) {}

ConnectionPool::Lease::~Lease() {
  if (pool_ != nullptr) pool_->GiveBack(*this);
}

void ConnectionPool::Close() {
  is_closed_ = true;
  idle_.clear();
  const std::lock_guard lock(lookup_home_->mutex);
  lookup_home_->io = nullptr;
}

void ConnectionPool::GiveBack(Lease& lease) {
  if (is_closed_) return;
  if (lease.is_kept_ && lease.connection_) idle_.push_back(std::move(lease.connection_));
  if (waiting_.empty()) {
    ++free_places_;
    return;
  }
  // The place goes to the first that waits.
  asio::steady_timer* const first = waiting_.front();
  waiting_.pop_front();
  first->cancel();
}

asio::awaitable<ConnectionPool::Lease> ConnectionPool::Take() {
  Lease lease(*this);
  if (free_places_ > 0) {
    --free_places_;
    co_return lease;
  }
  asio::steady_timer turn(io_, asio::steady_timer::time_point::max());
  waiting_.push_back(&turn);
  co_await turn.async_wait(kAsTuple);
  co_return lease;
}

// A thread cannot be ended while it looks a name up, so there is one at a time.
void ConnectionPool::BeginLookup() {
  auto lookup = std::make_shared<HostLookup>();
  std::thread([home = lookup_home_, lookup, host = url_.host] {
    lookup->addresses = ResolveHost(host, &lookup->reason);
    const std::lock_guard lock(home->mutex);
    if (home->io == nullptr) return;
    asio::post(*home->io, [lookup] {
      lookup->is_finished = true;
      for (asio::steady_timer* timer : lookup->waiting) timer->cancel();
    });
  }).detach();
  lookup_ = std::move(lookup);
}

asio::awaitable<HttpFailure> ConnectionPool::FindAddresses(ClientTime deadline) {
  HttpFailure outcome;
  if (Now() < addresses_until_) co_return outcome;
  HttpConnection::Endpoints found;
  if (IsKnownHere(url_.host)) {
    std::string reason;
    for (const auto& address : ResolveHost(url_.host, &reason)) {
      found.emplace_back(address, url_.port);
    }
  } else {
    asio::steady_timer timer(io_, deadline);
    if (!lookup_ || lookup_->is_finished) BeginLookup();
    const std::shared_ptr<HostLookup> lookup = lookup_;
    lookup->waiting.push_back(&timer);
    co_await timer.async_wait(kAsTuple);
    std::erase(lookup->waiting, &timer);
    if (!lookup->is_finished) {
      outcome.kind = HttpFailure::Kind::kTimeout;
      outcome.why = "its name is not resolved in time";
      co_return outcome;
    }
    for (const auto& address : lookup->addresses) found.emplace_back(address, url_.port);
    if (found.empty()) {
      outcome.kind = HttpFailure::Kind::kOther;
      outcome.why = "its name is not resolved: " + lookup->reason;
      co_return outcome;
    }
  }
  addresses_ = std::move(found);
  addresses_until_ = Now() + kAddressesLast;
  co_return outcome;
}

asio::awaitable<HttpFailure> ConnectionPool::Connect(Lease& lease, bool is_fresh,
                                                     ClientTime deadline) {
  if (is_fresh) {
    lease.connection_.reset();
    idle_.clear();  // those that were used before are no better
  }
  while (!lease.connection_ && !idle_.empty()) {
    std::unique_ptr<HttpConnection> connection = std::move(idle_.back());
    idle_.pop_back();
    const bool is_young = Now() < connection->last_used() + kIdleLast;
    if (is_young && connection->IsOpen()) lease.connection_ = std::move(connection);
  }
  HttpFailure failure;
  if (lease.connection_) co_return failure;
  failure = co_await FindAddresses(deadline);
  if (failure.has_failed()) co_return failure;
  auto connection = std::make_unique<HttpConnection>(io_, tls_);
  failure = co_await connection->Connect(addresses_, url_.host, deadline);
  if (!failure.has_failed()) {
    lease.connection_ = std::move(connection);
  } else {
    addresses_until_ = {};  // the next attempt asks for the addresses anew
  }
  co_return failure;
}

}  // namespace hashrange
