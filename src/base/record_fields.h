// Records of numbered fields, as bytes that outlive the program. A type says once which fields it
// has; the writer and the reader both follow that list:
//
//   template <typename Fields>
//   void VisitFields(Fields& fields, KeyPart& part) {
//     fields.Field(1, part.name);
//     fields.Enum(2, part.type, AttributeType::kM);
//   }
//
//   record   field …, by ascending numbers; a list repeats its field
//   field    2 × its number + kind (varint), then, by kind:
//              0   a varint; a signed number n as 2 × n or, below zero, −2 × n − 1
//              1   length (varint), bytes: a text, or a record inside the record
//   varint   7 bits in each byte, the low bits first; at most 64 bits
//
// A number 0, an empty text and an empty list are not written; without its field a member becomes
// 0 or empty, whatever its default is. An optional member is written when it has a value. A number
// is never used for another meaning, and a reader skips the fields that it does not know, so that
// a program reads the records of earlier and of later programs.
//
// The bytes may be damaged or hostile: the reader never reads behind their end, its depth and the
// lengths of its lists are bounded, and what does not fit a member is an error. Pure functions; any
// thread.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hashrange {

class StoredFieldWriter;
class StoredFieldReader;

// A type with a function VisitFields.
template <typename T>
concept HasRecordFields = requires(StoredFieldWriter& writer, StoredFieldReader& reader, T& value) {
  VisitFields(writer, value);
  VisitFields(reader, value);
};

// Appends a record to a text.
class StoredFieldWriter {
 public:
  static constexpr bool kIsReading = false;

  explicit StoredFieldWriter(std::string* out) : out_(*out) {}

  template <std::integral T>
  void Field(int number, const T& value) {
    if (value != 0) PutNumber(number, ToUnsigned(value));
  }
  template <typename T>
    requires std::is_enum_v<T>
  void Enum(int number, const T& value, T /*last*/) {
    if (value != T{}) PutNumber(number, static_cast<std::uint64_t>(value));
  }
  void Field(int number, std::string_view text) {
    if (!text.empty()) PutBytes(number, text);
  }
  template <std::size_t size>
  void Field(int number, const std::array<std::uint8_t, size>& bytes) {
    PutBytes(number, {reinterpret_cast<const char*>(bytes.data()), size});
  }
  template <typename T>
  void Field(int number, const std::optional<T>& value) {
    if (value) Put(number, *value);
  }
  template <typename T>
  void Field(int number, const std::vector<T>& values) {
    for (const T& value : values) Put(number, value);
  }
  template <HasRecordFields T>
  void Field(int number, const T& value) {
    Put(number, value);
  }

 private:
  template <std::integral T>
  static std::uint64_t ToUnsigned(T value) {
    if constexpr (std::is_signed_v<T>) {
      const auto wide = static_cast<std::int64_t>(value);
      return static_cast<std::uint64_t>(wide) << 1 ^ static_cast<std::uint64_t>(wide >> 63);
    } else {
      return value;
    }
  }
  template <std::integral T>
  void Put(int number, T value) {
    PutNumber(number, ToUnsigned(value));
  }
  void Put(int number, std::string_view text) { PutBytes(number, text); }
  template <HasRecordFields T>
  void Put(int number, const T& value) {
    std::string bytes;
    StoredFieldWriter record(&bytes);
    VisitFields(record, const_cast<T&>(value));  // a writer changes nothing
    PutBytes(number, bytes);
  }
  void PutNumber(int number, std::uint64_t value);
  void PutBytes(int number, std::string_view bytes);

  std::string& out_;
};

// Reads the fields of one record. After the first error, the members that are read become 0 or
// empty.
class StoredFieldReader {
 public:
  static constexpr bool kIsReading = true;
  // How many records may be inside each other, and how often a field may be repeated.
  static constexpr int kMaxDepth = 16;
  static constexpr std::size_t kMaxRepeats = 4096;

  // `bytes` outlive the reader.
  explicit StoredFieldReader(std::string_view bytes, int depth = 0);

  bool ok() const { return problem_.empty(); }
  // Returns what is wrong: "field 3: field 7 is too large"; empty: nothing.
  const std::string& problem() const { return problem_; }
  // The first problem stays.
  void SetProblem(int number, std::string_view problem);

  template <std::integral T>
  void Field(int number, T& value) {
    value = T{};
    if (const Place* place = FindOnly(number)) Take(*place, &value);
  }
  template <typename T>
    requires std::is_enum_v<T>
  void Enum(int number, T& value, T last) {
    std::uint64_t stored = 0;
    Field(number, stored);
    if (stored > static_cast<std::uint64_t>(last)) {
      SetProblem(number, "is too large");
      stored = 0;
    }
    value = static_cast<T>(stored);
  }
  void Field(int number, std::string& text) {
    text.clear();
    if (const Place* place = FindOnly(number)) Take(*place, &text);
  }
  // The text is a view of the record's bytes.
  void Field(int number, std::string_view& text) {
    text = {};
    if (const Place* place = FindOnly(number)) Take(*place, &text);
  }
  template <std::size_t size>
  void Field(int number, std::array<std::uint8_t, size>& bytes) {
    bytes = {};
    std::string_view text;
    Field(number, text);
    if (text.empty()) return;
    if (text.size() != size) return SetProblem(number, "has a wrong length");
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(text[i]);
  }
  template <typename T>
  void Field(int number, std::optional<T>& value) {
    value.reset();
    if (const Place* place = FindOnly(number)) Take(*place, &value.emplace());
  }
  template <typename T>
  void Field(int number, std::vector<T>& values) {
    values.clear();
    const std::span<const Place> places = FindAll(number);
    if (places.size() > kMaxRepeats) return SetProblem(number, "is repeated too often");
    values.reserve(places.size());
    for (const Place& place : places) Take(place, &values.emplace_back());
  }
  template <HasRecordFields T>
  void Field(int number, T& value) {
    const Place* place = FindOnly(number);
    Take(place ? *place : Place{number, true, 0, {}}, &value);
  }

 private:
  struct Place {
    int number;
    bool is_bytes;
    std::uint64_t value;
    std::string_view bytes;
  };

  template <std::integral T>
  void Take(const Place& place, T* value) {
    if (place.is_bytes) return SetProblem(place.number, "is no number");
    if constexpr (std::is_signed_v<T>) {
      const auto wide = static_cast<std::int64_t>(place.value >> 1 ^ (0 - (place.value & 1)));
      if (!std::in_range<T>(wide)) return SetProblem(place.number, "is too large");
      *value = static_cast<T>(wide);
    } else {
      if (place.value > std::numeric_limits<T>::max()) {
        return SetProblem(place.number, "is too large");
      }
      *value = static_cast<T>(place.value);
    }
  }
  template <typename Text>
    requires std::same_as<Text, std::string> || std::same_as<Text, std::string_view>
  void Take(const Place& place, Text* text) {
    if (!place.is_bytes) return SetProblem(place.number, "is no text");
    *text = Text(place.bytes);
  }
  template <HasRecordFields T>
  void Take(const Place& place, T* value) {
    if (!place.is_bytes) return SetProblem(place.number, "is no record");
    StoredFieldReader record(place.bytes, depth_ + 1);
    VisitFields(record, *value);
    if (!record.ok()) SetProblem(place.number, ": " + record.problem());
  }
  // Reads a varint at `*at`; false: there is none.
  bool ReadNumber(std::size_t* at, std::uint64_t* value) const;
  bool ReadPlace(std::size_t* at, Place* place);
  std::span<const Place> FindAll(int number) const;
  // Returns the only field of that number, or null.
  const Place* FindOnly(int number);

  const std::string_view bytes_;
  const int depth_;
  std::vector<Place> places_;  // by ascending numbers; empty after an error
  std::string problem_;
};

template <HasRecordFields T>
std::string EncodeRecord(const T& value) {
  std::string bytes;
  StoredFieldWriter writer(&bytes);
  VisitFields(writer, const_cast<T&>(value));  // a writer changes nothing
  return bytes;
}

// `what` begins the sentence of the error: "the record of a table".
// Errors: InternalServerError  the bytes are no such record
template <HasRecordFields T>
Status DecodeRecord(std::string_view bytes, std::string_view what, T* value) {
  StoredFieldReader reader(bytes);
  VisitFields(reader, *value);
  if (reader.ok()) return {};
  return InternalError(std::string(what) + " is damaged: " + reader.problem());
}

}  // namespace hashrange
