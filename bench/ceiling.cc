// The ceiling: what Beast alone can serve on this machine. Hashrange's requests per second are
// compared with it (bench/README.md). One io_context per thread, connections given to the threads
// in turn, string_body, TCP_NODELAY, keep-alive. Every request is answered with the same text and
// the headers of Hashrange's answers; a request to a path other than "/" is answered with a large
// text, which a page of a Scan is compared with.
//
//   ceiling --port 8100 --threads 2 --bytes 400 --large-bytes 1000000
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Code = boost::system::error_code;
using Context = asio::io_context;
using Socket = asio::basic_stream_socket<tcp, Context::executor_type>;
using Answer = http::response<http::string_body>;

struct Bodies {
  std::string usual;
  std::string large;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, const Bodies& bodies) : socket_(std::move(socket)), bodies_(bodies) {}

  void Read() {
    parser_.emplace();
    parser_->body_limit(16 << 20);
    http::async_read(socket_, buffer_, *parser_,
                     beast::bind_front_handler(&Session::OnRead, shared_from_this()));
  }

 private:
  void OnRead(const Code& ec, std::size_t) {
    if (ec) return;
    answer_.emplace(http::status::ok, parser_->get().version());
    answer_->set(http::field::content_type, "application/x-amz-json-1.0");
    answer_->set("x-amzn-RequestId", "0123456789ABCDEFGHIJKLMNOPQRSTUV0123456789ABCDEFGHIJ");
    answer_->set("x-amz-crc32", "3128867991");
    answer_->keep_alive(parser_->get().keep_alive());
    answer_->body() = parser_->get().target() == "/" ? bodies_.usual : bodies_.large;
    answer_->prepare_payload();
    http::async_write(socket_, *answer_,
                      beast::bind_front_handler(&Session::OnWrite, shared_from_this()));
  }

  void OnWrite(const Code& ec, std::size_t) {
    if (ec) return;
    if (answer_->keep_alive()) return Read();
    Code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }

  Socket socket_;
  const Bodies& bodies_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<Answer> answer_;
};

struct Options {
  std::uint16_t port = 8100;
  int threads = 1;
  std::size_t bytes = 400;
  std::size_t large_bytes = 0;
};

class Ceiling {
 public:
  explicit Ceiling(const Options& options)
      : bodies_{std::string(options.bytes, 'x'), std::string(options.large_bytes, 'x')} {
    for (int i = 0; i < options.threads; ++i) contexts_.push_back(std::make_unique<Context>(1));
    acceptor_.emplace(*contexts_.front(),
                      tcp::endpoint(asio::ip::address_v4::loopback(), options.port));
  }

  void Run() {
    Accept();
    std::vector<std::thread> threads;
    for (const auto& context : contexts_) {
      threads.emplace_back([&context] {
        const auto work = asio::make_work_guard(*context);
        context->run();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  void Accept() {
    Context& context = *contexts_[turn_++ % contexts_.size()];
    acceptor_->async_accept(
        context.get_executor(), [this, &context](const Code& ec, Socket socket) {
          if (!ec) {
            Code ignored;
            socket.set_option(tcp::no_delay(true), ignored);
            auto session = std::make_shared<Session>(std::move(socket), bodies_);
            asio::post(context, [session = std::move(session)] { session->Read(); });
          }
          Accept();
        });
  }

  const Bodies bodies_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::optional<tcp::acceptor> acceptor_;
  std::size_t turn_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const long value = std::atol(argv[i + 1]);
    if (name == "--port") options.port = static_cast<std::uint16_t>(value);
    if (name == "--threads") options.threads = value > 0 ? static_cast<int>(value) : 1;
    if (name == "--bytes") options.bytes = static_cast<std::size_t>(value);
    if (name == "--large-bytes") options.large_bytes = static_cast<std::size_t>(value);
  }
  try {
    Ceiling ceiling(options);
    std::printf("ceiling: %zu bytes on http://127.0.0.1:%u\n", options.bytes, options.port);
    std::fflush(stdout);
    ceiling.Run();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "ceiling: %s\n", failure.what());
    return 1;
  }
}
