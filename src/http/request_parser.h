// RequestParser: takes the requests of one connection apart, one after another, in the
// connection's ReadBuffer. Heads and chunk framing are Beast's work; a chunked body is
// closed up where it lies, so that every body is one piece. Not thread-safe.
//
//   while (true) switch (parser.Advance(buffer)) {
//     case kComplete: answer(parser.request()); parser.Finish(buffer); …
//     case kNeedMore: read more into the buffer …
//
// Cost: no allocation after the first request.
#pragma once

#include <memory>
#include <string_view>

#include "http/http_request.h"
#include "http/read_buffer.h"

namespace hashrange {

class RequestParser {
 public:
  enum class Progress {
    kNeedMore,      // the buffer ends before the request does
    kSendContinue,  // as kNeedMore, and the client waits for "100 Continue" (said once)
    kComplete,      // request() may be read, until the buffer is touched
    kMalformed,     // not HTTP, or a head above kMaxHeadBytes; nothing more can be read
    kTooLarge,      // a body above kMaxBodyBytes; nothing more can be read
    kOtherCoding,   // a Transfer-Encoding beside chunked; nothing more can be read
    kHttp2,         // a client that speaks HTTP/2 from the start; nothing more can be read
  };

  RequestParser();
  ~RequestParser();

  // Looks at the bytes in `buffer`, whose first is the first of a request.
  Progress Advance(ReadBuffer& buffer);
  // A request has begun and is not finished.
  bool in_progress() const;
  // After one of the last four, or instead of reading on: the path of the request at fault, as far
  // as it has come.
  static std::string_view PathIn(ReadBuffer& buffer);
  const HttpRequest& request() const { return request_; }
  // After kComplete: drops the request from `buffer` and is ready for the next.
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
