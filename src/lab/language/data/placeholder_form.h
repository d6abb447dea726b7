// How a placeholder of a template writes its value (LabTemplatePart::Form, shards): padded, as a
// day, as the number of a shard. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lab/language/lab_file.h"

namespace hashrange {

// Puts the value, which is the text from `begin` on, into the placeholder's form.
//
//   kPadded, kDescend  of the whole part of a number; other text stays as it is
//   kYear … kMinute,   of a time in ISO 8601, or in seconds or milliseconds since 1970
//   kUlidTime
void FormPlaceholder(const LabTemplatePart& part, std::size_t begin, std::string& text);

// Returns the number from 0 to `shards` − 1 that `shard(attribute, shards)` is for a value.
int ShardOf(std::string_view value, int shards);

// Appends a value in a placeholder's form (LabTemplatePart::Form, shards).
void AppendFormed(const LabTemplatePart& part, std::string_view value, std::string& out);

// Appends the text of a template. `append_value(ref, out)` appends the value of an attribute, and
// returns false where there is none. Returns false, and appends a part of the text at most, where a
// value is missing.
template <typename AppendValue>
bool AppendTemplateText(const LabTemplate& text, const AppendValue& append_value,
                        std::string& out) {
  for (const LabTemplatePart& part : text.parts) {
    out += part.literal;
    if (part.attribute.entity == kLabNone) continue;
    const std::size_t begin = out.size();
    if (!append_value(part.attribute, out)) return false;
    FormPlaceholder(part, begin, out);
  }
  return true;
}

}  // namespace hashrange
