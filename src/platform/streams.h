// Streams to and from other programs, which may have made them so that they do not wait. Any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace hashrange {

// Returns how many bytes came; waits for them. 0: the stream has ended or failed.
std::size_t ReadFromStream(int stream, std::span<char> room);

// Returns whether all of the text was written; waits while the reader is slow.
bool WriteToStream(int stream, std::string_view text);

bool IsWritable(int stream);

// Closes a stream. In the place of a standard one, /dev/null is opened: otherwise, the next socket
// would get its number, and the program would print to a client.
void CloseStream(int stream);

// ---- the standard streams ----

// Takes stdout for the caller alone, and returns its number. What anything else prints goes to
// stderr from now on. Returns -1 when stdout is closed.
int TakeStdout();

bool StdoutIsTerminal();
bool StderrIsTerminal();

// Returns the width of the terminal that stdout is; nothing when it is none, or its width is not
// known.
std::optional<std::size_t> StdoutColumns();

}  // namespace hashrange
