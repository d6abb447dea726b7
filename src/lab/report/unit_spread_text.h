// The words for what a call of an explained pattern takes. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "lab/run/explanation.h"

namespace hashrange {

// Returns "0.5 read units (computed)", or "2 to 7.5, mean 3.1 read units (measured, 100 calls)".
// `noun` is "read unit" or "write unit".
std::string SpreadText(const UnitSpread& units, std::string_view noun);

// Returns the read units and the write units of a call; of these only those that it takes.
std::string SpreadsText(const ExplainedPattern& pattern);

}  // namespace hashrange
