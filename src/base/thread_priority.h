// The priority of threads that work behind others.
#pragma once

namespace hashrange {

// The calling thread runs after those that want the processor, as far as the system lets it.
void LowerPriorityOfThisThread();

}  // namespace hashrange
