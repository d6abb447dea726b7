// The types of key attributes, which follow from their templates. Used by one thread.
#pragma once

#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Sets the types of the key attributes of the layout's tables: a number where each template of an
// attribute is one placeholder of a number, else a text. Reports templates that disagree, an
// attribute that no item has, and true or false as a key.
void SetKeyTypes(LabLayout& layout, LabReading& reading);

}  // namespace hashrange
