// The part of a BatchWriteItem that was processed. Pure function; any thread.
#pragma once

#include <string>
#include <string_view>

#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the request without what its answer lists as unprocessed; empty where nothing is left, or
// where the request cannot be read. `unprocessed` is the member UnprocessedItems.
std::string ProcessedPart(std::string_view request, std::string_view unprocessed,
                          const LabLayout& layout);

}  // namespace hashrange
