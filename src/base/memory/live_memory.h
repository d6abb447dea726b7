// Live memory: how many bytes of the process's memory the data of all databases takes, by part.
// They are counted where they are allocated and freed.
//
//   AllocateCounted, FreeCounted ──▶ the thread's own counters ──┬──▶ CountLiveMemory: exact sums
//                                                                └──▶ ApproximateLiveBytes
//
// A thread writes its own counters only, so that counting costs a few instructions. A block may be
// freed by another thread than the one that allocated it: the counters of one thread may be
// negative, and only the sums mean something. When a thread ends, its counters are added to those
// of the threads that have ended before. A thread adds the change of its counters to the
// approximate sum when the change exceeds kReportBytes.
//
// A block counts with the bytes that the allocator takes for it, its own word included. Not counted
// are the program itself, stacks, and what the allocator keeps of freed memory.
//
// Callable from any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

namespace hashrange {

enum class MemoryPart : std::uint8_t {
  kItems,          // the blocks of items, whatever refers to them
  kLeaves,         // of the ordered maps of tables and indexes
  kInnerNodes,     // of the same maps
  kSeparators,     // the key bytes in inner nodes
  kStreamRecords,  // the chunks of stream records, without the items
  kExpiries,       // the sets of items that expire
  kTokens,         // the client request tokens of transactions
  kArenas,         // what requests are parsed into
  kBuffers,        // the bytes of requests and answers
  kLookups,        // the hash tables of table names and of parsed texts, without these
  kJournal,        // the changes that wait for the disk, without their items
  kTables,         // tables, indexes and streams themselves, without what they contain
  kMeasurements,   // what measurements have counted
  kVectors,        // the rows of vector indexes, and the nodes above them
};
inline constexpr std::size_t kMemoryParts = 14;

// Returns the part as metrics name it: "items".
std::string_view MemoryPartName(MemoryPart part);

// Returns a block from operator new, counted as part of `part`. FreeCounted frees it, with the same
// part. Errors: AllocateCounted throws std::bad_alloc; TryAllocateCounted returns null.
void* AllocateCounted(MemoryPart part, std::size_t bytes);
void* TryAllocateCounted(MemoryPart part, std::size_t bytes) noexcept;
void FreeCounted(MemoryPart part, void* block) noexcept;
// The same for a type that needs a greater alignment than that of operator new.
void* AllocateCounted(MemoryPart part, std::size_t bytes, std::align_val_t alignment);
void FreeCounted(MemoryPart part, void* block, std::align_val_t alignment) noexcept;

// The live bytes of each part.
struct LiveMemory {
  std::array<std::int64_t, kMemoryParts> bytes = {};

  std::int64_t of(MemoryPart part) const { return bytes[static_cast<std::size_t>(part)]; }
  std::int64_t total() const;
};

// Returns the live bytes, exactly while no other thread allocates or frees. Cost: a lock, and a
// read of each thread's counters.
LiveMemory CountLiveMemory();

// A thread's counters are reported to the approximate sum when they have changed by this.
inline constexpr std::int64_t kReportBytes = 256 << 10;

namespace live_memory {

// The counters of one thread. Only that thread writes them.
struct ThreadCounters {
  std::array<std::atomic<std::int64_t>, kMemoryParts> bytes = {};
  // The change of all counters since the last report. The first value is far beyond kReportBytes,
  // so that the first change of a thread is reported, which makes the counters known.
  std::int64_t unreported = kNotKnown;
  bool is_known = false;  // the counters are in the list of threads
  bool has_ended = false;
  ThreadCounters* next = nullptr;
  ThreadCounters* previous = nullptr;

  static constexpr std::int64_t kNotKnown = INT64_MAX / 2;
};

extern constinit thread_local ThreadCounters this_thread;
extern constinit std::atomic<std::int64_t> reported;

// Adds what this thread has not reported to the approximate sum.
void Report() noexcept;

}  // namespace live_memory

// Returns the sum of all parts, up to kReportBytes for each thread.
// Cost: one relaxed load.
inline std::int64_t ApproximateLiveBytes() {
  return live_memory::reported.load(std::memory_order_relaxed);
}

// Counts `change` more or fewer bytes, for memory that is not allocated here.
inline void CountMemory(MemoryPart part, std::int64_t change) noexcept {
  live_memory::ThreadCounters& mine = live_memory::this_thread;
  std::atomic<std::int64_t>& counter = mine.bytes[static_cast<std::size_t>(part)];
  counter.store(counter.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
  mine.unreported += change;
  if (mine.unreported > kReportBytes || mine.unreported < -kReportBytes) live_memory::Report();
}

template <MemoryPart kPart>
struct FreeCountedBytes {
  void operator()(void* block) const noexcept { FreeCounted(kPart, block); }
};
// Owns a counted block of bytes.
template <MemoryPart kPart>
using CountedBytes = std::unique_ptr<char[], FreeCountedBytes<kPart>>;

// Returns `count` bytes, which are not cleared. Errors: throws std::bad_alloc
template <MemoryPart kPart>
CountedBytes<kPart> MakeCountedBytes(std::size_t count) {
  return CountedBytes<kPart>(static_cast<char*>(AllocateCounted(kPart, count)));
}

}  // namespace hashrange
