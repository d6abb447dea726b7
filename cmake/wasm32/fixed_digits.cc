// The digits of doubles in the module, by the C library's snprintf, which is exact, too. libc++'s
// own functions have tables of 105 KB for this, of which brotli leaves 28 KB.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "include/ryu/ryu.h"

_LIBCPP_BEGIN_NAMESPACE_STD
namespace {

// Writes the number, which is not negative, as snprintf does, but without a zero byte behind it.
to_chars_result Print(char* first, char* last, const char* format, double number,
                      uint32_t precision) {
  const int size = snprintf(nullptr, 0, format, static_cast<int>(precision), number);
  if (size < 0 || size > last - first) return {last, errc::value_too_large};
  if (size < last - first) {
    snprintf(first, static_cast<size_t>(size) + 1, format, static_cast<int>(precision), number);
    return {first + size, errc{}};
  }
  // There is no room for the zero byte, in whose place the last character comes.
  char* const text = new (nothrow) char[static_cast<size_t>(size) + 1];
  if (!text) return {last, errc::value_too_large};
  snprintf(text, static_cast<size_t>(size) + 1, format, static_cast<int>(precision), number);
  memcpy(first, text, static_cast<size_t>(size));
  delete[] text;
  return {first + size, errc{}};
}

}  // namespace

// What the functions for floats write: the last `count` digits of a number, with leading zeros.
void __append_n_digits(const uint32_t count, uint32_t number, char* const text) {
  for (uint32_t i = count; i > 0; --i, number /= 10)
    text[i - 1] = static_cast<char>('0' + number % 10);
}

void __append_nine_digits(uint32_t number, char* const text) { __append_n_digits(9, number, text); }

to_chars_result __d2fixed_buffered_n(char* first, char* last, double number, uint32_t precision) {
  return Print(first, last, "%.*f", number, precision);
}

to_chars_result __d2exp_buffered_n(char* first, char* last, double number, uint32_t precision) {
  return Print(first, last, "%.*e", number, precision);
}

_LIBCPP_END_NAMESPACE_STD
