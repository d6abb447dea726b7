// Members that the JSON of reports is made of, for a measurement and for a lab.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/report/readable_text.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes a text that may come from the traffic (readable_text.h).
inline void WriteTextMember(std::string_view name, std::string_view text, JsonWriter& writer) {
  writer.StringMember(name, ReadableText(text));
}

// Writes a figure; one that is unknown or has no bound is null.
inline void WriteFigureMember(std::string_view name, std::optional<double> figure,
                              JsonWriter& writer) {
  writer.Name(name);
  if (figure && std::isfinite(*figure)) {
    writer.Double(*figure);
  } else {
    writer.Raw("null");
  }
}

inline void WriteTextsMember(std::string_view name, const std::vector<std::string>& texts,
                             JsonWriter& writer) {
  writer.BeginArray(name);
  for (const std::string& text : texts) writer.String(ReadableText(text));
  writer.EndArray();
}

// Writes an array of objects, whose members `write` writes.
template <typename Values, typename Write>
void WriteObjectsMember(std::string_view name, const Values& values, JsonWriter& writer,
                        Write write) {
  writer.BeginArray(name);
  for (const auto& value : values) {
    writer.BeginObject();
    write(value);
    writer.EndObject();
  }
  writer.EndArray();
}

// Writes an object, whose members `write` writes; null where it is not known.
template <typename Write>
void WriteObjectMember(std::string_view name, bool is_known, JsonWriter& writer, Write write) {
  writer.Name(name);
  if (!is_known) return writer.Raw("null");
  writer.BeginObject();
  write();
  writer.EndObject();
}

}  // namespace hashrange
