// JsonWriter appends JSON to a connection's output buffer. It sets the commas; the
// caller keeps objects and arrays balanced. Text is escaped only where JSON requires it
// (quote, backslash, control characters); UTF-8 passes through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

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
  void Base64(std::string_view bytes);

  // A member or an element that holds one string: Raw("{\"S\":"), the text, "}" in one go.
  // `open` and `close` are JSON punctuation.
  void Wrapped(std::string_view open, std::string_view text, std::string_view close);

  std::string& out() { return out_; }

 private:
  void Open(char c);
  void Close(char c);
  void BeforeValue();
  // `bytes` fresh bytes at the end, for the caller to fill.
  char* Extend(std::size_t bytes);
  void Quoted(std::string_view text);

  std::string& out_;
  bool comma_ = false;  // something stands before, at this level
};

}  // namespace hashrange
