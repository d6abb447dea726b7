#include "server/http/http_server.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/log.h"
#include "server/http/listener.h"
#include "server/http/worker.h"

namespace hashrange {
namespace {

int ThreadCount(int asked) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return asked > 0 ? asked : static_cast<int>(cores);
}

}  // namespace

struct HttpServer::State {
  State(Handlers handlers, const Options& from)
      : options(from),
        threads(ThreadCount(from.threads)),
        shared{{.handler = std::move(handlers.api),
                .routing = {.browsers = BrowserAccess(from.cors, from.allowed_hosts),
                            .answers_root_with_400 = from.answers_root_with_400,
                            .console = from.console},
                .limits = Limits(from.request_memory_bytes,
                                 MaxConnections(from.max_connections, threads)),
                .control_token = from.control_token,
                .file_folders = from.file_folders,
                .has_control = handlers.control.answer != nullptr,
                .durability = handlers.durability},
               from.patience,
               ControlThreads(std::move(handlers.control)),
               LongCalls((threads + 1) / 2)} {}

  const Options options;
  const int threads;
  Worker::Shared shared;
  std::vector<std::unique_ptr<Worker>> workers;
  Listener listener{workers, shared.server.limits};  // its sockets belong to the first worker
  std::once_flag stopped;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

// The threads of control calls and of long calls post answers to the workers, so the workers are
// destroyed later.
HttpServer::~HttpServer() {
  Stop();
  state_->shared.control.Stop();
  state_->shared.long_calls.Stop();
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
    for (int i = 0; i < state.threads; ++i) {
      state.workers.push_back(std::make_unique<Worker>(state.shared));
    }
    *error = state.listener.Bind(options.host, options.port);
    if (!error->empty()) return nullptr;
    if (state.listener.is_loopback_only()) {
      state.shared.server.routing.browsers.EnableHostCheck(state.listener.port());
    }
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
    std::string all;
    for (const std::string& each : endpoints()) all.append(all.empty() ? "" : ", ").append(each);
    WarnOfOpenDoors(state_->shared.server, all, state_->listener.is_loopback_only());
    return true;
  } catch (const std::exception& failure) {
    *error = std::string("cannot start: ") + failure.what();
    return false;
  }
}

std::uint16_t HttpServer::port() const { return state_->listener.port(); }

std::string HttpServer::endpoint() const { return endpoints().front(); }

std::vector<std::string> HttpServer::endpoints() const {
  std::vector<std::string> endpoints;
  for (const std::string& address : state_->listener.addresses()) {
    endpoints.push_back("http://" + address + ":" + std::to_string(port()));
  }
  return endpoints;
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
