// OfThread<T>: an object of the calling thread, made at its first use by the thread and destroyed
// when the thread ends.
//
// A `thread_local` object with a destructor will not do for a server that may run out of memory:
// at a thread's first use of the object the system registers its destructor, and when it has no
// memory for that, it ends the process. All objects here need one registered destructor per thread.
// Threads of the server register it at their start, by PrepareThread. A later first use of an
// object that finds no memory throws.
#pragma once

#include <cstddef>
#include <memory>

#include "base/memory/memory_reserve.h"

namespace hashrange {

// Prepares the calling thread for what it uses later. A thread of the server calls it first.
void PrepareThread() noexcept;

namespace thread_object {

// A list of the objects of one thread. Their memory may come from the thread's reserve.
struct Owned {
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  virtual ~Owned() = default;
  static void* operator new(std::size_t bytes) {
    return AllocateReserved(MemoryPart::kLookups, bytes);
  }
  static void operator delete(void* block) { FreeReserved(MemoryPart::kLookups, block); }

  Owned* next = nullptr;
};

// Takes over an object, which is destroyed when the thread ends.
void Add(Owned* made) noexcept;

template <typename T>
struct Holder : Owned {
  ~Holder() override { place = nullptr; }

  T object = T();
  static inline constinit thread_local T* place = nullptr;
};

}  // namespace thread_object

// Returns the thread's object of this type. Each use has a type of its own.
// Errors: throws std::bad_alloc, at the first use only
template <typename T>
T& OfThread() {
  using Holder = thread_object::Holder<T>;
  if (T* const there = Holder::place) [[likely]]
    return *there;
  auto made = std::make_unique<Holder>();
  thread_object::Add(made.get());
  Holder::place = &made->object;
  return made.release()->object;
}

}  // namespace hashrange
