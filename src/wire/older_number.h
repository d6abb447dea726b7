// Numbers as the older validation layer parses them (docs/service/02-types-and-sizes.md,
// section 3), and as PartiQL does for its parameters and literals. Pure functions; any thread.
#pragma once

#include <string_view>

#include "value/number.h"

namespace hashrange {

// Parses a number like Number::Parse, except that its magnitude (the exponent plus the number of
// digits before the point) is computed in 32 bits and wraps: 1e2147483647 is an underflow.
NumberError ParseOlderNumber(std::string_view text, Number* out);

// Returns whether the exponent of a number, and its scale (the number of digits behind the point
// minus the exponent), fit 32 bits. PartiQL cannot convert any other number
// (docs/service/11-partiql.md, section 3).
bool FitsDecimal(std::string_view text);

}  // namespace hashrange
