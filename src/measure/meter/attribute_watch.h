// What the attributes of an entity's items are like. Used by one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "measure/measurement.h"
#include "value/item.h"

namespace hashrange {

using AttributesByName = std::map<std::string, AttributeMeasure, std::less<>>;

// Counts the attributes of an item. At most `most` different names are counted.
void WatchAttributes(ItemView item, std::size_t most, AttributesByName* attributes);

// Adds the counts of an attribute, which other items have, to those of the attribute of the same
// name.
void AddAttribute(const AttributeMeasure& other, AttributeMeasure* attribute);

// Returns whether the attribute's name says that it is a time to live: "ttl", "expires_at", ….
bool SoundsLikeExpiry(std::string_view name);

}  // namespace hashrange
