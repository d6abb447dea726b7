// JsonWriter appends JSON to a connection's output buffer. It sets the commas; the
// caller keeps objects and arrays balanced. Text is escaped as json_text.h says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/output_buffer.h"

namespace hashrange {

class JsonWriter {
 public:
  explicit JsonWriter(OutputBuffer& out) : out_(out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  // A member's name; the value follows.
  void Name(std::string_view name);

  void String(std::string_view text);
  void Integer(std::int64_t value);
  void Bool(bool value);
  // A finite double as the service prints one: 1.0, 0.5, 12.5.
  void Double(double value);
  // Epoch seconds with a fraction of milliseconds: 1730000000.123.
  void Timestamp(std::int64_t epoch_ms);
  // JSON that is already written.
  void Raw(std::string_view json);

  // Where the caller appends the text of one value itself.
  OutputBuffer& BeginValue() {
    BeforeValue();
    return out_;
  }

 private:
  void Open(char c);
  void Close(char c);
  void BeforeValue();

  OutputBuffer& out_;
  bool needs_comma_ = false;  // something stands before, at this level
};

}  // namespace hashrange
