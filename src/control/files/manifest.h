// DumpManifest lists the tables of a dump. It is stored in a file at the root of the dump. The dump
// is complete when this file exists. Any thread.
//
//   {"version":1,"tables":["app","users"]}        each table is in the folder of its name
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/files/file_bounds.h"

namespace hashrange {

struct DumpManifest {
  std::vector<std::string> tables;
};

// Returns whether `name` may be the name of a table. Such a name cannot lead out of the dump's
// folder: it has no '/', and is longer than "..".
bool IsTableName(std::string_view name);

// Returns the manifest in the file.
// Errors: ValidationException  the file cannot be read, or has another form. The message begins
//                              with the path.
Result<DumpManifest> ReadManifest(const std::filesystem::path& path, const FileBounds& bounds = {});

// Returns the text of the file.
std::string ManifestText(const DumpManifest& manifest);

}  // namespace hashrange
