// How much of the processor a thread gets beside others.
#pragma once

namespace hashrange {

// Makes other threads that want the processor run before the calling thread, as far as the system
// allows that. Beside threads that want all of the processor, the thread still gets a tenth of
// their time, so that its work, such as freeing memory, does not pile up.
void LowerPriorityOfThisThread();

}  // namespace hashrange
