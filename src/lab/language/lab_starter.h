// The lab file that a beginner starts from. Pure functions; any thread.
#pragma once

#include <string_view>

namespace hashrange {

// Returns a small lab of two layouts, with comments that teach the language. It is read without an
// error or a warning.
std::string_view LabStarterText();

}  // namespace hashrange
