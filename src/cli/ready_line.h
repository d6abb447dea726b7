// The line that tells whoever started the server that it listens, and where: for a starter
// that let the system choose the port.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// Whether `descriptor` is open for writing.
bool IsWritable(int descriptor);

// Writes {"endpoint":"http://127.0.0.1:43211","port":43211,"pid":1234} and a line's end, then
// closes the descriptor; one of the three standard ones leads nowhere from then on. False when
// nobody reads it any more, or it is full.
bool WriteReadyLine(int descriptor, const std::string& endpoint, std::uint16_t port);

}  // namespace hashrange
