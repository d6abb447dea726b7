// The check of a lab file's tree by the forms of its language (lab_form.h). A scalar without quotes
// is a number, true, false or null only where a form allows that and the text has JSON's way of
// writing it; else it is text, so `0007`, `NO` and dates are text. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"

namespace hashrange {

// Checks the tree. Appends a sentence, with its place, for each text that other readers of YAML
// take for something else.
// Errors: ValidationException  a value has not the form that is allowed at its place, or YAML reads
//         something else than what was surely meant; the sentence begins with `name`, line and
//         column, and says what is allowed
Status CheckLabForms(const LabNode& root, std::string_view name,
                     std::vector<std::string>* warnings);

// Returns what readers of YAML 1.1 or 1.2 take an unquoted text for, such as "false"; "" where all
// of them take it for text. Dates and times are text here.
std::string_view OtherMeaningOf(std::string_view text);

}  // namespace hashrange
