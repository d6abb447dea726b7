// Distributions: numbers that are drawn, `5`, `[1, 5]`, `{zipf: 0.9, mean: 10, max: 2000}`. Pure
// functions, but for what they report to `reading`.
#pragma once

#include <string_view>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

struct LabDistributionForm {
  std::string_view what = {};    // the subject of sentences: "`count`"
  bool may_be_negative = false;  // else, and by default, what is drawn is 0 or more
  int* decimals = nullptr;       // receives `decimals`; null: not allowed
};
LabDistribution ReadDistribution(const LabNode& node, const LabDistributionForm& form,
                                 LabReading& reading);

inline constexpr int kMostDecimals = 10;

}  // namespace hashrange
