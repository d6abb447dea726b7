#include "lab/endpoint/prefixed_lab.h"

#include <algorithm>
#include <cstdint>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "base/random.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::size_t kLeastName = 3;
constexpr std::size_t kLongestName = 255;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

Status CheckName(const std::string& name, std::string_view prefix) {
  const bool is_allowed = std::ranges::all_of(name, IsNameCharacter) && name.size() >= kLeastName &&
                          name.size() <= kLongestName;
  if (is_allowed) return {};
  return ValidationError("With the prefix \"" + std::string(prefix) +
                         "\", a table would be named " + name +
                         ", and names of tables have 3 to 255 letters, digits, _, - and .");
}

// Writes the JSON of a request with the names of its tables changed: the value of TableName, in
// the actions of TransactItems, too, and the names of the members of RequestItems. Attributes of
// items may have the same names.
class RequestRenamer {
 public:
  RequestRenamer(std::string_view prefix, JsonWriter& writer) : prefix_(prefix), writer_(writer) {}

  void WriteRequest(const JsonValue& json) {
    WriteObject(json, [this](const JsonMember& member) {
      if (member.name == "RequestItems") return WriteTables(member.value);
      if (member.name == "TransactItems") return WriteActions(member.value);
      WriteNamed(member);
    });
  }

 private:
  // Writes the object with each of its members by `write`; another value as it is.
  template <typename Write>
  void WriteObject(const JsonValue& json, const Write& write) {
    if (json.type != JsonValue::Type::kObject) return WriteJson(json, writer_);
    writer_.BeginObject();
    for (const JsonMember& member : json.members()) write(member);
    writer_.EndObject();
  }

  void WriteNamed(const JsonMember& member) {
    const bool is_name =
        member.name == "TableName" && member.value.type == JsonValue::Type::kString;
    writer_.Name(member.name);
    if (is_name) return writer_.String(prefix_ + std::string(member.value.string()));
    WriteJson(member.value, writer_);
  }

  void WriteTables(const JsonValue& tables) {
    writer_.Name("RequestItems");
    WriteObject(tables, [this](const JsonMember& table) {
      writer_.Name(prefix_ + std::string(table.name));
      WriteJson(table.value, writer_);
    });
  }

  // [{"Put":{"TableName":…,…}},…]
  void WriteActions(const JsonValue& actions) {
    writer_.Name("TransactItems");
    if (actions.type != JsonValue::Type::kArray) return WriteJson(actions, writer_);
    writer_.BeginArray();
    for (const JsonValue& action : actions.elements()) {
      WriteObject(action, [this](const JsonMember& kind) {
        writer_.Name(kind.name);
        WriteObject(kind.value, [this](const JsonMember& member) { WriteNamed(member); });
      });
    }
    writer_.EndArray();
  }

  const std::string prefix_;
  JsonWriter& writer_;
};

Status RenameIn(LabRequest& request, std::string_view prefix) {
  Arena arena;
  std::string text = request.json;
  HR_ASSIGN(const JsonValue* const json, ParseJsonData(text, JsonDialect::kDocument, arena));
  OutputBuffer out;
  JsonWriter writer(out);
  RequestRenamer(prefix, writer).WriteRequest(*json);
  request.json = std::string(out.view());
  return {};
}

}  // namespace

Result<LabFile> PrefixedLab(const LabFile& file, std::string_view prefix) {
  LabFile prefixed = file;
  prefixed.client.latency_ms = 0;
  for (std::size_t number = 0; number < prefixed.layouts.size(); ++number) {
    LabLayout& layout = prefixed.layouts[number];
    const std::string own = std::string(prefix) + std::to_string(number + 1) + "-";
    for (LabTable& table : layout.tables) {
      table.name.insert(0, own);
      table.ttl_attribute.clear();
      HR_RETURN_IF_ERROR(CheckName(table.name, prefix));
    }
    for (LabServe& serve : layout.serves) {
      for (LabRequest& request : serve.requests) HR_RETURN_IF_ERROR(RenameIn(request, own));
    }
  }
  return prefixed;
}

std::string UniquePrefix() {
  constexpr int kLetters = 6;
  constexpr std::uint64_t kAlphabet = 26;
  std::string prefix = "hashrange-lab-";
  std::uint64_t drawn = Random::ThisThread().Next();
  for (int i = 0; i < kLetters; ++i, drawn /= kAlphabet) {
    prefix += static_cast<char>('a' + drawn % kAlphabet);
  }
  return prefix + "-";
}

}  // namespace hashrange
