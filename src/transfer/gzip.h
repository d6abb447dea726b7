// Gzip (RFC 1952), a piece at a time. The only file of zlib.
#pragma once

#include <memory>
#include <string_view>

#include "base/output_buffer.h"
#include "base/result.h"
#include "transfer/byte_source.h"

namespace hashrange {

// Whether a file of this beginning is gzip: no text is.
bool IsGzip(std::string_view head);

// What the gzip data of `compressed`, one member or several, holds.
std::unique_ptr<ByteSource> DecompressGzip(std::unique_ptr<ByteSource> compressed);

// Compresses one member. Not thread-safe.
class GzipCompressor {
 public:
  GzipCompressor();
  ~GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  // Appends what is ready to `out`.
  void Add(std::string_view bytes, OutputBuffer& out);
  // Appends the rest. Nothing may be added afterwards.
  void Finish(OutputBuffer& out);

 private:
  struct State;
  void Compress(std::string_view bytes, int flush, OutputBuffer& out);

  std::unique_ptr<State> state_;
};

}  // namespace hashrange
