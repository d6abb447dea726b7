// The texts of results, which are bounded, since an agent's context is small. Pure functions, but
// for the file that BoundedText may write; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/report_folder.h"
#include "wire/json.h"

namespace hashrange {

// The most bytes of a result's text, of a result's data, and of the text that a tool cuts itself,
// so that the names of files fit behind it.
inline constexpr std::size_t kMostResultBytes = 12'000;
inline constexpr std::size_t kMostStructuredBytes = 3'000;
inline constexpr std::size_t kMostToolBytes = 11'000;

// Returns the text; if it is longer than `most`, its first lines, and a last line that names the
// file in `reports` to which all of it was written.
std::string BoundedText(std::string text, ReportFolder& reports, std::string_view file_name,
                        std::size_t most = kMostToolBytes);

// Writes the text to a file, and returns "NAME: /path/to/file" with a line end; where it cannot be
// written, the reason.
std::string FileLine(std::string_view what, ReportFolder& reports, std::string_view file_name,
                     std::string_view text);

// Returns the text with "\\u000a" in place of a line end, and so on for each control character.
std::string OneLineText(std::string_view text);

// Returns the text as a JSON string.
std::string JsonString(std::string_view text);

}  // namespace hashrange
