// ScriptedServer: an HTTP server on a free port of this machine that answers what a test tells it,
// plain or by TLS. Each connection has a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hashrange::test {

struct ScriptedRequest {
  int connection = 0;  // the number of its connection, from 0 on
  std::string head = {};
  std::string body = {};
};

class ScriptedServer {
 public:
  // What is sent for the request with the number `number`, from 0 on. The connection is closed
  // after a text that has "Connection: close" or answers a request that has it, and at once after
  // an empty text. kHang: nothing is sent.
  using Script = std::function<std::string(int number, const ScriptedRequest& request)>;
  inline static const std::string kHang = "hang";

  explicit ScriptedServer(Script script);
  // Answers by TLS, with the certificate and the key in a file of PEM.
  ScriptedServer(Script script, const std::string& certificate_file);
  ~ScriptedServer();

  std::uint16_t port() const { return port_; }
  std::vector<ScriptedRequest> requests() const;
  int connections() const { return connections_; }
  int closed_connections() const { return closed_connections_; }  // by the server

 private:
  struct Stream;
  void Accept();
  void Serve(int socket, int connection);

  const Script script_;
  const std::string certificate_file_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_closing_{false};
  std::atomic<int> connections_{0};
  std::atomic<int> closed_connections_{0};
  mutable std::mutex mutex_;
  std::vector<int> sockets_ = {};
  std::vector<ScriptedRequest> requests_ = {};
  std::list<std::thread> threads_ = {};
  std::thread acceptor_;
};

// Returns an answer with a body of JSON.
std::string JsonAnswer(int status, const std::string& body, const std::string& more_headers = "");

}  // namespace hashrange::test
