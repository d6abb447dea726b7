// Only this file knows RapidJSON.
#include "wire/json.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/library_gaps.h"
#include "base/memory/thread_object.h"
#include "base/text/short_text.h"
#include "base/text/text_encodings.h"
#include "wire/json_text.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// The body as a stream for RapidJSON. RapidJSON reads the text from the stream and writes decoded
// strings back in place.
class BodyStream {
 public:
  using Ch = char;

  explicit BodyStream(std::span<char> body)
      : src_(body.data()), head_(src_), end_(src_ + body.size()) {}

  char Peek() const { return *src_; }
  char Take() { return *src_++; }
  std::size_t Tell() const { return static_cast<std::size_t>(src_ - head_); }

  void Put(char c) { *dst_++ = c; }
  char* PutBegin() { return dst_ = src_; }
  std::size_t PutEnd(char* begin) const { return static_cast<std::size_t>(dst_ - begin); }
  char* Push(std::size_t count) { return std::exchange(dst_, dst_ + count); }
  void Pop(std::size_t count) { dst_ -= count; }
  void Flush() {}

  // Reads the text before the next quote, backslash or control character and writes it in place.
  // RapidJSON would call Take and Put for each byte, which doubles the time of parsing an item.
  void TransferPlain() {
    char* const from = src_;
    std::uint64_t escapes = 0;
    for (std::uint64_t word; end_ - src_ >= 8 && escapes == 0; src_ += 8) {
      std::memcpy(&word, src_, sizeof(word));
      escapes = EscapesIn(word);
    }
    if (escapes != 0) {
      src_ += std::countr_zero(escapes) / 8 - 8;
    } else {
      while (*src_ != '"' && *src_ != '\\' && static_cast<unsigned char>(*src_) >= 0x20) ++src_;
    }
    const auto bytes = static_cast<std::size_t>(src_ - from);
    if (dst_ != from) std::memmove(dst_, from, bytes);
    dst_ += bytes;
  }

 private:
  char* src_;
  char* dst_ = nullptr;
  char* head_;
  const char* end_;
};

// The encoding of a text that was validated before. It selects the Transcoder below, by which the
// stream copies the parts of a string that have no escape.
struct ValidUtf8 : rapidjson::UTF8<char> {};

}  // namespace
}  // namespace hashrange

template <>
struct rapidjson::StreamTraits<hashrange::BodyStream> {
  enum { copyOptimization = 1 };
};

template <>
struct rapidjson::Transcoder<hashrange::ValidUtf8, hashrange::ValidUtf8> {
  static bool Transcode(hashrange::BodyStream& stream, hashrange::BodyStream&) {
    stream.TransferPlain();
    return true;
  }
  // RapidJSON requires these declarations for modes that are not used: copying and validating.
  template <typename Output>
  static bool Transcode(hashrange::BodyStream& stream, Output& out) {
    out.Put(stream.Take());
    return true;
  }
  template <typename Output>
  static bool Validate(hashrange::BodyStream& stream, Output& out) {
    return Transcode(stream, out);
  }
};

namespace hashrange {
namespace {

// The recursive parser is used, since the iterative parser takes an eighth more time. TreeBuilder
// refuses more than kMaxJsonDepth levels, so that the recursion takes a few hundred kilobytes
// of stack at most.
//
// RapidJSON's own validation of UTF-8 decodes byte by byte: the body is validated before the
// parsing, many bytes at a time. Numbers arrive as text, so that integers stay exact.
constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag;

// The members that the thread's stack keeps allocated for the next request.
constexpr std::size_t kMaxKeptMembers = 4096;

JsonValue ParseNumber(std::string_view text) {
  JsonValue number;
  const char* const end = text.data() + text.size();
  if (text.find_first_of(".eE") == std::string_view::npos) {
    std::int64_t integer = 0;
    if (std::from_chars(text.data(), end, integer).ec == std::errc()) {
      number.type = JsonValue::Type::kInteger;
      number.integer = integer;
      return number;
    }
    number.type = JsonValue::Type::kHugeInteger;
  } else {
    number.type = JsonValue::Type::kDecimal;
  }
  // The parser has refused numbers that overflow; one that is still out of range is almost zero.
  number.decimal = 0;
  FromChars(text.data(), end, number.decimal);
  return number;
}

JsonValue MakeNumberText(std::string_view text) {
  JsonValue number = JsonValue::String(text);
  number.type = JsonValue::Type::kNumberText;
  return number;
}

// RapidJSON accepts the escape of a lone low surrogate and encodes it in three bytes, ED A0…BF.
bool HoldsSurrogate(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos;
       at = text.find('\xED', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  }
  return false;
}

// Above this number of members, repeated names are found by sorting, not by comparing the names of
// all pairs.
constexpr std::size_t kMaxMembersCompared = 32;

// Returns one of 64 bits for a name. Only names with the same bit have to be compared.
std::uint64_t NameBit(std::string_view name) {
  if (name.empty()) return 1;
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  return std::uint64_t{1} << ((first * 7u + last * 13u + name.size()) % 64);
}

bool EveryMemberCounts(std::span<const JsonMember> members, bool keeps_nulls) {
  if (members.size() > kMaxMembersCompared) return false;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].value.is_null() && !keeps_nulls) return false;
    const std::uint64_t bit = NameBit(members[i].name);
    if ((seen & bit) != 0 &&
        std::ranges::find(members.first(i), members[i].name, &JsonMember::name) !=
            members.begin() + static_cast<std::ptrdiff_t>(i)) {
      return false;
    }
    seen |= bit;
  }
  return true;
}

// Moves the members that count to the front, in the order of the request, and returns their
// number. Of a repeated name the last member counts, unless it is JSON null and `keeps_nulls`
// is false (docs/service/01-wire-protocol.md, section 2).
// Cost: O(n) for an object of up to 32 members with nothing to drop; O(n log n) for other objects.
std::size_t KeepMembersThatCount(std::span<JsonMember> members, bool keeps_nulls, Arena& arena) {
  if (EveryMemberCounts(members, keeps_nulls)) return members.size();
  const std::span<std::uint32_t> order = arena.NewArray<std::uint32_t>(members.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const int compared = members[a].name.compare(members[b].name);
    return compared != 0 ? compared < 0 : a < b;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const JsonMember& member = members[order[i]];
    const bool is_last = i + 1 == order.size() || member.name != members[order[i + 1]].name;
    if (is_last && (keeps_nulls || !member.value.is_null())) order[kept++] = order[i];
  }
  const std::span<std::uint32_t> positions = order.first(kept);
  std::ranges::sort(positions);
  for (std::size_t i = 0; i < kept; ++i) members[i] = members[positions[i]];
  return kept;
}

// Receives the reader's events and builds the tree: the members and elements of open containers
// wait on a stack; when a container ends, its members or elements are moved to the arena.
template <JsonDialect kDialect>
class TreeBuilder {
 public:
  TreeBuilder(Arena& arena, std::vector<JsonMember>& waiting, bool has_escapes)
      : arena_(arena), waiting_(waiting), has_escapes_(has_escapes) {}

  const JsonValue& root() const { return waiting_.front().value; }

  bool Null() { return AddValue(JsonValue()); }
  bool Bool(bool value) {
    JsonValue json;
    json.type = value ? JsonValue::Type::kTrue : JsonValue::Type::kFalse;
    return AddValue(json);
  }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    if constexpr (kDialect == JsonDialect::kDocument) return AddValue(MakeNumberText({text, size}));
    return AddValue(ParseNumber({text, size}));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (has_escapes_ && HoldsSurrogate({text, size})) return false;
    return AddValue(JsonValue::String({text, size}));
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (has_escapes_ && HoldsSurrogate({text, size})) return false;
    waiting_.push_back({{text, size}, {}});
    return true;
  }
  bool StartObject() { return Open(true); }
  bool StartArray() { return Open(false); }
  bool EndObject(rapidjson::SizeType count) {
    const std::span<JsonMember> all(waiting_.data() + waiting_.size() - count, count);
    // Most objects are attribute values, which have one member: they need no search.
    constexpr bool kKeepsNulls = kDialect == JsonDialect::kDocument;
    const bool keeps_all = count == 1 && (kKeepsNulls || !all[0].value.is_null());
    const std::span<const JsonMember> members =
        keeps_all ? all : all.first(KeepMembersThatCount(all, kKeepsNulls, arena_));
    if (kDialect == JsonDialect::kStrict && members.size() < count) return false;
    JsonValue object;
    object.type = JsonValue::Type::kObject;
    object.size = static_cast<std::uint32_t>(members.size());
    object.first_member = arena_.Copy(members).data();
    return Close(object, count);
  }
  bool EndArray(rapidjson::SizeType count) {
    const std::span<JsonValue> elements = arena_.NewArray<JsonValue>(count);
    const JsonMember* from = waiting_.data() + waiting_.size() - count;
    for (JsonValue& element : elements) element = (from++)->value;
    JsonValue array;
    array.type = JsonValue::Type::kArray;
    array.size = count;
    array.first_element = elements.data();
    return Close(array, count);
  }
  // The reader requires these declarations; it never calls them when numbers arrive as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  bool AddValue(const JsonValue& value) {
    if (depth_ > 0 && is_object_[depth_ - 1]) {
      waiting_.back().value = value;
    } else {
      waiting_.push_back({{}, value});
    }
    return true;
  }
  bool Open(bool is_object) {
    if (depth_ == kMaxJsonDepth) return false;
    is_object_[depth_++] = is_object;
    return true;
  }
  bool Close(const JsonValue& container, std::size_t waited) {
    waiting_.resize(waiting_.size() - waited);
    --depth_;
    return AddValue(container);
  }

  Arena& arena_;
  std::vector<JsonMember>& waiting_;
  const bool has_escapes_;
  int depth_ = 0;
  bool is_object_[kMaxJsonDepth];
};

Error NotJson() { return Error{ErrorCode::kSerializationException, {}, nullptr}; }

// RapidJSON's own allocator returns null without memory, and the reader would write there.
struct ReaderAllocator {
  [[maybe_unused]] static constexpr bool kNeedFree = true;

  void* Malloc(std::size_t bytes) { return Realloc(nullptr, 0, bytes); }
  void* Realloc(void* block, std::size_t /*old_bytes*/, std::size_t bytes) {
    if (bytes == 0) {
      Free(block);
      return nullptr;
    }
    void* const moved = std::realloc(block, bytes);
    if (!moved) throw std::bad_alloc();
    return moved;
  }
  static void Free(void* block) { std::free(block); }
};
using Reader = rapidjson::GenericReader<ValidUtf8, ValidUtf8, ReaderAllocator>;

struct ParserOfThread {
  std::vector<JsonMember> waiting;
  Reader reader;
};

// Returns why the reader has not read the whole text of `size_bytes`: an error or, without one, a
// zero byte.
Error NotJsonBecause(const Reader& reader, std::size_t size_bytes, JsonDialect dialect) {
  std::string why;
  std::size_t at = reader.HasParseError() ? reader.GetErrorOffset() : size_bytes;
  if (reader.GetParseErrorCode() == rapidjson::kParseErrorTermination) {
    why = dialect == JsonDialect::kStrict
              ? "A member is null or named twice, it is nested too deep, or holds half a "
                "surrogate pair."
              : "It is nested too deep, or holds half a surrogate pair.";
  } else {
    why = reader.HasParseError() ? rapidjson::GetParseError_En(reader.GetParseErrorCode())
                                 : "It holds a zero byte.";
  }
  return Error{ErrorCode::kSerializationException,
               why + " (at byte " + std::to_string(at + 1) + ")", nullptr};
}

// `explains`: an error has a message.
template <JsonDialect kDialect>
Result<const JsonValue*> ParseBody(std::span<char> body, Arena& arena, bool explains) {
  const std::string_view text(body.data(), body.size());
  if (!IsValidUtf8(text)) {
    if (!explains) return NotJson();
    return Error{ErrorCode::kSerializationException, "It is not valid UTF-8.", nullptr};
  }

  auto& [waiting, reader] = OfThread<ParserOfThread>();
  waiting.clear();
  const bool has_escapes = text.find('\\') != std::string_view::npos;
  TreeBuilder<kDialect> builder(arena, waiting, has_escapes);

  char& terminator = body.data()[body.size()];
  const char overwritten = std::exchange(terminator, '\0');
  BodyStream stream(body);
  const bool is_parsed = !reader.Parse<kFlags>(stream, builder).IsError();
  terminator = overwritten;

  // A zero byte ends the text for the reader, even when the body goes on.
  const bool is_whole = is_parsed && stream.Tell() == body.size();
  const JsonValue* const root = is_whole ? arena.New<JsonValue>(builder.root()) : nullptr;
  if (waiting.capacity() > kMaxKeptMembers) waiting = std::vector<JsonMember>();
  if (root) return root;
  return explains ? NotJsonBecause(reader, stream.Tell(), kDialect) : NotJson();
}

}  // namespace

Result<const JsonValue*> ParseJson(std::span<char> body, Arena& arena) {
  return ParseBody<JsonDialect::kRequest>(body, arena, false);
}

Result<const JsonValue*> ParseJsonData(std::span<char> text, JsonDialect dialect, Arena& arena) {
  switch (dialect) {
    case JsonDialect::kRequest:
      return ParseBody<JsonDialect::kRequest>(text, arena, true);
    case JsonDialect::kDocument:
      return ParseBody<JsonDialect::kDocument>(text, arena, true);
    case JsonDialect::kStrict:
      break;
  }
  return ParseBody<JsonDialect::kStrict>(text, arena, true);
}

const JsonValue* JsonValue::Find(std::string_view name) const {
  if (type != Type::kObject) return nullptr;
  for (const JsonMember& member : members()) {
    if (SameText(member.name, name)) return &member.value;
  }
  return nullptr;
}

void WriteJson(const JsonValue& json, JsonWriter& writer) {
  switch (json.type) {
    case JsonValue::Type::kNull:
      return writer.Raw("null");
    case JsonValue::Type::kFalse:
    case JsonValue::Type::kTrue:
      return writer.Bool(json.type == JsonValue::Type::kTrue);
    case JsonValue::Type::kInteger:
      return writer.Integer(json.integer);
    case JsonValue::Type::kHugeInteger:
    case JsonValue::Type::kDecimal:
      return writer.Double(json.decimal);
    case JsonValue::Type::kNumberText:
      return writer.Raw(json.string());
    case JsonValue::Type::kString:
      return writer.String(json.string());
    case JsonValue::Type::kArray:
      writer.BeginArray();
      for (const JsonValue& element : json.elements()) WriteJson(element, writer);
      return writer.EndArray();
    case JsonValue::Type::kObject:
      writer.BeginObject();
      for (const JsonMember& member : json.members()) {
        writer.Name(member.name);
        WriteJson(member.value, writer);
      }
      return writer.EndObject();
  }
}

}  // namespace hashrange
