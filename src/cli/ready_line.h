// The ready line is written when the server listens, and contains the server's address. It is for
// the program that has started the server: if this program lets the system choose the port, it
// learns the port from the ready line.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// Writes {"endpoint":"http://127.0.0.1:43211","port":43211,"pid":1234} and a line feed, then closes
// the descriptor; a standard descriptor is redirected to /dev/null. Returns false when the line
// could not be written: the reader is gone, or the pipe is full.
bool WriteReadyLine(int descriptor, const std::string& endpoint, std::uint16_t port);

}  // namespace hashrange
