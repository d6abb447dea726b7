// Gzip (RFC 1952), a piece at a time. Only this file and its source use zlib.
#pragma once

#include <memory>
#include <string_view>

#include "base/memory/output_buffer.h"
#include "base/result.h"
#include "control/files/byte_source.h"

namespace hashrange {

// Returns whether a file that begins with `head` is gzip. No text begins as gzip does.
bool IsGzip(std::string_view head);

// Returns a source of the decompressed content of `compressed`, which has one or more gzip members.
std::unique_ptr<ByteSource> DecompressGzip(std::unique_ptr<ByteSource> compressed);

// Compresses one member. Not thread-safe.
class GzipCompressor {
 public:
  GzipCompressor();
  ~GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  // Compresses `bytes` and appends the compressed data that is ready to `out`.
  void Add(std::string_view bytes, OutputBuffer& out);
  // Appends the rest of the compressed data. Nothing may be added afterwards.
  void Finish(OutputBuffer& out);

 private:
  struct State;
  void Compress(std::string_view bytes, int flush, OutputBuffer& out);

  std::unique_ptr<State> state_;
};

}  // namespace hashrange
