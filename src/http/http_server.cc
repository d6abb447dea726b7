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
  ApiHandler handler;
  Options options;
  std::vector<std::unique_ptr<Worker>> workers;
  Listener listener{workers};  // its sockets belong to the first worker
  std::once_flag stopped;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

HttpServer::~HttpServer() { Stop(); }

std::unique_ptr<HttpServer> HttpServer::Start(ApiHandler handler, const Options& options,
                                              std::string* error) {
  // Asio and std::thread report a system without descriptors or threads by throwing.
  try {
    std::unique_ptr<HttpServer> server(new HttpServer(std::make_unique<State>()));
    State& state = *server->state_;
    state.handler = std::move(handler);
    state.options = options;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const int threads = options.threads > 0 ? options.threads : static_cast<int>(cores);
    for (int i = 0; i < threads; ++i) {
      state.workers.push_back(std::make_unique<Worker>(state.handler, options.patience));
    }
    *error = state.listener.Open(options.host, options.port);
    if (!error->empty()) return nullptr;
    state.listener.Accept();
    for (const auto& worker : state.workers) worker->Start();
    return server;
  } catch (const std::exception& failure) {
    *error = std::string("cannot start: ") + failure.what();
    return nullptr;
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
