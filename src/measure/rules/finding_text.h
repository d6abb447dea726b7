// The wording that the sentences of findings share, beside the figures of number_text.h. Pure
// functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// Returns a size of DynamoDB, by units of 1,024: "812 bytes", "1.5 KB", "10 GB".
std::string StoredSizeText(double size_bytes);

// Returns the text in backquotes, as templates and names stand in sentences.
std::string InBackticks(std::string_view text);

}  // namespace hashrange
