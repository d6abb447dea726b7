// OutputBuffer: a growing block of bytes that text is appended to. Reserved bytes are not
// cleared. Not thread-safe.
//
//   [ size() bytes | reserved, without content … capacity() ]
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/memory/live_memory.h"

namespace hashrange {

class OutputBuffer {
 public:
  OutputBuffer() = default;
  OutputBuffer(OutputBuffer&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  OutputBuffer& operator=(OutputBuffer&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  char* data() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  std::string_view view() const { return {bytes_.get(), size_}; }

  // Returns room for `bytes` more bytes behind the end. The caller fills them, then calls EndAt
  // to add them. May move the data. Cost: amortised O(1) for each byte.
  char* Reserve(std::size_t bytes) {
    if (capacity_ - size_ < bytes) Grow(bytes);
    return bytes_.get() + size_;
  }
  // Sets the end of the data to `end`, which is within the reserved bytes or right behind them.
  void EndAt(const char* end) { size_ = static_cast<std::size_t>(end - bytes_.get()); }
  // Keeps only the first `size` bytes.
  void Truncate(std::size_t size) { size_ = size; }
  void Clear() { size_ = 0; }

  void Append(std::string_view text) {
    if (text.empty()) return;
    char* const at = Reserve(text.size());
    std::memcpy(at, text.data(), text.size());
    size_ += text.size();
  }
  void Append(char c) {
    *Reserve(1) = c;
    ++size_;
  }

 private:
  void Grow(std::size_t bytes);

  CountedBytes<MemoryPart::kBuffers> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace hashrange
