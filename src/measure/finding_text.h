// The wording that the sentences of findings share, beside the figures of figure_text.h. Pure
// functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

// Returns a number and its noun, which gets an "s" unless the number is 1: "1 call", "1,200 calls".
std::string CountedText(double count, std::string_view noun);

// Returns a size of DynamoDB, by units of 1,024: "812 bytes", "1.5 KB", "10 GB".
std::string StoredSizeText(double size_bytes);

// Returns the text in backquotes, as templates and names stand in sentences.
std::string InBackticks(std::string_view text);

}  // namespace hashrange
