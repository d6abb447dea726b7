// Why the engine refuses an item: a key of it that is empty or too long. Pure function; any thread.
#pragma once

#include <optional>
#include <string>

#include "lab/language/lab_file.h"
#include "wire/json.h"

namespace hashrange {

// Returns a sentence with the layout, the entity and the template of the key that is empty or
// longer than the service allows; nothing where the item has no such key. `stored` is an item of
// the layout, and `json` its JSON for one instance.
std::optional<std::string> KeyFault(const LabFile& file, const LabLayout& layout,
                                    const LabItem& stored, const JsonValue& json);

}  // namespace hashrange
