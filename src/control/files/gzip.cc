#include "control/files/gzip.h"

#include <zlib.h>

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace hashrange {
namespace {

constexpr std::size_t kBufferBytes = 64 << 10;
constexpr int kGzipWindowBits = 15 + 16;  // zlib: 16 more means gzip only
constexpr int kCompressionLevel = 3;      // twice as fast as the default; output 10 % larger

class GunzipSource : public ByteSource {
 public:
  explicit GunzipSource(std::unique_ptr<ByteSource> compressed)
      : compressed_(std::move(compressed)), buffer_(std::make_unique<char[]>(kBufferBytes)) {
    if (inflateInit2(&stream_, kGzipWindowBits) != Z_OK) throw std::bad_alloc();
  }
  ~GunzipSource() override { inflateEnd(&stream_); }
  GunzipSource(const GunzipSource&) = delete;
  GunzipSource& operator=(const GunzipSource&) = delete;

  Result<std::size_t> Read(std::span<char> room) override {
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(room.size());
    while (stream_.avail_out == room.size()) {
      if (stream_.avail_in == 0) {
        HR_ASSIGN(const bool has_more, Refill());
        if (!has_more) return std::size_t{0};
      }
      HR_RETURN_IF_ERROR(Inflate());
    }
    return room.size() - stream_.avail_out;
  }

 private:
  // Reads more of the file. Returns false at the end of the file. Returns an error when the file
  // ends before its last member does.
  Result<bool> Refill() {
    HR_ASSIGN(const std::size_t bytes, compressed_->Read({buffer_.get(), kBufferBytes}));
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.get());
    stream_.avail_in = static_cast<uInt>(bytes);
    if (bytes == 0 && !is_between_members_) {
      return ValidationError("its gzip data ends before its end");
    }
    return bytes > 0;
  }

  Status Inflate() {
    if (is_between_members_) {
      inflateReset(&stream_);
      is_between_members_ = false;
    }
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    is_between_members_ = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return {};
    return ValidationError(std::string("its gzip data is broken: ")
                               .append(stream_.msg ? stream_.msg : "it needs a dictionary"));
  }

  const std::unique_ptr<ByteSource> compressed_;
  const std::unique_ptr<char[]> buffer_;
  z_stream stream_ = {};
  bool is_between_members_ = false;  // a member has ended, and no other has begun
};

}  // namespace

bool IsGzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

std::unique_ptr<ByteSource> DecompressGzip(std::unique_ptr<ByteSource> compressed) {
  return std::make_unique<GunzipSource>(std::move(compressed));
}

struct GzipCompressor::State {
  z_stream stream = {};
};

GzipCompressor::GzipCompressor() : state_(std::make_unique<State>()) {
  constexpr int kMemoryLevel = 8;  // zlib's default
  if (deflateInit2(&state_->stream, kCompressionLevel, Z_DEFLATED, kGzipWindowBits, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

GzipCompressor::~GzipCompressor() { deflateEnd(&state_->stream); }

void GzipCompressor::Add(std::string_view bytes, OutputBuffer& out) {
  Compress(bytes, Z_NO_FLUSH, out);
}

void GzipCompressor::Finish(OutputBuffer& out) { Compress({}, Z_FINISH, out); }

void GzipCompressor::Compress(std::string_view bytes, int flush, OutputBuffer& out) {
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(out.Reserve(kBufferBytes));
    stream.avail_out = static_cast<uInt>(kBufferBytes);
    deflate(&stream, flush);
    out.EndAt(reinterpret_cast<const char*>(stream.next_out));
  } while (stream.avail_out == 0);
}

}  // namespace hashrange
