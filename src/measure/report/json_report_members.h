// Members that hold texts of the traffic, of the JSON of reports and of labs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/json_members.h"
#include "measure/report/readable_text.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes a text that may come from the traffic (readable_text.h).
inline void WriteTextMember(std::string_view name, std::string_view text, JsonWriter& writer) {
  writer.StringMember(name, ReadableText(text));
}

inline void WriteTextsMember(std::string_view name, const std::vector<std::string>& texts,
                             JsonWriter& writer) {
  writer.BeginArray(name);
  for (const std::string& text : texts) writer.String(ReadableText(text));
  writer.EndArray();
}

}  // namespace hashrange
