// Which characters a tag may have: letters, digits and spaces of any script, and
// + - = . _ : / @ (docs/service/12-streams-and-ttl.md, section D); no marks and no symbols such as
// emoji. Any thread.
#pragma once

#include <string_view>

namespace hashrange {

// Returns whether a tag may have all characters of `text`, which is valid UTF-8.
bool IsTagText(std::string_view text);

}  // namespace hashrange
