// `like:`: a layout that is another layout but for what it says itself. Maps are merged member by
// member; a list, a text, and an item's spec with `embed` replace what was there; null removes it.
// Pure functions, but for what they report to `reading`.
#pragma once

#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the layouts of the map, each whole and without `like`. Reports a name that is no layout,
// and layouts that are like themselves.
std::vector<LabNode::Member> ResolveLikes(const LabNode& layouts, LabReading& reading);

}  // namespace hashrange
