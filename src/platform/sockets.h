// What the system knows of a connection beyond Asio. `socket` is its native handle. Any thread.
#pragma once

namespace hashrange {

// Returns whether the connection stands: both ends are open, or the peer has only finished sending.
bool IsEstablished(int socket);

// Returns how many bytes that were sent the peer has not yet acknowledged.
int UnacknowledgedBytes(int socket);

// Returns whether the peer has closed its end and nothing is left to read.
bool IsClosedByPeer(int socket);

// Returns whether the connection stands and nothing can be read.
bool IsSilent(int socket);

}  // namespace hashrange
