// HttpCall: one request to a running server over a plain blocking socket. What the command
// line's clients speak with; the server's own sockets are Boost's. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hashrange {

struct HttpCall {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  std::string method = "GET";
  std::string target = "/";  // with its query
  std::string token;         // sent as a bearer token; empty: none
  std::string body;          // JSON; empty: none
  // For the connection and for each step of the answer.
  std::chrono::milliseconds timeout{2000};
  // An answer that is longer is none.
  std::size_t max_answer_bytes = 1 << 20;
};

struct HttpReply {
  int status = 0;  // 0: there was no whole answer
  std::string content_type;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

// The answer, or one of status 0 and in `*reason` why there is none: the host is not known,
// the connection is refused, the answer is cut off, too long or not HTTP.
HttpReply Exchange(const HttpCall& call, std::string* reason);

// Returns whether GET / at host:port answers 200 with the health text, within `timeout` for each
// step. If not, `*reason` says why.
bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason);

}  // namespace hashrange
