// HttpCall: one request to a running server, and a wait for its answer. The client of the control
// API and what fetches a container's credentials use it; calls of the DynamoDB API go through
// ServiceClient. Any thread.
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
  std::string target = "/";        // with its query
  std::string authorization = {};  // the header of this name; empty: none
  std::string body = {};           // JSON; empty: none
  // How long to wait for the connection, and then for the answer.
  std::chrono::milliseconds timeout{2000};
  // A longer answer is an error.
  std::size_t max_answer_bytes = 1 << 20;
};

struct HttpReply {
  int status = 0;  // 0: there was no whole answer
  std::string content_type;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

// Sends the call and returns the answer. Without a whole answer, the reply has the status 0, and
// `*reason` says why.
// Errors: the host is not known, the connection is refused, or the answer is cut off, too long or
//         not HTTP
HttpReply SendHttpCall(const HttpCall& call, std::string* reason);

// Returns whether GET / at host:port answers as a server of Hashrange does, within `timeout` for
// each step: 200 with the health text, or 400 as with --like dynamodb-local. If not, `*reason` says
// why.
bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason);

}  // namespace hashrange
