// The checks of what a lab file means, once it was read: what contradicts itself is reported as an
// error, and what was hardly meant as a warning. Used by one thread.
#pragma once

#include "lab/language/lab_reading.h"

namespace hashrange {

// Checks counts, `distinct`, and identities that two instances may share.
void CheckEntities(LabReading& reading);
// Checks that gets and writes say which instance they are about, and the values of conditions.
void CheckPatterns(LabReading& reading);
// Checks that items do not replace each other, what is embedded, and names that nothing has.
void CheckLayouts(LabReading& reading);

}  // namespace hashrange
