#include "remote/client/http_connection.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <cerrno>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/text/host_name.h"
#include "platform/files.h"
#include "platform/net/sockets.h"
#include "remote/client/environment.h"
#include "server/net/resolve_host.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

constexpr std::uint32_t kMaxHeadBytes = 64 << 10;

using TlsStream = beast::ssl_stream<beast::tcp_stream>;
using AnswerParser = http::response_parser<http::string_body>;

std::string Reason(const error_code& failure) {
  if (failure == http::error::end_of_stream || failure == asio::error::eof ||
      failure == asio::ssl::error::stream_truncated) {
    return "the connection was closed";
  }
  if (failure == http::error::partial_message) return "the answer is cut off";
  if (failure == http::error::body_limit || failure == http::error::header_limit ||
      failure == http::error::buffer_overflow) {
    return "the answer is too long";
  }
  if (failure.category() == http::make_error_code(http::error::end_of_stream).category()) {
    return "something else answers there";
  }
  if (failure.category() == asio::error::get_ssl_category()) {
    return "TLS fails: " + failure.message();
  }
  return failure.message();
}

HttpFailure FailureOf(const error_code& failure, std::string_view late) {
  if (failure == beast::error::timeout) return {HttpFailure::Kind::kTimeout, std::string(late)};
  return {HttpFailure::Kind::kOther, Reason(failure)};
}

// Returns why a handshake failed: what is wrong with the certificate, if that is the reason.
HttpFailure HandshakeFailure(const error_code& failure, TlsStream& stream) {
  const long verified = SSL_get_verify_result(stream.native_handle());
  if (verified == X509_V_OK) return FailureOf(failure, "no connection in time");
  return {HttpFailure::Kind::kCertificate, std::string("its certificate is not accepted: ") +
                                               X509_verify_cert_error_string(verified)};
}

// Demands that the certificate is for `host`, and asks the server for it by that name. Returns
// false when that cannot be demanded.
bool ExpectHost(const std::string& host, TlsStream& stream) {
  SSL* const ssl = stream.native_handle();
  error_code is_a_name;
  asio::ip::make_address(host, is_a_name);
  if (!is_a_name) {
    const std::string address = host.substr(0, host.find('%'));  // without the interface
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address.c_str()) == 1;
  }
  return SSL_set1_host(ssl, host.c_str()) == 1 && SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
}

HttpAnswer TakeAnswer(AnswerParser& parser) {
  http::response<http::string_body>& message = parser.get();
  HttpAnswer answer;
  answer.status = message.result_int();
  answer.keeps_open = parser.keep_alive();
  answer.content_type = message[http::field::content_type];
  answer.date = message[http::field::date];
  answer.crc32 = message["x-amz-crc32"];
  answer.body = std::move(message.body());
  return answer;
}

template <typename Stream>
asio::awaitable<HttpAnswer> ExchangeOn(Stream& stream, std::string_view head, std::string_view body,
                                       std::size_t max_answer_bytes, ClientTime deadline,
                                       bool was_used) {
  HttpAnswer answer;
  beast::get_lowest_layer(stream).expires_at(deadline);
  const std::array<asio::const_buffer, 2> request = {asio::buffer(head), asio::buffer(body)};
  const auto [not_sent, sent] = co_await asio::async_write(stream, request, kAsTuple);
  (void)sent;
  // A server may answer and close before it has read all of a request, so the answer is read even
  // when not all was sent.
  beast::flat_buffer buffer;
  AnswerParser parser;
  parser.body_limit(max_answer_bytes);
  parser.header_limit(kMaxHeadBytes);
  auto [failure, received] = co_await http::async_read(stream, buffer, parser, kAsTuple);
  (void)received;
  if (!failure) {
    answer = TakeAnswer(parser);
    co_return answer;
  }
  answer.failure =
      FailureOf(not_sent && !parser.got_some() ? not_sent : failure, "no answer in time");
  if (was_used && !parser.got_some() && answer.failure.kind == HttpFailure::Kind::kOther) {
    answer.failure.kind = HttpFailure::Kind::kStale;
  }
  co_return answer;
}

// Where Debian, Red Hat, SUSE and Alpine keep the certificates that the system trusts.
constexpr const char* kSystemFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem"};

std::string TrustedFile() {
  for (const char* const variable : {"AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (std::string path = EnvironmentVariable(variable); !path.empty()) return path;
  }
  for (const char* const path : kSystemFiles) {
    if (OpenForReading(path, PipeWaits::kNo).is_open()) return path;
  }
  return {};
}

// Services behind a name change their addresses; a connection that nobody used for long may have
// been forgotten by something between.
constexpr std::chrono::seconds kAddressesLast{10};
constexpr std::chrono::seconds kIdleLast{20};

// Returns whether ResolveHost answers without asking anybody.
bool IsKnownHere(const std::string& host) {
  error_code is_a_name;
  asio::ip::make_address(host, is_a_name);
  return !is_a_name || IsLocalhost(host);
}

}  // namespace

struct HttpConnection::Streams {
  std::optional<beast::tcp_stream> plain = {};
  std::optional<TlsStream> tls = {};

  beast::tcp_stream& lowest() { return tls ? beast::get_lowest_layer(*tls) : *plain; }
};

HttpConnection::HttpConnection(asio::io_context& io, asio::ssl::context* tls)
    : streams_(std::make_unique<Streams>()) {
  if (tls == nullptr) {
    streams_->plain.emplace(io);
  } else {
    streams_->tls.emplace(io, *tls);
  }
}

HttpConnection::~HttpConnection() = default;

asio::awaitable<HttpFailure> HttpConnection::Connect(const Endpoints& addresses,
                                                     const std::string& host, ClientTime deadline) {
  beast::tcp_stream& lowest = streams_->lowest();
  lowest.expires_at(deadline);
  const auto [failure, address] = co_await lowest.async_connect(addresses, kAsTuple);
  (void)address;
  HttpFailure outcome;
  if (failure) {
    outcome = FailureOf(failure, "no connection in time");
    co_return outcome;
  }
  error_code ignored;
  lowest.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  if (!streams_->tls) co_return outcome;
  if (!ExpectHost(host, *streams_->tls)) {
    outcome.kind = HttpFailure::Kind::kCertificate;
    outcome.why = "its name cannot be compared with a certificate";
    co_return outcome;
  }
  const auto [refused] =
      co_await streams_->tls->async_handshake(asio::ssl::stream_base::client, kAsTuple);
  if (refused) outcome = HandshakeFailure(refused, *streams_->tls);
  co_return outcome;
}

asio::awaitable<HttpAnswer> HttpConnection::Exchange(std::string_view head, std::string_view body,
                                                     std::size_t max_answer_bytes,
                                                     ClientTime deadline) {
  const bool was_used = std::exchange(was_used_, true);
  HttpAnswer answer;
  if (streams_->tls) {
    answer = co_await ExchangeOn(*streams_->tls, head, body, max_answer_bytes, deadline, was_used);
  } else {
    answer =
        co_await ExchangeOn(*streams_->plain, head, body, max_answer_bytes, deadline, was_used);
  }
  last_used_ = std::chrono::steady_clock::now();
  co_return answer;
}

// A server sends nothing between answers, so whatever can be read is the end of the connection.
bool HttpConnection::IsOpen() const {
  return IsSilent(streams_->lowest().socket().native_handle());
}

Result<std::unique_ptr<asio::ssl::context>> MakeTlsContext(const std::string& ca_file) {
  const std::string path = ca_file.empty() ? TrustedFile() : ca_file;
  if (path.empty()) {
    return ValidationError(
        "This system has no file of trusted certificates; --ca-file or AWS_CA_BUNDLE names one");
  }
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  context->set_verify_mode(asio::ssl::verify_peer);
  boost::system::error_code failure;
  context->load_verify_file(path, failure);
  if (failure) {
    return ValidationError("The file " + path + " has no certificates that can be read");
  }
  return context;
}

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
  if (ClientNow() < addresses_until_) co_return outcome;
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
  addresses_until_ = ClientNow() + kAddressesLast;
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
    const bool is_young = ClientNow() < connection->last_used() + kIdleLast;
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
