// ServiceClient: calls of the DynamoDB API at an endpoint that is not this process: DynamoDB
// itself, ScyllaDB Alternator, another Hashrange. It signs each request (sigv4.h), keeps a pool of
// connections, which are verified by TLS where the URL is one of https, bounds the time of each
// attempt, and sends a request again as the SDKs' standard mode does:
//
//   Send → waits for a connection → signed, sent → answered ────────────→ done(reply)
//             ↑                                       │ throttled, 500, broken, timed out
//             └── after exponential back-off, jitter ─┘ while attempts and retry tokens are left
//
// A thread of the client's own does all that. Thread-safe, but for its destructor.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"

namespace hashrange {

// What became of one call.
struct ServiceReply {
  int status = 0;    // of the last attempt's answer, as HTTP has it; 0: no attempt was answered
  std::string body;  // JSON
  // Of an answer that is an error: "ThrottlingException", without what stands before "#", and its
  // message. With status 0: empty, and a sentence for the user that says why there was no answer.
  std::string error;
  std::string message;
  int attempts = 0;
  // From the call of Send to the answer, waits for a connection and for attempts included.
  std::chrono::microseconds took{0};

  bool ok() const { return status == 200; }
};

class ServiceClient {
 public:
  struct Options {
    EndpointUrl endpoint;
    std::string region = "us-east-1";
    CredentialSource* credentials = nullptr;    // outlives the client
    std::size_t max_connections = 64;           // at least 1
    int max_attempts = 3;                       // in all, of one call; 1: it is never sent again
    std::chrono::milliseconds base_delay{500};  // of the first wait, before the jitter
    std::chrono::milliseconds longest_delay{20'000};
    std::chrono::milliseconds connect_timeout{3'000};
    std::chrono::milliseconds answer_timeout{60'000};  // of an attempt, the connection included
    std::size_t max_answer_bytes = 64 << 20;           // a longer answer is an error
    // A file of certificates (PEM) that are trusted instead of the system's; empty: AWS_CA_BUNDLE,
    // SSL_CERT_FILE, or the system's.
    std::string ca_file = {};
  };

  // Returns a client; it has not connected yet.
  // Errors: ValidationException  the file of certificates cannot be read, or the Region is none
  static Result<std::unique_ptr<ServiceClient>> Open(const Options& options);
  // Calls that are open end with status 0; `done` is called for each of them, by this destructor,
  // and must not call Send then.
  ~ServiceClient();
  ServiceClient(const ServiceClient&) = delete;
  ServiceClient& operator=(const ServiceClient&) = delete;

  using Done = std::function<void(ServiceReply)>;
  // Begins a call of an operation such as "GetItem", with its input as JSON. `done` is called once,
  // on the client's thread; it does not wait, and may call Send.
  void Send(std::string_view operation, std::string json, Done done);
  // Makes a call, and waits for what became of it. Once `stop` is set (null: never), it waits one
  // second more at most, and then returns a reply with status 0; the endpoint may carry the call
  // out all the same. Not to be called by `done`.
  ServiceReply Call(std::string_view operation, std::string json,
                    const std::atomic<bool>* stop = nullptr);

  const EndpointUrl& endpoint() const;

 private:
  class Pool;
  explicit ServiceClient(std::unique_ptr<Pool> pool);

  const std::unique_ptr<Pool> pool_;
};

// Sets the error and the message of a reply by its body:
// {"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"…"}. Pure.
void ReadServiceError(ServiceReply& reply);

}  // namespace hashrange
