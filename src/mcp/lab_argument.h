// The lab file that a tool is called with, as text or by its path. Any thread.
#pragma once

#include <string>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "mcp/tool_arguments.h"

namespace hashrange {

inline constexpr ToolArgument kLabPathArgument = {
    .name = "path", .description = "The lab file (YAML), on this machine"};
inline constexpr ToolArgument kLabTextArgument = {
    .name = "lab", .description = "The lab file's text (YAML), in place of `path`"};

// Returns the lab file of the argument "path" or "lab".
// Errors: ValidationException  neither or both were given, the file cannot be read or is longer
//         than 16 MiB, or it is wrong; the sentence has the place
Result<LabFile> ReadLabArgument(const ToolArguments& arguments);

// Checks that the path is a file, or a folder of files and folders: a device or a pipe could be
// read without an end, and stdin is the protocol's.
// Errors: ValidationException  it is neither, or is not there
Status CheckIsStored(const std::string& path);

}  // namespace hashrange
