// Text in the path or the query of a URL. A pure function; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// Returns the text with every character encoded that may not appear in a path or a query.
std::string PercentEncoded(std::string_view text);

}  // namespace hashrange
