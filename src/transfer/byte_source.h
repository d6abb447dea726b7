// ByteSource: the bytes of a data file, in order, decompressed where they are gzip. Memory is
// bounded by the reader's room, whatever the file holds. One thread at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "transfer/file_bounds.h"

namespace hashrange {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the beginning of `room`, which is not empty, and returns how many bytes these are; 0 at
  // the end.
  // Errors: ValidationException  the file cannot be read, or its gzip data is broken
  virtual Result<std::size_t> Read(std::span<char> room) = 0;
};

// The content of a file. Whether it is gzip is seen in its first bytes.
// Errors: ResourceNotFoundException  there is no such file
//         ValidationException        it is no regular file, it may not be read, is outside of
//                                    `bounds`, or it is named .gz and is no gzip
Result<std::unique_ptr<ByteSource>> OpenFile(const std::filesystem::path& path,
                                             const FileBounds& bounds = {});

// The bytes of `text`, which outlives the source.
std::unique_ptr<ByteSource> OpenText(std::string_view text);

// The beginning of what `source` has, at most `bytes` of it; `source` reads it once more, and then
// the error, if one came before.
std::string PeekHead(std::unique_ptr<ByteSource>* source, std::size_t bytes);

// What some editors begin a text with. It is no part of it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A whole text of at most `max_bytes`, without its byte order mark.
// Errors: as OpenFile; ValidationException  it is larger
Result<std::string> ReadWholeFile(const std::filesystem::path& path, std::size_t max_bytes,
                                  const FileBounds& bounds = {});

}  // namespace hashrange
