// DumpManifest: what a dump says of itself, in a file at its root. With it a dump is whole.
//
//   {"version":1,"tables":["app","users"]}        each in the folder of its name
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "transfer/file_bounds.h"

namespace hashrange {

struct DumpManifest {
  std::vector<std::string> tables;
};

// Errors: ValidationException  it cannot be read, or is of another form. A sentence that begins
//                              with the path.
Result<DumpManifest> ReadManifest(const std::filesystem::path& path, const FileBounds& bounds = {});

std::string ManifestText(const DumpManifest& manifest);

}  // namespace hashrange
