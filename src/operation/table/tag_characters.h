// Which characters a tag may have: letters, digits and spaces of any script, and
// + - = . _ : / @ (docs/service/12-streams-and-ttl.md, section D). Neither marks nor symbols, an
// emoji for one.
#pragma once

#include <string_view>

namespace hashrange {

// `text` is valid UTF-8.
bool IsTagText(std::string_view text);

}  // namespace hashrange
