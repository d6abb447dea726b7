// Sentences about texts that are no YAML: what the author of a lab file most likely meant, from the
// parser's message and from what stands at the place where the parser stopped. Pure functions; any
// thread.
#pragma once

#include <string_view>

#include "lab/language/lab_source.h"

namespace hashrange {

// Returns what is wrong where the YAML parser stopped, with a message of its own, at a mark.
LabFault YamlFault(const LabSource& source, int mark_line, int mark_column,
                   std::string_view message);

}  // namespace hashrange
