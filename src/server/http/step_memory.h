// StepMemory: memory that is taken ahead for one step which is posted to a thread, so that the post
// cannot fail for want of memory later.
#pragma once

#include <array>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace hashrange {

struct StepMemory {
  alignas(std::max_align_t) std::array<std::byte, 512> bytes;
};

// An allocator that gives the memory, which is free when it is asked. What is in the memory has a
// copy of the allocator, so the memory exists as long as that.
template <typename Type>
struct StepAllocator {
  using value_type = Type;

  explicit StepAllocator(std::shared_ptr<StepMemory> given) : memory(std::move(given)) {}
  template <typename Other>
  StepAllocator(const StepAllocator<Other>& other) : memory(other.memory) {}

  Type* allocate(std::size_t count) {
    if (count * sizeof(Type) > sizeof(StepMemory)) throw std::bad_alloc();
    return reinterpret_cast<Type*>(memory.get());
  }
  void deallocate(Type*, std::size_t) noexcept {}
  template <typename Other>
  bool operator==(const StepAllocator<Other>& other) const {
    return memory == other.memory;
  }

  std::shared_ptr<StepMemory> memory;
};

// Posts the step. The memory is free again when the step is called.
template <typename Step>
void PostWithMemory(boost::asio::io_context& io, const std::shared_ptr<StepMemory>& memory,
                    Step step) {
  boost::asio::post(io,
                    boost::asio::bind_allocator(StepAllocator<std::byte>(memory), std::move(step)));
}

}  // namespace hashrange
