#include "base/memory/thread_object.h"

#include <new>

namespace hashrange {
namespace {

constinit thread_local thread_object::Owned* newest_object = nullptr;

// Its destructor runs when the thread ends.
struct EndOfThread {
  void Register() {}  // the first call on a thread makes the thread's object
  ~EndOfThread() {
    while (newest_object) {
      const thread_object::Owned* const each = newest_object;
      newest_object = each->next;
      delete each;
    }
  }
};
thread_local EndOfThread end_of_thread;

}  // namespace

// What is registered first is destroyed last: the counters of memory, then the reserve.
void PrepareThread() noexcept {
  CountMemory(MemoryPart::kLookups, 0);
  try {
    DrawReserve(1);
  } catch (const std::bad_alloc&) {
    // The thread's first work draws it again.
  }
  end_of_thread.Register();
}

void thread_object::Add(Owned* made) noexcept {
  end_of_thread.Register();
  made->next = newest_object;
  newest_object = made;
}

}  // namespace hashrange
