// RequestParser parses the requests of one connection, one after another, in the connection's
// ReadBuffer. Beast parses the heads and the chunk framing. The chunks of a body are moved together
// within the buffer, so that every body is one piece. Not thread-safe.
//
//   while (true) switch (parser.Advance(buffer)) {
//     case kComplete: answer(parser.request()); parser.Finish(buffer); …
//     case kNeedMore: read more into the buffer …
//
// Cost: no allocation after the first request.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "server/http/http_request.h"
#include "server/http/read_buffer.h"

namespace hashrange {

class RequestParser {
 public:
  enum class Progress {
    kNeedMore,      // the buffer ends before the request does
    kSendContinue,  // as kNeedMore, and the client waits for "100 Continue" (returned only once)
    kComplete,      // request() may be read until the buffer changes
    // After the following values, nothing more can be read from the connection.
    kMalformed,    // not HTTP, or a head above kMaxHeadBytes
    kTooLarge,     // a body above kMaxBodyBytes
    kOtherCoding,  // a Transfer-Encoding other than chunked
    kHttp2,        // the client speaks HTTP/2 from the start
  };

  // `connection` is the number of the connection, which each of its requests gets.
  explicit RequestParser(std::uint64_t connection = 0);
  ~RequestParser();

  // Parses the bytes in `buffer`; its first byte is the first of a request.
  Progress Advance(ReadBuffer& buffer);
  // Whether a request has begun and is not finished.
  bool in_progress() const;
  // Returns the path of a request that cannot be read to its end, as far as the path has arrived:
  // after kMalformed and the values below it, or when the buffer may not grow.
  static std::string_view PathIn(ReadBuffer& buffer);
  const HttpRequest& request() const { return request_; }
  // Called after kComplete: drops the request from `buffer`, and prepares for the next request.
  void Finish(ReadBuffer& buffer);

 private:
  class BeastParser;
  struct State;

  bool Begin(ReadBuffer& buffer);
  Progress ReadHead(ReadBuffer& buffer);
  Progress ReadSizedBody(ReadBuffer& buffer);
  Progress ReadChunks(ReadBuffer& buffer);
  Progress Wait();
  void FillRequest(char* base);

  std::unique_ptr<State> state_;
  HttpRequest request_;
};

}  // namespace hashrange
