// Any text as the body of a SearchVectors: what the strict reading accepts is JSON that binds to
// the types of the operation, unless it is nested too deep or is not UTF-8.
#include <cstdint>
#include <string>

#include "base/memory/arena.h"
#include "wire/binder.h"
#include "wire/json.h"
#include "wire/strict_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hashrange;
  std::string text(reinterpret_cast<const char*>(data), size);
  const OperationShape& shape = *FindOperationShape("SearchVectors");
  if (!CheckStrictText(*shape.input, text).ok()) return 0;
  Arena arena;
  const auto body = ParseJson({text.data(), text.size()}, arena);
  if (!body.ok()) return 0;
  const Status bound = BindRequest(shape, **body);
  if (!bound.ok() && bound.error().code == ErrorCode::kSerializationException) __builtin_trap();
  return 0;
}
