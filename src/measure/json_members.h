// Members of JSON objects that reports, comparisons and budgets are made of, beside those of
// wire/json_writer.h.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "wire/json_writer.h"

namespace hashrange {

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
