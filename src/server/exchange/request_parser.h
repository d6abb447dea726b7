// RequestParser parses the requests of one connection, one after another, in the ReadBuffer in
// which the connection receives them. Beast parses the heads and the chunk framing. The chunks of a
// body are moved together within the buffer, so that every body is one piece. Not thread-safe.
//
//   while (true) switch (parser.Advance(buffer)) {
//     case kComplete: answer(parser.request()); parser.Finish(buffer); …
//     case kNeedMore: read more into the buffer …
//
// Cost: no allocation after the first request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/memory/live_memory.h"
#include "server/exchange/http_request.h"
#include "server/exchange/limits.h"

namespace hashrange {

// The bytes that a connection has received and not yet answered, in one piece, with one
// writable byte after the last (the JSON parser works in place and needs that byte).
//
//   [ consumed | data() … size() | room ][ 1 ]
//
// It grows with the bytes that have arrived, never with the length that a header claims, and only
// while the server's limits have bytes left. It releases the memory of a large request. Not
// thread-safe: only its connection uses it.
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

class RequestParser {
 public:
  enum class Progress {
    kNeedMore,      // the buffer ends before the request does
    kSendContinue,  // as kNeedMore, and the client waits for "100 Continue" (returned only once)
    kComplete,      // request() may be read until the buffer changes
    // After the following values, nothing more can be read from the connection.
    kMalformed,    // not HTTP, or a head above kMaxHeadBytes
    kTooLarge,     // a body above kMaxBodyBytes
    kOtherCoding,  // a Transfer-Encoding other than chunked
    kHttp2,        // the client speaks HTTP/2 from the start
  };

  // `connection` is the number of the connection, which each of its requests gets.
  explicit RequestParser(std::uint64_t connection = 0);
  ~RequestParser();

  // Parses the bytes in `buffer`; its first byte is the first of a request.
  Progress Advance(ReadBuffer& buffer);
  // Whether a request has begun and is not finished.
  bool in_progress() const;
  // Returns the path of a request that cannot be read to its end, as far as the path has arrived:
  // after kMalformed and the values below it, or when the buffer may not grow.
  static std::string_view PathIn(ReadBuffer& buffer);
  const HttpRequest& request() const { return request_; }
  // Called after kComplete: drops the request from `buffer`, and prepares for the next request.
  void Finish(ReadBuffer& buffer);

 private:
  class BeastParser;
  struct State;

  bool Begin(ReadBuffer& buffer);
  Progress ReadHead(ReadBuffer& buffer);
  Progress ReadSizedBody(ReadBuffer& buffer);
  Progress ReadChunks(ReadBuffer& buffer);
  Progress Wait();
  void FillRequest(char* base);

  std::unique_ptr<State> state_;
  HttpRequest request_;
};

}  // namespace hashrange
