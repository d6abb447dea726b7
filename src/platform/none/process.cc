// One process with one thread, of which nothing is measured.
#include "platform/process.h"

namespace hashrange {

int ProcessId() { return 1; }
std::chrono::nanoseconds ProcessorTime() { return std::chrono::nanoseconds(0); }
std::optional<int> MaxOpenFiles() { return std::nullopt; }
void RaiseMaxOpenFiles() {}
void LowerPriorityOfThisThread() {}

}  // namespace hashrange
