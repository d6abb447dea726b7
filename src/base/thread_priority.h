// The priority of threads that work behind others.
#pragma once

namespace hashrange {

// The calling thread runs when no other wants the processor, as far as the system lets it.
void LowerPriorityOfThisThread();

}  // namespace hashrange
