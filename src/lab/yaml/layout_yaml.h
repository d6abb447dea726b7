// A layout as text of a lab file, with keys as a person would write them, and a lab file whose
// layouts are replaced. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the layout as a member of `layouts`, indented by two columns. Each of `comments` is a
// line above it.
std::string LayoutYaml(const LabFile& file, const LabLayout& layout,
                       const std::vector<std::string>& comments = {});

// Returns the text of a lab file, whose tree is `document`, with these layouts in place of its own.
// Limits of its own layouts are left out, those of all ("*") stay.
// Errors: ValidationException  the file is JSON, or has its parts in braces
Result<std::string> WithLayouts(std::string_view text, const LabNode& document,
                                const std::vector<std::string>& layouts);

}  // namespace hashrange
