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

// Logs by which options the server is open to others, once it listens.
void WarnOfOpenDoors(const std::string& endpoints, bool is_loopback_only,
                     const std::string& open_origins, const std::string& token) {
  constexpr std::size_t kShortTokenBytes = 16;
  if (!is_loopback_only) {
    Log(LogLevel::kWarning,
        "other machines may reach " + endpoints +
            ": whoever does can read and change all tables, as signatures are not verified; the "
            "control API answers " +
            (token.empty() ? "this machine only" : "every caller with the control token"));
  }
  if (!open_origins.empty()) {
    Log(LogLevel::kWarning, open_origins +
                                " lets pages of every site that a browser on this network opens "
                                "read and change all tables");
  }
  if (!token.empty() && token.size() < kShortTokenBytes) {
    Log(LogLevel::kWarning, "the control token has less than " + std::to_string(kShortTokenBytes) +
                                " characters, so that others may guess it");
  }
}

}  // namespace

struct HttpServer::State {
  State(Handlers handlers, const Options& from)
      : options(from),
        threads(ThreadCount(from.threads)),
        shared{std::move(handlers.api),
               Routing{BrowserAccess(from.cors, from.allowed_hosts), from.answers_root_with_400},
               Limits(from.request_memory_bytes, MaxConnections(from.max_connections, threads)),
               from.control_token,
               from.file_folders,
               from.patience,
               ControlThreads(std::move(handlers.control)),
               handlers.durability,
               LongCalls((threads + 1) / 2)} {}

  const Options options;
  const int threads;
  Worker::Shared shared;
  std::vector<std::unique_ptr<Worker>> workers;
  Listener listener{workers, shared.limits};  // its sockets belong to the first worker
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
      state.shared.routing.browsers.EnableHostCheck(state.listener.port());
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
    WarnOfOpenDoors(all, state_->listener.is_loopback_only(),
                    state_->shared.routing.browsers.OpenOrigins(), state_->options.control_token);
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
