// Figures as people read them in sentences: "4,100", "0.125", "US$ 12.50". Always with a point and
// commas, whatever the locale. Pure functions; any thread.
#pragma once

#include <string>

namespace hashrange {

// Returns a figure of 0 or more with about three digits that count: "0.0625", "1.25", "4,100"; "no
// bound" for infinity.
std::string FigureText(double value);

// Returns an amount of 0 or more: "US$ 1,234.50", and below one dollar "US$ 0.0625".
std::string UsdText(double usd);

// Returns a share as a percentage: "12.5 %" for 0.125.
std::string PercentText(double share);

}  // namespace hashrange
