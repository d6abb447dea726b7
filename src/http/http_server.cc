#include "http/http_server.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "http/listener.h"
#include "http/worker.h"

namespace hashrange {

struct HttpServer::State {
  State(Handlers handlers, const Options& from)
      : options(from),
        shared{std::move(handlers.api), from.control_token, from.patience,
               ControlThreads(std::move(handlers.control))} {}

  const Options options;
  Worker::Shared shared;
  std::vector<std::unique_ptr<Worker>> workers;
  Listener listener{workers};  // its sockets belong to the first worker
  std::once_flag stopped;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

// The control thread answers to the workers, which go after it.
HttpServer::~HttpServer() {
  Stop();
  state_->shared.control.Stop();
}

std::unique_ptr<HttpServer> HttpServer::Start(Handlers handlers, const Options& options,
                                              std::string* error) {
  auto server = Bind(std::move(handlers), options, error);
  return server && server->Listen(error) ? std::move(server) : nullptr;
}

// Asio and std::thread report a system without descriptors or threads by throwing.
std::unique_ptr<HttpServer> HttpServer::Bind(Handlers handlers, const Options& options,
                                             std::string* error) {
  try {
    std::unique_ptr<HttpServer> server(
        new HttpServer(std::make_unique<State>(std::move(handlers), options)));
    State& state = *server->state_;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const int threads = options.threads > 0 ? options.threads : static_cast<int>(cores);
    for (int i = 0; i < threads; ++i) {
      state.workers.push_back(std::make_unique<Worker>(state.shared));
    }
    *error = state.listener.Bind(options.host, options.port);
    if (!error->empty()) return nullptr;
    return server;
  } catch (const std::exception& failure) {
    *error = std::string("cannot start: ") + failure.what();
    return nullptr;
  }
}

bool HttpServer::Listen(std::string* error) {
  try {
    *error = state_->listener.Listen();
    if (!error->empty()) return false;
    state_->listener.Accept();
    for (const auto& worker : state_->workers) worker->Start();
    return true;
  } catch (const std::exception& failure) {
    *error = std::string("cannot start: ") + failure.what();
    return false;
  }
}

std::uint16_t HttpServer::port() const { return state_->listener.port(); }

std::string HttpServer::endpoint() const {
  return "http://" + state_->listener.address() + ":" + std::to_string(port());
}

void HttpServer::Stop() {
  std::call_once(state_->stopped, [this] {
    State& state = *state_;
    if (state.workers.empty()) return;
    boost::asio::post(state.workers.front()->io(), [&state] { state.listener.Close(); });
    for (const auto& worker : state.workers) worker->Stop(state.options.grace);
    for (const auto& worker : state.workers) worker->Join();
  });
}

}  // namespace hashrange
