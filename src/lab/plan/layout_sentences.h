// What a layout does for the access patterns of its file, in sentences. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"

namespace hashrange {

// Returns the patterns by name: "\"order\" and \"orders of a customer\"".
std::string PatternNames(const LabFile& file, const std::vector<int>& patterns);

// Returns which patterns each key of the layout serves, what the layout asks of the application
// besides, and for which entities it has further items.
std::vector<std::string> LayoutSentences(const LabFile& file, const LabLayout& layout,
                                         const LayoutPlan& plan);

}  // namespace hashrange
