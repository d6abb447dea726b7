// What an agent can read of the server, by its URI: the reference of the language of lab files, and
// their JSON Schema. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/json_writer.h"

namespace hashrange {

// Writes the list of all resources, as resources/list answers it: [{"uri":…}].
void WriteResourceList(JsonWriter& writer);

// Writes the contents of the resource, as resources/read answers them: [{"uri":…,"text":…}].
// Returns whether there is one with that URI; nothing is written where there is none.
bool WriteResourceContents(std::string_view uri, JsonWriter& writer);

// The text of docs/lab-reference.md, which the build puts into the program.
extern const std::string_view kLabReferenceText;

}  // namespace hashrange
