// Reading of lab files: YAML or JSON → a tree with places → the forms of its values
// are checked → LabFile.
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the lab file.
// Errors: ValidationException  the text is no YAML, does not have the form of a lab file,
//         contradicts itself, or has open questions; the sentence begins with `name`, the line and
//         the column ("shop.yaml:12:5: …") and says what is allowed. An open question is a value
//         with "{?the question}", which an import writes where its source does not decide; the
//         error has a line for each of them. `faults` gets the sentences of all parts that are
//         wrong by themselves, or all questions, the one of the error among them; null: only the
//         error
Result<LabFile> ReadLabFile(std::string_view text, std::string_view name,
                            std::vector<std::string>* faults = nullptr);
// The same of a text whose tree was read already, by ReadLabDocument.
Result<LabFile> ReadLabFile(const LabNode& root, std::string_view name,
                            std::vector<std::string>* faults = nullptr);

// A lab file and the tree that it was read from, of which curves are drawn (lab/forecast).
struct LoadedLab {
  LabNode document;
  LabFile file;
};

// Errors: as ReadLabFile
Result<LoadedLab> LoadLab(std::string_view text, std::string_view name);

// The same without layouts and their limits, which the file may lack and which are not read. Limits
// of all layouts are.
// Errors: as ReadLabFile
Result<LoadedLab> LoadApplication(std::string_view text, std::string_view name);

}  // namespace hashrange
