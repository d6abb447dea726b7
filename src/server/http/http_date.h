// The header lines "Server" and "Date", which every answer has. Each thread keeps them as one text
// and renews the text once a second.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hashrange {

inline constexpr std::size_t kHttpDateBytes = 29;

// Writes kHttpDateBytes of the form "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7). The
// time is from 1970 to 9999.
void WriteHttpDate(std::int64_t epoch_s, char* out);

inline constexpr std::size_t kServerLinesBytes =
    sizeof("Server: Server\r\nDate: \r\n") - 1 + kHttpDateBytes;

// Returns "Server: Server\r\nDate: …\r\n" with the present time of the machine's clock, even when a
// test has set the server's clock. The text belongs to the thread and is valid until the thread's
// next call.
// Cost: one read of the system's coarse clock.
const char* ServerLines();

}  // namespace hashrange
