// Members that the JSON of reports is made of (report_json.h, and that of a lab).
#pragma once

#include <cstdint>
#include <string_view>

#include "report/readable_text.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes a text that may come from the traffic (readable_text.h).
inline void WriteTextMember(std::string_view name, std::string_view text, JsonWriter& writer) {
  writer.StringMember(name, ReadableText(text));
}

inline void WriteCountMember(std::string_view name, std::uint64_t count, JsonWriter& writer) {
  writer.IntegerMember(name, static_cast<std::int64_t>(count));
}

// Writes an array of objects, whose members `write` writes.
template <typename Values, typename Write>
void WriteObjectsMember(std::string_view name, const Values& values, JsonWriter& writer,
                        Write write) {
  writer.Name(name);
  writer.BeginArray();
  for (const auto& value : values) {
    writer.BeginObject();
    write(value);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace hashrange
