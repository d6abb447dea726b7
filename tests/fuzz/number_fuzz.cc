// Any text as a number: when it is one, its canonical text must parse to the same number.
#include <cstdint>
#include <string_view>

#include "value/number.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hashrange::Number;
  using hashrange::NumberError;
  Number number;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (Number::Parse(text, &number) != NumberError::kNone) return 0;
  Number again;
  if (Number::Parse(number.ToText(), &again) != NumberError::kNone) __builtin_trap();
  if (again != number || again.ToText() != number.ToText()) __builtin_trap();
  if (Number::FromStored(number.stored()) != number) __builtin_trap();
  Number sum;
  if (Number::Subtract(number, again, &sum) != NumberError::kNone) __builtin_trap();
  if (sum != Number()) __builtin_trap();
  return 0;
}
