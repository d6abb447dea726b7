// The numbers that an attribute can have, for keys that write them as text. Pure functions; any
// thread.
#pragma once

#include "lab/language/lab_file.h"

namespace hashrange {

// What is known of the values of an attribute, as items have them: rounded to its decimals.
struct LabNumberBounds {
  // Of all values that the generators and the `set` of patterns give to the attribute.
  double least = 0;
  double greatest = 0;
  bool has_decimals = false;  // also by what is added
  // A pattern adds to the attribute. What is added does not count in `least` and `greatest`: the
  // attribute may leave them in time, and then a key may sort otherwise.
  bool is_added_to = false;
};

// Returns the least and the greatest number that is drawn from the distribution, but for numbers
// whose probability is less than 2e-16; infinite where there is no such bound.
LabNumberBounds BoundsOfDraws(const LabDistribution& distribution);

// Returns the bounds of an attribute whose type is a number. All patterns were read.
LabNumberBounds BoundsOfNumber(const LabFile& file, LabAttributeRef attribute);

// Returns why keys with the attribute in this form do not sort by it: it has decimals, values below
// 0, or more digits than the form; null: they do, as long as the attribute is within its bounds.
const char* WhyFormDoesNotSort(const LabNumberBounds& bounds, LabTemplatePart::Form form,
                               int width);

}  // namespace hashrange
