#include "base/memory/memory_reserve.h"

#include <atomic>
#include <cstdint>
#include <new>

#include "base/threads.h"

namespace hashrange {
namespace {

// A thread keeps a reserve of up to this size, however little it needs.
constexpr std::size_t kKeptBytes = 4 << 20;

// The beginning of a reserve; its blocks follow. A reserve of which a block was used is in the list
// of used reserves until all of its blocks are freed and its thread has another.
struct alignas(16) Reserve {
  std::size_t size_bytes = 0;  // without this header
  std::size_t used_bytes = 0;  // only the thread that owns the reserve uses this
  std::size_t blocks = 0;      // that are not freed; guarded by the mutex, as are those below
  bool is_owned = true;        // by a thread
  Reserve* next = nullptr;

  char* begin() { return reinterpret_cast<char*>(this + 1); }
  bool Contains(const void* block) {
    const auto at = reinterpret_cast<std::uintptr_t>(block);
    const auto first = reinterpret_cast<std::uintptr_t>(begin());
    return at >= first && at < first + size_bytes;
  }
};
static_assert(sizeof(Reserve) % 16 == 0);

// What precedes a block of a reserve.
struct alignas(16) BlockHeader {
  std::int64_t size_bytes;
};
static_assert(ReservedBytes(1) == 2 * sizeof(BlockHeader));

constinit Mutex reserves_mutex;
constinit Reserve* first_used = nullptr;  // guarded by the mutex
// The length of the list. It was incremented before a block of a listed reserve was given to
// anybody, so whoever frees such a block does not see 0.
constinit std::atomic<int> used_reserves{0};

constinit thread_local Reserve* reserve_of_thread = nullptr;

void FreeReserve(Reserve* reserve) { ::operator delete(reserve); }

// Called with the lock held. Returns the reserve if it is to be freed now.
Reserve* Unlist(Reserve* reserve) {
  Reserve** link = &first_used;
  while (*link != reserve) link = &(*link)->next;
  *link = reserve->next;
  used_reserves.fetch_sub(1, std::memory_order_relaxed);
  return reserve;
}

// Gives up the thread's reserve: it is freed now, or with the last of its blocks.
void ReleaseReserve() {
  Reserve* const mine = reserve_of_thread;
  reserve_of_thread = nullptr;
  if (!mine) return;
  if (mine->used_bytes > 0) {
    MutexLock lock(reserves_mutex);
    mine->is_owned = false;
    if (mine->blocks > 0) return;
    Unlist(mine);
  }
  FreeReserve(mine);
}

// Its destructor runs when the thread ends.
struct ReserveEnd {
  void Register() {}  // the first call on a thread makes the thread's object
  ~ReserveEnd() { ReleaseReserve(); }
};
thread_local ReserveEnd reserve_end;

void* TakeFromReserve(MemoryPart part, std::size_t bytes) {
  Reserve* const mine = reserve_of_thread;
  const std::size_t taken = ReservedBytes(bytes);
  if (!mine || mine->size_bytes - mine->used_bytes < taken) throw std::bad_alloc();
  MutexLock lock(reserves_mutex);
  if (mine->used_bytes == 0) {
    mine->next = first_used;
    first_used = mine;
    used_reserves.fetch_add(1, std::memory_order_relaxed);
  }
  auto* const header =
      new (mine->begin() + mine->used_bytes) BlockHeader{static_cast<std::int64_t>(taken)};
  mine->used_bytes += taken;
  ++mine->blocks;
  CountMemory(part, header->size_bytes);
  return header + 1;
}

// Returns whether the block is of a reserve. If so, it is freed.
bool GiveToReserve(MemoryPart part, void* block) {
  MutexLock lock(reserves_mutex);
  Reserve* reserve = first_used;
  while (reserve && !reserve->Contains(block)) reserve = reserve->next;
  if (!reserve) return false;
  CountMemory(part, -(static_cast<BlockHeader*>(block) - 1)->size_bytes);
  if (--reserve->blocks == 0 && !reserve->is_owned) FreeReserve(Unlist(reserve));
  return true;
}

}  // namespace

void DrawReserve(std::size_t bytes) {
  const Reserve* const mine = reserve_of_thread;
  if (mine && mine->used_bytes == 0 && mine->size_bytes >= bytes &&
      (mine->size_bytes <= kKeptBytes || mine->size_bytes == bytes)) [[likely]] {
    return;
  }
  reserve_end.Register();
  ReleaseReserve();
  std::size_t size = 16 << 10;
  while (size < bytes && size < kKeptBytes) size *= 2;
  if (size < bytes) size = bytes;
  auto* const drawn = new (::operator new(sizeof(Reserve) + size)) Reserve;
  drawn->size_bytes = size;
  reserve_of_thread = drawn;
}

void* AllocateReserved(MemoryPart part, std::size_t bytes) {
  void* const block = TryAllocateCounted(part, bytes);
  return block ? block : TakeFromReserve(part, bytes);
}

void FreeReserved(MemoryPart part, void* block) noexcept {
  if (!block) return;
  if (used_reserves.load(std::memory_order_relaxed) != 0 && GiveToReserve(part, block)) return;
  FreeCounted(part, block);
}

}  // namespace hashrange
