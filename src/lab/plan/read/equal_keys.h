// Whether two texts of keys can be equal, and which sorts first, by the characters that their
// placeholders' values have.
// Pure functions; any thread.
//
//   USER#{user_id}            USER#{user_id}#FOLLOWS     never: an id has no "#"
//   {invoice_id}              {bill_id}                  sometimes: both are digits
#pragma once

#include "lab/language/lab_file.h"
#include "lab/plan/read/read_question.h"

namespace hashrange {

// Returns whether there are values of the placeholders by which the texts are equal: a placeholder
// may be any text, also none, of the characters that its attribute's values have.
bool CanBeEqual(const LabFile& file, const KeyText& one, const KeyText& other);

// Returns whether the one text sorts before the other whatever the values are, which are not empty.
bool IsAlwaysBefore(const LabFile& file, const KeyText& one, const KeyText& other);

// Returns whether the form writes a number with zeros in front, or from the greatest to the least.
bool IsFormOfNumber(const LabTemplatePart& part);

}  // namespace hashrange
