// Files that are read whole, such as lab files, measurements and tokens. What is
// larger than kMaxFileTextBytes is refused, so no input takes much memory. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace hashrange {

inline constexpr std::size_t kMaxFileTextBytes = 16 << 20;

// What may be read. Devices are refused, as many never end; only /dev/null counts as an empty file.
enum class FileKinds : std::uint8_t {
  kFile,
  kFileOrPipe,  // a server does not use this: the reader of a pipe waits for its writer
};

// Returns the content of the file, which may be empty.
// Errors: ValidationException  the file cannot be read, is of another kind, or has more than
//         `max_bytes`; the sentence has its name and the reason
Result<std::string> ReadFileText(const std::string& name, std::size_t max_bytes = kMaxFileTextBytes,
                                 FileKinds kinds = FileKinds::kFileOrPipe);

// Returns all that comes from stdin, which may be of any kind.
// Errors: ValidationException  it cannot be read, or has more than kMaxFileTextBytes
Result<std::string> ReadStdinText();

}  // namespace hashrange
