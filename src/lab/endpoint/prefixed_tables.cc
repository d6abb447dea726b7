#include "lab/endpoint/prefixed_tables.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "base/memory/arena.h"
#include "base/memory/output_buffer.h"
#include "base/random.h"
#include "lab/run/answer/answer_reader.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

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

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{2'000};
constexpr std::string_view kMissing = "ResourceNotFoundException";
constexpr std::string_view kInUse = "ResourceInUseException";

std::string TableInput(std::string_view name) {
  std::string json = R"({"TableName":")";
  return json.append(name) + "\"}";
}

Error Failure(std::string sentence) {
  return Error{ErrorCode::kInternalServerError, std::move(sentence), {}};
}

// A throttle, too many changes of tables at a time, or a failure of the server.
bool MayPass(const ServiceReply& reply) {
  const auto kind = KindOfLabAnswer(reply.status, reply.error, reply.message);
  return kind == LabAnswer::Kind::kThrottled || kind == LabAnswer::Kind::kBroken ||
         reply.error == "LimitExceededException";
}

bool HasTable(const std::string& body) {
  const auto json = OwnedJson::Parse(body, JsonDialect::kDocument);
  return json.ok() && json->value().Find("Table") != nullptr;
}

// Returns whether the table of a DescribeTable is ACTIVE.
bool IsActive(const std::string& body) {
  const auto json = OwnedJson::Parse(body, JsonDialect::kDocument);
  const JsonValue* const table = json.ok() ? json.value().value().Find("Table") : nullptr;
  return table != nullptr && TextMember(*table, "TableStatus") == "ACTIVE";
}

void Pause(milliseconds& pause) {
  std::this_thread::sleep_for(pause);
  pause = std::min(pause * 2, kLongestPause);
}

std::string NamesText(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string RefusalText(std::string_view operation, const ServiceReply& reply,
                        const EndpointUrl& url) {
  const std::string what(operation);
  if (reply.status == 0) return what + " was not answered: " + reply.message;  // with the URL
  const std::string error =
      reply.error.empty() ? "the status " + std::to_string(reply.status) : reply.error;
  return what + " at " + url.Text() + " was answered by " + error +
         (reply.message.empty() ? "" : ": " + reply.message);
}

bool PrefixedTables::IsStopped() const {
  return parts_.stop != nullptr && parts_.stop->load(std::memory_order_relaxed);
}

ServiceReply PrefixedTables::CallUntil(Instant end, std::string_view operation,
                                       const std::string& json) {
  milliseconds pause = kFirstPause;
  while (true) {
    ServiceReply reply = parts_.client.Call(operation, json, parts_.stop);
    if (!MayPass(reply) || IsStopped() || steady_clock::now() + pause > end) return reply;
    Pause(pause);
  }
}

Status PrefixedTables::CheckMissing(std::string_view table) {
  const ServiceReply reply =
      CallUntil(steady_clock::now() + parts_.limits.probe, "DescribeTable", TableInput(table));
  if (reply.ok() && !HasTable(reply.body)) {
    return Failure(parts_.client.endpoint().Text() +
                   " answers DescribeTable without a table, so it is no DynamoDB");
  }
  if (reply.ok()) {
    return ValidationError("The table " + std::string(table) + " exists already at " +
                           parts_.client.endpoint().Text() +
                           ", and a run touches no table that it has not made: choose another "
                           "--prefix");
  }
  if (reply.error == kMissing) return {};
  if (IsStopped()) return Failure("interrupted while the endpoint was asked for its tables");
  return Failure(RefusalText("DescribeTable", reply, parts_.client.endpoint()));
}

Status PrefixedTables::Create(const std::string& json, const std::string& name) {
  HR_RETURN_IF_ERROR(CheckMissing(name));
  const Instant end = steady_clock::now() + parts_.limits.until_removed;
  milliseconds pause = kFirstPause;
  while (true) {
    const ServiceReply reply = parts_.client.Call("CreateTable", json);
    const bool was_not_made = reply.status != 0 && MayPass(reply) && reply.status < 500;
    if (was_not_made && !IsStopped() && steady_clock::now() + pause < end) {
      Pause(pause);
      continue;
    }
    // Whether the run has made the table is not known where there is no proper answer. A table that
    // exists although it was missing a moment ago may be the run's, too: from a request whose
    // answer was lost.
    const bool is_unknown = reply.status == 0 || reply.status >= 500 || reply.error == kInUse;
    if (reply.ok() || (is_unknown && parts_.owns_prefix)) made_.push_back(name);
    if (reply.ok()) return {};
    std::string sentence = RefusalText("CreateTable", reply, parts_.client.endpoint());
    if (is_unknown && !parts_.owns_prefix) {
      sentence += "; the table " + name + " may exist nevertheless, and is not removed";
    }
    return Failure(std::move(sentence));
  }
}

Result<bool> PrefixedTables::WaitUntilActive(const std::string& name) {
  const Instant end = steady_clock::now() + parts_.limits.until_active;
  Instant answered = steady_clock::now();
  milliseconds pause = kFirstPause;
  while (!IsStopped()) {
    const ServiceReply reply = parts_.client.Call("DescribeTable", TableInput(name), parts_.stop);
    if (reply.status != 0) answered = steady_clock::now();
    const bool is_silent = steady_clock::now() - answered > parts_.limits.silence;
    if (reply.ok() && IsActive(reply.body)) return true;
    // A table that was made a moment ago may not be found yet.
    const bool is_refused = !reply.ok() && !MayPass(reply) && reply.error != kMissing;
    if (is_refused || is_silent) {
      return Failure(RefusalText("DescribeTable", reply, parts_.client.endpoint()));
    }
    if (steady_clock::now() > end) {
      return Failure(
          "The table " + name + " at " + parts_.client.endpoint().Text() +
          " did not become ACTIVE in time" +
          (reply.ok() ? "" : ": " + RefusalText("DescribeTable", reply, parts_.client.endpoint())));
    }
    Pause(pause);
  }
  return false;
}

Result<bool> PrefixedTables::Make(const std::vector<std::string>& create_tables,
                                  const std::vector<std::string>& names) {
  for (std::size_t at = 0; at < create_tables.size(); ++at) {
    if (IsStopped()) return false;
    HR_RETURN_IF_ERROR(Create(create_tables[at], names[at]));
  }
  for (const std::string& name : names) {
    HR_ASSIGN(const bool is_active, WaitUntilActive(name));
    if (!is_active) return false;
  }
  return true;
}

std::string PrefixedTables::Remove() {
  const Instant end = steady_clock::now() + parts_.limits.until_removed;
  // How long the endpoint may leave calls unanswered. After an interruption, each call is made
  // once.
  const milliseconds silence = IsStopped() ? milliseconds(0) : parts_.limits.silence;
  Instant quiet_end = steady_clock::now() + silence;
  bool is_silent = false;
  std::vector<std::string> left;
  std::string why;
  for (const std::string& name : made_) {
    milliseconds pause = kFirstPause;
    if (is_silent) left.push_back(name);
    while (!is_silent) {
      const ServiceReply reply = parts_.client.Call("DeleteTable", TableInput(name));
      if (reply.ok() || reply.error == kMissing) break;
      // A table that is being made cannot be removed yet.
      const bool may_pass = MayPass(reply) || reply.error == kInUse;
      if (reply.status != 0) quiet_end = steady_clock::now() + silence;
      const Instant last = reply.status == 0 ? quiet_end : end;
      if (may_pass && steady_clock::now() + pause < last) {
        Pause(pause);
        continue;
      }
      left.push_back(name);
      is_silent = reply.status == 0;
      why = RefusalText("DeleteTable", reply, parts_.client.endpoint());
      break;
    }
  }
  made_.clear();
  if (left.empty()) return {};
  return (left.size() == 1 ? "The table " : "The tables ") + NamesText(left) +
         (left.size() == 1 ? " is" : " are") + " left behind, as " + why;
}

}  // namespace hashrange
