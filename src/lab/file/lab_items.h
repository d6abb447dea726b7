// The items that a layout's table stores for each entity, by key templates. Used by one thread.
#pragma once

#include "lab/file/lab_document.h"
#include "lab/file/lab_file.h"
#include "lab/file/lab_reading.h"

namespace hashrange {

// Reads the items of one table, which was read but for them, into `layout`. Several items of one
// entity stand behind one another.
void ReadItems(const LabNode& node, int table, LabLayout& layout, LabReading& reading);

}  // namespace hashrange
