// The head of an answer (reference 01, section 1): status line, request id, CRC, length.
#pragma once

#include <cstddef>
#include <string_view>

namespace hashrange {

// What WriteAnswerHead needs at most.
inline constexpr std::size_t kAnswerHeadRoom = 512;

struct AnswerHead {
  int status = 200;
  std::string_view content_type;  // empty: no Content-Type; else short
  std::string_view connection;    // empty: no Connection; else "close" or "keep-alive"
  bool allow_any_origin = false;
  std::string_view body;  // for length and CRC; not written
};

// Writes the head, with a fresh request id and the empty line at its end, to `out`, which
// has room for kAnswerHeadRoom bytes. Returns the number of bytes written.
std::size_t WriteAnswerHead(const AnswerHead& head, char* out);

// The answer to a body above 16 MiB: empty, chunked (HTTP/1.1), without request id; and
// the one to what is not HTTP. The connection is closed after either. The control API has
// sentences instead.
inline constexpr std::string_view kTooLargeAnswer =
    "HTTP/1.1 413 Request Entity Too Large\r\n"
    "Connection: close\r\n"
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
inline constexpr std::string_view kMalformedAnswer =
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
inline constexpr std::string_view kContinueAnswer = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace hashrange
