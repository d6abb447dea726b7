#include "hashrange/server.h"

#include <atomic>
#include <utility>

#include "control/files/file_bounds.h"
#include "server/exchange/http_request.h"
#include "server/hashrange/database_state.h"
#include "server/http/http_server.h"

namespace hashrange {

static_assert(kMaxInputBytes == kMaxBodyBytes);

struct Server::State {
  std::unique_ptr<HttpServer> http;
  std::atomic<bool> stopped{false};
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() { Stop(); }

std::unique_ptr<Server> Server::Start(Database& database, const Options& options,
                                      std::string* error) {
  auto server = Bind(database, options, error);
  return server && server->Listen(error) ? std::move(server) : nullptr;
}

std::unique_ptr<Server> Server::Bind(Database& database, const Options& options,
                                     std::string* error) {
  if (options.console != "on" && options.console != "read-only" && options.console != "off") {
    *error = "the console is on, read-only or off, not " + options.console;
    return nullptr;
  }
  HttpServer::Options http;
  http.host = options.host;
  http.port = options.port;
  http.threads = options.threads;
  http.control_token = options.control_token;
  http.cors = options.cors;
  http.allowed_hosts = options.allowed_hosts;
  http.answers_root_with_400 = options.answers_root_with_400;
  http.console = options.console;
  http.request_memory_bytes = options.request_memory_bytes;
  http.max_connections = options.max_connections;
  for (const std::string& folder : options.files) {
    auto resolved = ResolveFolder(folder);
    if (!resolved) {
      *error = "there is no folder " + folder;
      return nullptr;
    }
    http.file_folders.push_back(std::move(*resolved));
  }
  Dispatcher& dispatcher = database.state_->dispatcher;
  Control& control = database.state_->control;
  auto state = std::make_unique<State>();
  HttpServer::Handlers handlers{
      [&dispatcher](const ApiRequest& request, OutputBuffer& out) {
        return dispatcher.Handle(request, out);
      },
      {[&control](const ControlRequest& request) { return control.Answer(request); },
       Control::TakesLong},
      database.state_->durability()};
  state->http = HttpServer::Bind(std::move(handlers), http, error);
  if (!state->http) return nullptr;
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

bool Server::Listen(std::string* error) { return state_->http->Listen(error); }

std::uint16_t Server::port() const { return state_->http->port(); }

std::string Server::endpoint() const { return state_->http->endpoint(); }

std::vector<std::string> Server::endpoints() const { return state_->http->endpoints(); }

void Server::Stop() {
  state_->http->Stop();
  state_->stopped = true;
  state_->stopped.notify_all();
}

void Server::Wait() { state_->stopped.wait(false); }

}  // namespace hashrange
