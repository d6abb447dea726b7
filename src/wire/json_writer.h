// JsonWriter appends JSON to an output buffer. It writes the commas; the caller keeps objects
// and arrays balanced. Text is escaped as json_text.h describes. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory/output_buffer.h"

namespace hashrange {

class JsonWriter {
 public:
  explicit JsonWriter(OutputBuffer& out) : out_(out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  // Writes the name of a member; the caller writes the member's value next.
  void Name(std::string_view name);
  // Write the name of a member and begin its value.
  void BeginObject(std::string_view name) {
    Name(name);
    BeginObject();
  }
  void BeginArray(std::string_view name) {
    Name(name);
    BeginArray();
  }

  void String(std::string_view text);
  void Integer(std::int64_t value);
  void Bool(bool value);
  // Writes a finite double as the service prints it: 1.0, 0.5, 12.5.
  void Double(double value);
  // Writes epoch seconds with a fraction of milliseconds: 1730000000.123.
  void Timestamp(std::int64_t epoch_ms);
  // Appends one value that is JSON text already.
  void Raw(std::string_view json);

  // Write a member: its name and its value, as the methods above write it.
  void StringMember(std::string_view name, std::string_view text);
  void IntegerMember(std::string_view name, std::int64_t value);
  void BoolMember(std::string_view name, bool value);
  void DoubleMember(std::string_view name, double value);
  void TimestampMember(std::string_view name, std::int64_t epoch_ms);
  void RawMember(std::string_view name, std::string_view json);

  // Returns the buffer, to which the caller appends the text of one value.
  OutputBuffer& BeginValue() {
    BeforeValue();
    return out_;
  }

 private:
  void Open(char c);
  void Close(char c);
  void BeforeValue();

  OutputBuffer& out_;
  bool needs_comma_ = false;  // a value precedes at this level
};

}  // namespace hashrange
