// The head of an answer (docs/service/01-wire-protocol.md, section 1): status line, date, request
// id, CRC, length. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

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

}  // namespace hashrange
