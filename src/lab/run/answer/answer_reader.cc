#include "lab/run/answer/answer_reader.h"

#include <algorithm>

#include "base/library_gaps.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {

namespace {

constexpr int kFirstServerError = 500;

// Returns where the string begins whose closing quote is at `last`.
std::size_t BeginOfString(std::string_view json, std::size_t last) {
  std::size_t quote = last;
  while (quote > 0) {
    quote = json.rfind('"', quote - 1);
    if (quote == json.npos) return 0;
    std::size_t backslashes = 0;
    while (backslashes < quote && json[quote - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote;
  }
  return 0;
}

// Returns the place behind the string whose opening quote is at `first`.
std::size_t EndOfString(std::string_view json, std::size_t first) {
  for (std::size_t i = first + 1; i < json.size(); ++i) {
    if (json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      return i + 1;
    }
  }
  return json.size();
}

// Returns where a JSON value begins. The value ends before `end`.
std::size_t BeginOfValue(std::string_view json, std::size_t end) {
  const char last = json[end - 1];
  if (last == '"') return BeginOfString(json, end - 1);
  std::size_t at = end;
  if (last != '}' && last != ']') {
    while (at > 0 && json.substr(at - 1, 1).find_first_of(",:[{") == json.npos) --at;
    return at;
  }
  int depth = 0;
  while (at > 0) {
    --at;
    const char c = json[at];
    if (c == '"') {
      at = BeginOfString(json, at);
    } else if (c == '}' || c == ']') {
      ++depth;
    } else if (c == '{' || c == '[') {
      if (--depth == 0) return at;
    }
  }
  return 0;
}

// Walks through the members of an object from its last one to its first.
class MembersFromEnd {
 public:
  explicit MembersFromEnd(std::string_view json)
      : json_(json), end_(json.empty() ? 0 : json.size() - 1) {}

  // Steps to the member before; returns false when there is none.
  bool Next() {
    if (end_ <= 1) return false;
    const std::size_t value = BeginOfValue(json_, end_);
    if (value < 2) return false;
    value_ = json_.substr(value, end_ - value);
    const std::size_t name = BeginOfString(json_, value - 2);
    name_ = json_.substr(name + 1, value - name - 3);
    end_ = name == 0 ? 0 : name - 1;
    return true;
  }
  std::string_view name() const { return name_; }
  std::string_view value() const { return value_; }
  bool is_first() const { return end_ == 0; }  // no member stands before this one

 private:
  std::string_view json_;
  std::size_t end_;  // of the value that the next step reads
  std::string_view name_ = {};
  std::string_view value_ = {};
};

template <typename Number>
Number NumberAt(std::string_view text) {
  Number number = 0;
  FromChars(text.data(), text.data() + text.size(), number);
  return number;
}

// Returns the units of a ConsumedCapacity, or of a list of them. Each begins with the table's name,
// which has no quotes, and the units of the whole.
double UnitsIn(std::string_view json) {
  constexpr std::string_view kTable = R"({"TableName":")";
  constexpr std::string_view kUnits = R"(","CapacityUnits":)";
  double units = 0;
  for (std::size_t at = json.find(kTable); at != json.npos; at = json.find(kTable, at + 1)) {
    const std::size_t found = json.find(kUnits, at);
    if (found == json.npos) break;
    units += NumberAt<double>(json.substr(found + kUnits.size()));
  }
  return units;
}

// Returns the bytes of vectors of a ConsumedCapacity, or of a list of them: of a search, or of each
// vector index that a write changed.
double VectorBytesIn(std::string_view json) {
  constexpr std::string_view kBytes = R"(RequestBytes":)";
  double bytes = 0;
  for (std::size_t at = json.find(kBytes); at != json.npos; at = json.find(kBytes, at + 1)) {
    bytes += NumberAt<double>(json.substr(at + kBytes.size()));
  }
  return bytes;
}

// Returns how often the character stands outside of strings while `at_depth` brackets are open. A
// bracket that opens counts itself.
std::uint64_t CountAtDepth(std::string_view json, char counted, int at_depth) {
  std::uint64_t count = 0;
  int depth = 0;
  for (std::size_t i = 0; i < json.size();) {
    const char c = json[i];
    if (c == '"') {
      i = EndOfString(json, i);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == counted && depth == at_depth) ++count;
    ++i;
  }
  return count;
}

// Returns how many items a member "Responses" has: of TransactGetItems a list of objects, which are
// empty where there is no item; of BatchGetItem lists by table.
std::uint64_t ItemsInResponses(std::string_view json) { return CountAtDepth(json, '{', 3); }

// Returns how many members or elements the object or array has.
std::uint64_t CountElements(std::string_view json) {
  return json.size() <= 2 ? 0 : CountAtDepth(json, ',', 1) + 1;
}

LabAnswer ReadOk(std::string_view body) {
  LabAnswer answer;
  MembersFromEnd members(body);
  while (members.Next()) {
    const std::string_view name = members.name();
    if (name == "ConsumedCapacity") {
      answer.units = UnitsIn(members.value());
      answer.vector_bytes = VectorBytesIn(members.value());
      // What stands before the capacity in an answer of GetItem is the item.
      if (!members.is_first() && body.starts_with(R"({"Item":)")) {
        answer.items = 1;
        break;
      }
    } else if (name == "LastEvaluatedKey") {
      answer.last_evaluated_key = members.value();
    } else if (name == "Count") {
      answer.items = NumberAt<std::uint64_t>(members.value());
      break;  // only the items themselves stand before
    } else if (name == "UnprocessedKeys" || name == "UnprocessedItems") {
      if (members.value() != "{}") answer.unprocessed = members.value();
    } else if (name == "Responses") {
      answer.items = ItemsInResponses(members.value());
    } else if (name == "Items" || name == "SearchResults") {
      answer.items = CountElements(members.value());
    } else if (name == "Item") {
      answer.items = 1;
    }
  }
  return answer;
}

bool IsThrottle(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
      "TransactionConflictException", "TransactionInProgressException"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// Returns why a transaction was cancelled. The message lists the codes of all actions.
LabAnswer::Kind KindOfCancellation(std::string_view message) {
  if (message.find("ConditionalCheckFailed") != message.npos) return LabAnswer::Kind::kCondition;
  for (const std::string_view code :
       {"ThrottlingError", "ProvisionedThroughputExceeded", "TransactionConflict"}) {
    if (message.find(code) != message.npos) return LabAnswer::Kind::kThrottled;
  }
  return LabAnswer::Kind::kError;
}

// Returns the text of the first string member of the name, with its escapes.
std::string_view StringMemberIn(std::string_view body, std::string_view quoted_name) {
  const std::size_t at = body.find(quoted_name);
  if (at == body.npos) return {};
  const std::size_t begin = at + quoted_name.size();
  return body.substr(begin, EndOfString(body, begin - 1) - 1 - begin);
}

// Returns whether the item has each attribute of the key.
bool HasKey(const JsonValue* item, const JsonValue& key) {
  if (item == nullptr) return false;
  return std::ranges::all_of(key.members(), [&](const JsonMember& part) {
    const JsonValue* const value = item->Find(part.name);
    return value != nullptr && JsonText(*value) == JsonText(part.value);
  });
}

}  // namespace

LabAnswer::Kind KindOfLabAnswer(int status, std::string_view error, std::string_view message) {
  if (status == kOkStatus) return LabAnswer::Kind::kOk;
  if (error == "ConditionalCheckFailedException") return LabAnswer::Kind::kCondition;
  if (error == "TransactionCanceledException") return KindOfCancellation(message);
  if (IsThrottle(error)) return LabAnswer::Kind::kThrottled;
  return status == 0 || status >= kFirstServerError ? LabAnswer::Kind::kBroken
                                                    : LabAnswer::Kind::kError;
}

LabAnswer ReadLabAnswer(int status, std::string_view body) {
  if (status == kOkStatus) return ReadOk(body);
  LabAnswer answer;
  answer.kind = KindOfLabAnswer(status, ErrorNameIn(body), ErrorMessageIn(body));
  return answer;
}

std::string_view ErrorNameIn(std::string_view body) {
  const std::string_view type = StringMemberIn(body, R"("__type":")");
  const std::size_t mark = type.find('#');
  return mark == type.npos ? type : type.substr(mark + 1);
}

std::string_view ErrorMessageIn(std::string_view body) {
  const std::string_view message = StringMemberIn(body, R"("message":")");
  return message.empty() ? StringMemberIn(body, R"("Message":")") : message;
}

// --- Unprocessed items ---

const JsonValue* AttributesOfMember(const JsonValue& member) {
  if (const JsonValue* const put = member.Find("PutRequest")) return put->Find("Item");
  const JsonValue* const deletion = member.Find("DeleteRequest");
  return deletion == nullptr ? nullptr : deletion->Find("Key");
}

UnprocessedItems::UnprocessedItems(std::string_view json) : text_(json) {
  const auto tables = ParseJsonData(text_, JsonDialect::kDocument, arena_);
  if (tables.ok()) tables_ = *tables;
}

bool UnprocessedItems::Contain(std::string_view table, std::string_view key) const {
  const JsonValue* const requests = tables_ == nullptr ? nullptr : tables_->Find(table);
  if (requests == nullptr || requests->type != JsonValue::Type::kArray) return false;
  Arena arena;
  std::string text(key);
  const auto parsed = ParseJsonData(text, JsonDialect::kDocument, arena);
  if (!parsed.ok() || (*parsed)->type != JsonValue::Type::kObject) return false;
  return std::ranges::any_of(requests->elements(), [&](const JsonValue& request) {
    return HasKey(AttributesOfMember(request), **parsed);
  });
}

}  // namespace hashrange
