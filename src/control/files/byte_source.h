// ByteSource gives the bytes of a data file, in order, decompressed where they are gzip. It needs
// little more memory than the buffer that Read fills, whatever the file contains. One thread at a
// time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/file_path.h"
#include "base/result.h"
#include "control/files/file_bounds.h"

namespace hashrange {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the beginning of `room`, which is not empty. Returns the number of bytes; 0 at the end.
  // Errors: ValidationException  the file cannot be read, or its gzip data is broken
  virtual Result<std::size_t> Read(std::span<char> room) = 0;
};

// Returns a source of the file's content. The first bytes show whether the file is gzip.
// Errors: ResourceNotFoundException  there is no such file
//         ValidationException        the file is not regular, may not be read, is outside of
//                                    `bounds`, or is named .gz and is no gzip
Result<std::unique_ptr<ByteSource>> OpenFile(const fs::path& path, const FileBounds& bounds = {});

// Returns a source of the bytes of `text`, which outlives the source.
std::unique_ptr<ByteSource> OpenText(std::string_view text);

// Returns the first bytes of `source`, at most `bytes`. `source` then gives these bytes once more
// and, if reading them ended with an error, that error.
std::string PeekHead(std::unique_ptr<ByteSource>* source, std::size_t bytes);

// Some editors begin a text with this mark, which is no part of the text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns a whole text of at most `max_bytes`, without its byte order mark.
// Errors: as OpenFile; ValidationException  the file is larger
Result<std::string> ReadWholeFile(const fs::path& path, std::size_t max_bytes,
                                  const FileBounds& bounds = {});

}  // namespace hashrange
