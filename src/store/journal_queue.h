// JournalQueue: the changes that wait for the journal's thread. Threads that hold locks of tables
// append to it; that takes one short mutex, which also decides the order of the log.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/durability.h"
#include "base/memory/memory_reserve.h"
#include "store/files/store_keys.h"
#include "value/item.h"

namespace hashrange {

// RecordValue: the bytes of a stored record, or the function that will make them. A change is told
// to the journal while locks are held, so what takes time is left to the journal's thread.
//
// Movable, not copyable. The function is kept in the object itself, without an allocation.
class RecordValue {
 public:
  static constexpr std::size_t kRoomBytes = 64;

  // No value: the record is removed.
  RecordValue() = default;
  // `append` is called once, as append(std::string& out), on another thread; it appends the bytes
  // and throws nothing.
  template <typename Append>
    requires std::is_invocable_v<Append&, std::string&>
  RecordValue(Append append) {  // NOLINT: implicit
    static_assert(sizeof(Append) <= kRoomBytes && alignof(Append) <= alignof(std::max_align_t));
    static_assert(std::is_nothrow_move_constructible_v<Append>);
    new (room_) Append(std::move(append));
    calls_ = &kCallsOf<Append>;
  }
  static RecordValue Of(std::string bytes) {
    return RecordValue([kept = std::move(bytes)](std::string& out) { out.append(kept); });
  }

  RecordValue(RecordValue&& other) noexcept { MoveFrom(other); }
  RecordValue& operator=(RecordValue&& other) noexcept {
    if (this == &other) return *this;
    Clear();
    MoveFrom(other);
    return *this;
  }
  ~RecordValue() { Clear(); }

  bool has_value() const { return calls_ != nullptr; }
  void AppendTo(std::string& out) { calls_->append(room_, out); }

 private:
  struct Calls {
    void (*append)(void* function, std::string& out);
    void (*move)(void* from, void* to);  // destroys `from`
    void (*destroy)(void* function);
  };
  template <typename Append>
  static constexpr Calls kCallsOf = {
      [](void* function, std::string& out) { (*static_cast<Append*>(function))(out); },
      [](void* from, void* to) {
        new (to) Append(std::move(*static_cast<Append*>(from)));
        static_cast<Append*>(from)->~Append();
      },
      [](void* function) { static_cast<Append*>(function)->~Append(); }};

  void Clear() {
    if (calls_) std::exchange(calls_, nullptr)->destroy(room_);
  }
  void MoveFrom(RecordValue& other) {
    calls_ = std::exchange(other.calls_, nullptr);
    if (calls_) calls_->move(other.room_, room_);
  }

  alignas(std::max_align_t) std::byte room_[kRoomBytes];
  const Calls* calls_ = nullptr;
};

// An item that is stored from now on, or is not stored any more; its hash and key say where.
struct JournalItem {
  std::uint64_t table_id = 0;
  ItemRef item;
  bool is_removed = false;
};

// A record that is stored from now on, or with an empty value is not stored any more.
struct JournalRecord {
  StoreKey key;
  RecordValue value;
  std::size_t kept_bytes = 0;  // about what the value keeps in memory outside of itself
};

// The changes of one call of Append, which belong together.
struct JournalGroup {
  template <typename T>
  using Changes = std::vector<T, ReservedAllocator<T, MemoryPart::kJournal>>;

  Changes<JournalItem> items;
  Changes<JournalRecord> records;
  Durability::Position position = 0;  // behind the group
  std::size_t size_bytes = 0;         // about how many bytes the group keeps in memory
};

// What waits for the journal's thread, in the order in which it was appended.
struct QueuedWork {
  template <typename T>
  using List = std::list<T, ReservedAllocator<T, MemoryPart::kJournal>>;

  List<JournalGroup> groups;
  List<StoreKeyRange> removals;
  std::size_t size_bytes = 0;  // the sum of all groups

  bool empty() const { return groups.empty() && removals.empty(); }
};

// Thread-safe.
class JournalQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Takes what the changes refer to, as one group, and returns the position behind it. Without
  // changes, returns appended(). Takes memory for no more than a copy of the changes, from the
  // thread's reserve if there is no other (base/memory/memory_reserve.h).
  Durability::Position Append(std::span<JournalItem> items,
                              std::span<JournalRecord> records) noexcept;
  Durability::Position appended() const { return appended_.load(std::memory_order_acquire); }

  // Asks for the removal of everything in a range. Memory: as Append.
  void AddRemoval(const StoreKeyRange& range) noexcept;
  // Makes the next WaitUntil return.
  void Wake();

  // Waits until there are changes or removals, Wake was called, or the time has come.
  void WaitUntil(Time time);
  // Moves everything that waits to the end of `*work`.
  void MoveTo(QueuedWork* work);

  // About how many bytes wait in the queue.
  std::size_t size_bytes() const { return size_bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Durability::Position> appended_{0};  // written with `mutex_` held
  std::atomic<std::size_t> size_bytes_{0};         // written with `mutex_` held
  std::mutex mutex_;                               // guards what follows
  std::condition_variable wake_;
  bool is_woken_ = false;
  bool is_waiting_ = false;  // the journal's thread waits
  QueuedWork work_;
};

}  // namespace hashrange
