// ReadBuffer: the bytes a connection has received and not yet answered, in one piece,
// with one writable byte behind the last (the JSON parser works in place and wants it).
//
//   [ consumed | data() … size() | room ][ 1 ]
//
// It grows with what has arrived, never with what a header claims, as far as the server's limits
// have bytes left, and gives the memory of a large request back. Not thread-safe: a connection's
// own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "http/limits.h"

namespace hashrange {

class ReadBuffer {
 public:
  static constexpr std::size_t kInitialBytes = 8 << 10;
  static constexpr std::size_t kKeptBytes = 64 << 10;  // above this, an idle buffer shrinks
  static constexpr std::size_t kMaxBytes = 17 << 20;   // holds the largest request

  // `limits` outlives the buffer; null: it grows freely.
  explicit ReadBuffer(Limits* limits = nullptr) : limits_(limits) {}
  ~ReadBuffer() { Release(); }
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;

  char* data() { return bytes_.get() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::size_t capacity() const { return capacity_; }

  // Room behind the data to read into, as a rule at least a quarter of the buffer; none when the
  // buffer is full and may not grow. Moves the data.
  // Cost: amortised O(1) for each byte received.
  std::span<char> Prepare();
  // The first `count` bytes of that room are data now.
  void Commit(std::size_t count) { end_ += count; }
  // Drops bytes from the front. Does not move the others.
  void Consume(std::size_t count);
  // Drops `count` bytes from `offset` on; those behind them move up.
  void Erase(std::size_t offset, std::size_t count);
  // After a large request: back to the initial size if what is left fits. Moves the data.
  void ReleaseExcess();
  // Drops all there is, and its memory.
  void Release();

 private:
  // False when the limits do not allow it.
  bool Reallocate(std::size_t capacity);

  Limits* const limits_;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;  // without the spare byte
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace hashrange
