// The only file that knows RapidJSON.
#include <rapidjson/reader.h>

#include <charconv>
#include <utility>
#include <vector>

#include "wire/json.h"
#include "wire/json_members.h"
#include "wire/utf8.h"

namespace hashrange {
namespace {

// RapidJSON's own validation of UTF-8 decodes byte by byte: the body is validated ahead,
// many bytes at a time. Numbers arrive as text, so that integers stay exact.
constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag |
                            rapidjson::kParseNumbersAsStringsFlag;

// What one request may leave allocated for the next.
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
  // The parser has refused what overflows; what is left out of range is next to zero.
  number.decimal = 0;
  std::from_chars(text.data(), end, number.decimal);
  return number;
}

// A lone low surrogate passes RapidJSON and is encoded in three bytes, ED A0…BF.
bool HoldsSurrogate(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos;
       at = text.find('\xED', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  }
  return false;
}

// Receives the reader's events and builds the tree: members of open containers wait on a
// stack; a container that ends moves its own to the arena.
class TreeBuilder {
 public:
  TreeBuilder(Arena& arena, std::vector<JsonMember>& waiting, bool has_escapes)
      : arena_(arena), waiting_(waiting), has_escapes_(has_escapes) {}

  const JsonValue& root() const { return waiting_.front().value; }

  bool Null() { return Add(JsonValue()); }
  bool Bool(bool value) {
    JsonValue json;
    json.type = value ? JsonValue::Type::kTrue : JsonValue::Type::kFalse;
    return Add(json);
  }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return Add(ParseNumber({text, size}));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (has_escapes_ && HoldsSurrogate({text, size})) return false;
    return Add(JsonValue::String({text, size}));
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
    const std::span<const JsonMember> members = all.first(KeepMembersThatCount(all, arena_));
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
  // Never called with numbers as strings; the reader wants them declared.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  bool Add(const JsonValue& value) {
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
    return Add(container);
  }

  Arena& arena_;
  std::vector<JsonMember>& waiting_;
  const bool has_escapes_;
  int depth_ = 0;
  bool is_object_[kMaxJsonDepth];
};

Error NotJson() { return Error{ErrorCode::kSerializationException, {}, nullptr}; }

}  // namespace

Result<const JsonValue*> ParseJson(std::span<char> body, Arena& arena) {
  const std::string_view text(body.data(), body.size());
  if (!IsValidUtf8(text)) return NotJson();

  thread_local std::vector<JsonMember> waiting;
  thread_local rapidjson::Reader reader;
  waiting.clear();
  const bool has_escapes = text.find('\\') != std::string_view::npos;
  TreeBuilder builder(arena, waiting, has_escapes);

  char& terminator = body.data()[body.size()];
  const char overwritten = std::exchange(terminator, '\0');
  rapidjson::InsituStringStream stream(body.data());
  const bool ok = !reader.Parse<kFlags>(stream, builder).IsError();
  terminator = overwritten;

  // A zero byte ends the reader's text, not the body.
  const bool is_whole = ok && stream.Tell() == body.size();
  const JsonValue* const root = is_whole ? arena.New<JsonValue>(builder.root()) : nullptr;
  if (waiting.capacity() > kMaxKeptMembers) waiting = std::vector<JsonMember>();
  if (!root) return NotJson();
  return root;
}

}  // namespace hashrange
