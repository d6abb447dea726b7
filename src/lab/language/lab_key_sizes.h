// The check that the values of key templates are not longer than the service allows. Pure function,
// but for what it reports to `reading`.
#pragma once

#include <cstddef>

#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// The most bytes of the values of keys (docs/service/02-types-and-sizes.md, section 6).
inline constexpr std::size_t kMostHashKeyBytes = 2048;
inline constexpr std::size_t kMostRangeKeyBytes = 1024;

// Reports a template of a key of the layout whose values are always too long. Where only some
// values are, the fill finds that.
void CheckKeySizes(const LabLayout& layout, LabReading& reading);

}  // namespace hashrange
