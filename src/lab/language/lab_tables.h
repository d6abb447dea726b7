// A table of a layout: its key, its indexes and its settings, but not its items. Pure functions,
// but for what they report to `reading`.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/language/node_reader.h"

namespace hashrange {

// Reads the members of `map` into the table, all but `items`.
void ReadTable(NodeReader& map, LabTable& table);

// Returns the key attributes of the table, in their order, and those of its indexes after them.
std::vector<std::string> TableKeyOf(const LabTable& table);
std::vector<std::string> AllKeysOf(const LabTable& table);

}  // namespace hashrange
