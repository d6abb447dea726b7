// Whether the generated values keep what the file says of them: `unique` in a create, `distinct` in
// an entity. Values are pure functions of the seed and the instance, so they are compared before
// anything is made.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/result.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Of how many instances of an entity the values are compared; of more, the first ones are.
inline constexpr std::uint64_t kMostComparedInstances = 1'000'000;

// Returns an error with the place of the attribute where two of the instances have the same value,
// which says what would do; `scale` is Population's. Ends early when `stop`, which may be null,
// becomes true.
// Errors: ValidationException  two have the same
// Cost: nothing where generators always give another value, or so many values that the reader has
// refused the others; else a value and a hash for each instance.
Status CheckUniqueValues(const LabFile& file, std::uint64_t scale, const std::atomic<bool>* stop);

}  // namespace hashrange
