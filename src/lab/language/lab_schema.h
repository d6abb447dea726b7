// The check of a lab file's tree by the schema of lab files (docs/lab.schema.json). A scalar
// without quotes is a number, true, false or null only where the schema allows that and the text
// has JSON's form of it; else it is text, so `0007`, `NO` and dates are text. Pure functions; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"

namespace hashrange {

// Returns the JSON Schema of lab files.
std::string_view LabSchemaText();

// Checks the tree. Appends a sentence, with its place, for each text that other readers of YAML
// take for something else.
// Errors: ValidationException  the tree does not have the form of the schema; the sentence begins
//         with `name`, line and column, and says what is allowed
Status CheckAgainstLabSchema(const LabNode& root, std::string_view name,
                             std::vector<std::string>* warnings);

}  // namespace hashrange
