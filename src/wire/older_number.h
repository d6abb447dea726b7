// Numbers as the older validation layer reads them (docs/service/02-types-and-sizes.md, section 3),
// and as PartiQL does, whose parameters and literals go through it. Pure functions; any thread.
#pragma once

#include <string_view>

#include "value/number.h"

namespace hashrange {

// Number::Parse, but for the magnitude, which is worked out in 32 bits and wraps:
// 1e2147483647 is an underflow.
NumberError ParseOlderNumber(std::string_view text, Number* out);

// Whether the exponent of a number, and its scale (the digits behind the point less the
// exponent), fit 32 bits. PartiQL converts no other (docs/service/11-partiql.md, section 3).
bool FitsDecimal(std::string_view text);

}  // namespace hashrange
