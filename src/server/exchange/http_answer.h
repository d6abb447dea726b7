// The bytes of an answer of HTTP (docs/service/01-wire-protocol.md, section 1): its head (status
// line, date, request id, CRC, length), the body of a refusal, and the output in which answers are
// put together. The functions are for any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/memory/output_buffer.h"

namespace hashrange {

// WriteAnswerHead writes at most this many bytes.
inline constexpr std::size_t kAnswerHeadRoom = 1024;

struct AnswerHead {
  int status = 200;
  std::string_view content_type;  // empty: no Content-Type is written
  std::string_view connection;    // "close" or "keep-alive"; empty: no Connection is written
  // Which page may read the answer: "*" for any page, or the page's origin of at most 300 bytes.
  // Empty: no page may.
  std::string_view allowed_origin;
  std::string_view body;  // used for the length and the CRC; not written
};

// Returns the number of bytes written to `out`, which has room for kAnswerHeadRoom bytes. The head
// includes the time, a new request id and the empty line at its end.
std::size_t WriteAnswerHead(const AnswerHead& head, char* out);

inline constexpr std::string_view kContinueAnswer = "HTTP/1.1 100 Continue\r\n\r\n";

inline constexpr std::size_t kHttpDateBytes = 29;

// Writes kHttpDateBytes of the form "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7). The
// time is from 1970 to 9999.
void WriteHttpDate(std::int64_t epoch_s, char* out);

inline constexpr std::size_t kServerLinesBytes =
    sizeof("Server: Server\r\nDate: \r\n") - 1 + kHttpDateBytes;

// Returns the header lines that every answer has, "Server: Server\r\nDate: …\r\n", with the present
// time of the machine's clock, even when a test has set the server's clock. The text belongs to the
// thread, which renews it once a second, and is valid until the thread's next call.
// Cost: one read of the system's coarse clock.
const char* ServerLines();

// Why a request is not carried out, as the answer states it.
struct Refusal {
  int http_status;
  std::string_view sentence;  // has no characters that JSON must escape
};

// Returns {"error":"…"}, the body of the control API's errors.
std::string ControlErrorBody(const Refusal& refusal);
// Returns {"__type":"com.amazon.coral.service#…","Message":"…"}, the body that SDKs read. For 503
// the type is one after which SDKs repeat the request.
std::string ApiErrorBody(const Refusal& refusal);

// Answers that are not sent yet, in one piece of memory. A worker puts the answers of
// several connections into one output, with a slice for each connection. There may be unused room
// before the first answer of a slice: room for the head is reserved before the body, and the head
// is written at the end of this room.
//
//   [ slices of others | unused | answers ]
//                      slice    begin
struct Output {
  OutputBuffer bytes;
  std::size_t slice = 0;  // where the last slice starts
  std::size_t begin = 0;  // the first byte of that slice that is to be sent

  void BeginSlice() { slice = begin = bytes.size(); }
  std::string_view pending() const { return bytes.view().substr(begin); }
  // Drops the answers that were appended after `bytes` had the size `size`.
  void DropFrom(std::size_t size) {
    bytes.Truncate(size);
    begin = std::min(begin, size);
  }
};

}  // namespace hashrange
