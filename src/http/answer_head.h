// The head of an answer (docs/service/01-wire-protocol.md, section 1): status line, date, request
// id, CRC, length.
#pragma once

#include <cstddef>
#include <string_view>

namespace hashrange {

// What WriteAnswerHead needs at most.
inline constexpr std::size_t kAnswerHeadRoom = 1024;

struct AnswerHead {
  int status = 200;
  std::string_view content_type;  // empty: no Content-Type; else short
  std::string_view connection;    // empty: no Connection; else "close" or "keep-alive"
  // Of the page that may read the answer: "*", or its origin, of at most 300 bytes. Empty: none.
  std::string_view allowed_origin;
  std::string_view body;  // for length and CRC; not written
};

// Writes the head, with the time, a fresh request id and the empty line at its end, to `out`, which
// has room for kAnswerHeadRoom bytes. Returns the number of bytes written.
std::size_t WriteAnswerHead(const AnswerHead& head, char* out);

inline constexpr std::string_view kContinueAnswer = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace hashrange
