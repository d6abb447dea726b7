#include "remote/client/http_connection.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <cerrno>
#include <optional>
#include <utility>

namespace hashrange {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
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
  char byte = 0;
  const int socket = streams_->lowest().socket().native_handle();
  return ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace hashrange
