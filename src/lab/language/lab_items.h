// The items that a layout's table stores for each entity, by key templates. Used by one thread.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Reads the items of one table into `layout`; the rest of the table has been read. The items of one
// entity keep the order of the file.
void ReadItems(const LabNode& node, int table, LabLayout& layout, LabReading& reading);

}  // namespace hashrange
