// HttpDate: what every answer says of itself, "Server" and "Date", as one text that a thread puts
// together once a second.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hashrange {

inline constexpr std::size_t kHttpDateBytes = 29;

// Writes "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7). A time from 1970 to 9999.
void WriteHttpDate(std::int64_t epoch_s, char* out);

inline constexpr std::size_t kServerLinesBytes =
    sizeof("Server: Server\r\nDate: \r\n") - 1 + kHttpDateBytes;

// "Server: Server\r\nDate: …\r\n" of now by the machine's clock, whatever the server's clock was
// set to. The thread's own text: good until the thread's next call.
// Cost: a look at the coarse clock.
const char* ServerLines();

}  // namespace hashrange
