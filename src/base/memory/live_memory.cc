#include "base/memory/live_memory.h"

#include <iterator>
#include <new>
#include <numeric>

#include "base/threads.h"
#include "platform/memory.h"

namespace hashrange {
namespace {

using live_memory::ThreadCounters;

constexpr std::string_view kPartNames[] = {
    "items",  "leaves",  "inner_nodes", "separators", "stream_records", "expiries",     "tokens",
    "arenas", "buffers", "lookups",     "journal",    "tables",         "measurements", "vectors"};
static_assert(std::size(kPartNames) == kMemoryParts);

std::int64_t BytesOf(const void* block) { return static_cast<std::int64_t>(AllocatedBytes(block)); }

// Guards what follows. The objects of this file are constants at first and have no destructors, so
// that they can be used until the process ends.
constinit Mutex mutex;
constinit ThreadCounters* first_thread = nullptr;
// The sums of the threads that have ended.
constinit std::array<std::int64_t, kMemoryParts> of_ended_threads = {};

// The three functions below are called with the lock held.
void Insert(ThreadCounters& thread) {
  thread.next = first_thread;
  if (first_thread) first_thread->previous = &thread;
  first_thread = &thread;
  thread.is_known = true;
}

void Remove(ThreadCounters& thread) {
  (thread.previous ? thread.previous->next : first_thread) = thread.next;
  if (thread.next) thread.next->previous = thread.previous;
  thread.is_known = false;
}

void MoveToEnded(ThreadCounters& thread) {
  for (std::size_t i = 0; i < kMemoryParts; ++i) {
    of_ended_threads[i] += thread.bytes[i].exchange(0, std::memory_order_relaxed);
  }
}

// Its destructor runs when the thread ends. Destructors that run later may still free memory.
struct ThreadEnd {
  void Register() {}  // the first call on a thread makes the thread's object
  ~ThreadEnd() {
    ThreadCounters& mine = live_memory::this_thread;
    live_memory::Report();
    MutexLock lock(mutex);
    MoveToEnded(mine);
    Remove(mine);
    mine.has_ended = true;
    mine.unreported = ThreadCounters::kNotKnown;
  }
};
thread_local ThreadEnd thread_end;

}  // namespace

namespace live_memory {

constinit thread_local ThreadCounters this_thread;
constinit std::atomic<std::int64_t> reported{0};

void Report() noexcept {
  ThreadCounters& mine = this_thread;
  if (mine.is_known) {
    reported.fetch_add(mine.unreported, std::memory_order_relaxed);
    mine.unreported = 0;
    return;
  }
  reported.fetch_add(mine.unreported - ThreadCounters::kNotKnown, std::memory_order_relaxed);
  if (!mine.has_ended) thread_end.Register();
  MutexLock lock(mutex);
  if (mine.has_ended) {
    MoveToEnded(mine);
    mine.unreported = ThreadCounters::kNotKnown;
  } else {
    Insert(mine);
    mine.unreported = 0;
  }
}

}  // namespace live_memory

std::string_view MemoryPartName(MemoryPart part) {
  return kPartNames[static_cast<std::size_t>(part)];
}

void* AllocateCounted(MemoryPart part, std::size_t bytes) {
  void* const block = ::operator new(bytes);
  CountMemory(part, BytesOf(block));
  return block;
}

void* TryAllocateCounted(MemoryPart part, std::size_t bytes) noexcept {
  void* const block = ::operator new(bytes, std::nothrow);
  if (block) CountMemory(part, BytesOf(block));
  return block;
}

void FreeCounted(MemoryPart part, void* block) noexcept {
  if (!block) return;
  CountMemory(part, -BytesOf(block));
  ::operator delete(block);
}

void* AllocateCounted(MemoryPart part, std::size_t bytes, std::align_val_t alignment) {
  void* const block = ::operator new(bytes, alignment);
  CountMemory(part, BytesOf(block));
  return block;
}

void FreeCounted(MemoryPart part, void* block, std::align_val_t alignment) noexcept {
  if (!block) return;
  CountMemory(part, -BytesOf(block));
  ::operator delete(block, alignment);
}

std::int64_t LiveMemory::total() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

LiveMemory CountLiveMemory() {
  MutexLock lock(mutex);
  LiveMemory live{of_ended_threads};
  for (const ThreadCounters* thread = first_thread; thread; thread = thread->next) {
    for (std::size_t i = 0; i < kMemoryParts; ++i) {
      live.bytes[i] += thread->bytes[i].load(std::memory_order_relaxed);
    }
  }
  return live;
}

}  // namespace hashrange
