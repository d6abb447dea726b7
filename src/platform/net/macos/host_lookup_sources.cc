#include "platform/net/host_lookup.h"

namespace hashrange {

// The system's look-ups load nothing into the process.
void UseBuiltInHostLookups() {}

}  // namespace hashrange
