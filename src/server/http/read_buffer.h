// ReadBuffer: the bytes that a connection has received and not yet answered, in one piece, with one
// writable byte after the last (the JSON parser works in place and needs that byte).
//
//   [ consumed | data() … size() | room ][ 1 ]
//
// It grows with the bytes that have arrived, never with the length that a header claims, and only
// while the server's limits have bytes left. It releases the memory of a large request. Not
// thread-safe: only its connection uses it.
#pragma once

#include <cstddef>
#include <span>

#include "base/live_memory.h"
#include "server/http/limits.h"

namespace hashrange {

class ReadBuffer {
 public:
  static constexpr std::size_t kInitialBytes = Limits::kFreeBytes;
  static constexpr std::size_t kKeptBytes = 64 << 10;  // a larger buffer shrinks when idle
  static constexpr std::size_t kMaxBytes = 17 << 20;   // holds the largest request

  // `limits` outlives the buffer; null: the buffer grows up to kMaxBytes.
  explicit ReadBuffer(Limits* limits = nullptr) : limits_(limits) {}
  ~ReadBuffer() { Release(); }
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;

  char* data() { return bytes_.get() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::size_t capacity() const { return capacity_; }

  // Returns the room after the data, to read into: usually at least a quarter of the buffer; none
  // when the buffer is full and may not grow. May move the data.
  // Cost: amortised O(1) for each byte received.
  std::span<char> Prepare();
  // Adds the first `count` bytes of the prepared room to the data.
  void Commit(std::size_t count) { end_ += count; }
  // Drops bytes from the front. Does not move the others.
  void Consume(std::size_t count);
  // Drops `count` bytes from `offset` on, and moves the bytes after them to their place.
  void Erase(std::size_t offset, std::size_t count);
  // Shrinks the buffer of a large request to the initial size, if the remaining data fills at most
  // half of that. A buffer of up to kKeptBytes shrinks only when the limits' bytes are scarce. May
  // move the data.
  void ReleaseExcess();
  // Drops the data and its memory.
  void Release();

 private:
  // Returns false when the limits do not allow the new capacity.
  bool Reallocate(std::size_t capacity);

  Limits* const limits_;
  CountedBytes<MemoryPart::kBuffers> bytes_;
  std::size_t capacity_ = 0;  // without the spare byte
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace hashrange
