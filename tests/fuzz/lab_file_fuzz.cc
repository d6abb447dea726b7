// Any bytes as a lab file: the text becomes a LabFile, or is refused with a sentence that has its
// place.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lab/language/lab_reader.h"

namespace {

using namespace hashrange;

void ExpectPlace(const Error& error) {
  const std::string_view message = error.message;
  if (!message.starts_with("f:") || message.size() < 10) __builtin_trap();
  if (message[2] < '1' || message[2] > '9') __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<LabFile> file = ReadLabFile(text, "f");
  if (!file.ok()) ExpectPlace(file.error());
  return 0;
}
