// Texts for the authors of lab files. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// Returns the JSON Schema (draft 4) of lab files, for editors, written from the forms of the
// language (lab_form.h). docs/lab.schema.json has the same text.
std::string LabSchemaText();

// Returns a small lab of two layouts, with comments that teach the language. It is read without an
// error or a warning.
std::string_view LabStarterText();

}  // namespace hashrange
