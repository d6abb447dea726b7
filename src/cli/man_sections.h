// The sections of the man page that no parser knows: what the program reads besides its command
// line, and how it ends.
#pragma once

#include <span>
#include <string_view>

namespace hashrange {

struct ManEntry {
  std::string_view term;  // empty: a paragraph
  std::string_view text;
};

struct ManSection {
  std::string_view title;
  std::span<const ManEntry> entries;
};

// The day on which this file or the help last changed in what it says; man pages show it.
inline constexpr std::string_view kManDate = "2026-11-23";

// Returns the text of DESCRIPTION.
std::span<const ManEntry> ManDescription();

// Returns ENVIRONMENT, EXIT STATUS, SIGNALS and FILES.
std::span<const ManSection> ManSectionsAfterCommands();

// Returns SEE ALSO.
ManSection ManSeeAlso();

}  // namespace hashrange
