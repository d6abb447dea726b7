// PeerUser: which user's program has the other end of a connection (platform/net/socket_owner.h).
#pragma once

namespace hashrange {

enum class PeerUser {
  kOwn,      // this process's own user, or root
  kOther,    // another user, or the process has closed its end
  kUnknown,  // the system tells nothing of either end, as in some sandboxes
};

}  // namespace hashrange
