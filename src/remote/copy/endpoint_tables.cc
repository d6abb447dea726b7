#include "remote/copy/endpoint_tables.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "control/files/dump_folder.h"
#include "control/files/table_json.h"
#include "remote/copy/segment_scan.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

constexpr std::size_t kMostPages = 1'000;  // of 100 tables, or of 10 tags, which may be 50
constexpr std::size_t kLongestKey = 255;   // of an attribute's name
constexpr std::size_t kLongestStatus = 100;
constexpr std::size_t kLongestIdentity = 1'000;
constexpr std::chrono::milliseconds kAskedAgainAfter{200};

Result<OwnedJson> ParseAnswer(std::string text, const std::string& endpoint) {
  auto json = OwnedJson::Parse(std::move(text), JsonDialect::kRequest);
  if (json.ok() && json->is_object()) return json;
  return InternalError(endpoint + " answers something that is no JSON");
}

std::int64_t CountMember(const JsonValue& json, std::string_view name) {
  const JsonValue* const count = json.Find(name);
  return count && count->type == Type::kInteger ? std::max<std::int64_t>(0, count->integer) : 0;
}

// Returns the text `name` of the object in the member `object`; empty when there is none.
std::string_view TextIn(const JsonValue& json, std::string_view object, std::string_view name) {
  const JsonValue* const member = json.Find(object);
  return member ? TextMember(*member, name) : std::string_view();
}

// Returns the object of the members whose values are not empty.
std::string NameRequest(std::string_view member, std::string_view value,
                        std::string_view member2 = {}, std::string_view value2 = {}) {
  return JsonObjectText([&](JsonWriter& json) {
    if (!value.empty()) json.StringMember(member, value);
    if (!value2.empty()) json.StringMember(member2, value2);
  });
}

// Writes the members of the object except the member `left_out`.
void CopyMembers(const JsonValue& object, std::string_view left_out, JsonWriter& json) {
  for (const JsonMember& member : object.members()) {
    if (member.name == left_out) continue;
    json.Name(member.name);
    WriteJson(member.value, json);
  }
}

// Returns "PK S, SK N".
std::string KeyOf(const JsonValue& table) {
  std::string key;
  for (std::string_view kind : {"HASH", "RANGE"}) {
    for (const JsonValue& part : ListMember(table, "KeySchema")) {
      if (TextMember(part, "KeyType") != kind) continue;
      const std::string_view name = TextMember(part, "AttributeName");
      if (key.size() > kLongestKey) return key;
      if (!key.empty()) key += ", ";
      key += name.substr(0, kLongestKey);
      for (const JsonValue& attribute : ListMember(table, "AttributeDefinitions")) {
        if (TextMember(attribute, "AttributeName") != name) continue;
        key.append(" ").append(TextMember(attribute, "AttributeType").substr(0, 1));
        break;
      }
    }
  }
  return key;
}

std::string IdentityOf(const JsonValue& table) {
  const std::string_view arn = TextMember(table, "TableArn").substr(0, kLongestIdentity);
  const std::string_view id = TextMember(table, "TableId").substr(0, kLongestIdentity);
  return arn.empty() && id.empty() ? "" : std::string(arn) + " " + std::string(id);
}

EndpointTable FiguresOf(const JsonValue& table) {
  EndpointTable figures;
  figures.key = KeyOf(table);
  figures.status = TextMember(table, "TableStatus").substr(0, kLongestStatus);
  figures.items = CountMember(table, "ItemCount");
  figures.size_bytes = CountMember(table, "TableSizeBytes");
  for (std::string_view kind : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
    figures.indexes += static_cast<std::int64_t>(ListMember(table, kind).size());
  }
  figures.vector_indexes = static_cast<std::int64_t>(ListMember(table, "VectorIndexes").size());
  figures.is_on_demand = TextIn(table, "BillingModeSummary", "BillingMode") == "PAY_PER_REQUEST";
  figures.is_infrequent_access =
      TextIn(table, "TableClassSummary", "TableClass") == "STANDARD_INFREQUENT_ACCESS";
  return figures;
}

// Returns whether the endpoint has refused a call for good: the copy can go on without its answer.
bool IsRefusal(const PatientCaller& caller, const Error& error) {
  return error.code != ErrorCode::kServiceUnavailable && !caller.stop().IsSet();
}

// Returns the TimeToLiveDescription as JSON; empty with a note when the endpoint does not say.
Result<std::string> TimeToLiveOf(const PatientCaller& caller, const std::string& name,
                                 std::vector<std::string>* notes) {
  auto answer = caller.Call("DescribeTimeToLive", name, NameRequest("TableName", name));
  const auto parsed = answer.ok() ? ParseAnswer(std::move(*answer), caller.name())
                                  : Result<OwnedJson>(std::move(answer).error());
  if (!parsed.ok()) {
    if (!IsRefusal(caller, parsed.error())) return parsed.error();
    notes->push_back("the time to live of " + name + " is not copied: " + parsed.error().message);
    return std::string();
  }
  const JsonValue* const description = parsed.value().value().Find("TimeToLiveDescription");
  return description ? JsonText(*description) : std::string();
}

// The places at which the pages of an answer begin.
class PageBegins {
 public:
  PageBegins(const PatientCaller& caller, std::string_view operation, std::string_view member)
      : caller_(caller), operation_(operation), member_(member) {}

  // Notes the place, which is empty for the first page.
  // Errors: InternalServerError  a page has begun there, or there are too many
  Status Add(const std::string& place) {
    const std::string subject =
        caller_.name() + " answers " + std::string(operation_) + " without ";
    if (!places_.insert(place).second) {
      return InternalError(subject + "going on: " + std::string(member_) + " is " +
                           place.substr(0, kLongestKey) + " again");
    }
    if (places_.size() <= kMostPages) return {};
    return InternalError(subject + "coming to an end");
  }

 private:
  const PatientCaller& caller_;
  const std::string_view operation_;
  const std::string_view member_;
  std::set<std::string> places_ = {};
};

// Appends the tags, which come in pages, to `tags`: "{…},{…}".
Status AppendTags(const PatientCaller& caller, const std::string& name, const std::string& arn,
                  std::string* tags) {
  std::string next;
  PageBegins begins(caller, "ListTagsOfResource", "NextToken");
  do {
    HR_RETURN_IF_ERROR(begins.Add(next));
    HR_ASSIGN(std::string answer, caller.Call("ListTagsOfResource", name,
                                              NameRequest("ResourceArn", arn, "NextToken", next)));
    HR_ASSIGN(const OwnedJson parsed, ParseAnswer(std::move(answer), caller.name()));
    for (const JsonValue& tag : ListMember(parsed.value(), "Tags")) {
      // Only the service itself may write such tags.
      if (TextMember(tag, "Key").starts_with("aws:")) continue;
      if (!tags->empty()) *tags += ',';
      *tags += JsonText(tag);
    }
    next = TextMember(parsed.value(), "NextToken");
  } while (!next.empty());
  return {};
}

struct TableDetails {
  bool with_time_to_live_and_tags;
};

Result<std::optional<EndpointTable>> Find(const PatientCaller& caller, const std::string& name,
                                          TableDetails details) {
  auto answer = caller.Call("DescribeTable", name, NameRequest("TableName", name));
  if (!answer.ok()) {
    if (answer.error().code != ErrorCode::kResourceNotFoundException) {
      return std::move(answer).error();
    }
    return std::optional<EndpointTable>();
  }
  HR_ASSIGN(const OwnedJson parsed, ParseAnswer(std::move(*answer), caller.name()));
  const JsonValue* const table = parsed.value().Find("Table");
  if (!table || table->type != Type::kObject) {
    return InternalError(caller.name() + " answers DescribeTable without a table");
  }
  EndpointTable found = FiguresOf(*table);
  if (caller.keeps_tables()) {
    found.identity = IdentityOf(*table);
    found.has_id = !TextMember(*table, "TableId").empty();
  }
  found.definition = "{\"Table\":" + JsonText(*table);
  if (details.with_time_to_live_and_tags) {
    HR_ASSIGN(const std::string time_to_live, TimeToLiveOf(caller, name, &found.notes));
    if (!time_to_live.empty()) found.definition += ",\"TimeToLiveDescription\":" + time_to_live;
    std::string tags;
    const Status listed =
        AppendTags(caller, name, std::string(TextMember(*table, "TableArn")), &tags);
    if (!listed.ok()) {
      if (!IsRefusal(caller, listed.error())) return listed.error();
      found.notes.push_back("the tags of " + name + " are not copied: " + listed.error().message);
    } else if (!tags.empty()) {
      found.definition += ",\"Tags\":[" + tags + "]";
    }
  }
  found.definition += "}\n";
  return std::optional(std::move(found));
}

// Returns whether the time to live is on, or is being switched on.
bool HasTimeToLive(const PatientCaller& caller, const std::string& name,
                   std::string_view attribute) {
  auto answer = caller.Call("DescribeTimeToLive", name, NameRequest("TableName", name));
  if (!answer.ok()) return false;
  const auto parsed = ParseAnswer(std::move(*answer), caller.name());
  if (!parsed.ok()) return false;
  const JsonValue& described = parsed.value().value();
  return TextIn(described, "TimeToLiveDescription", "TimeToLiveStatus").starts_with("ENABL") &&
         TextIn(described, "TimeToLiveDescription", "AttributeName") == attribute;
}

Result<TableJson> ReadDefinition(const std::string& definition, const std::string& name,
                                 std::optional<OwnedJson>* parsed) {
  HR_ASSIGN(*parsed, ParseAnswer(definition, name));
  return ReadTableJson((*parsed)->value(), {.replacement = name}, (*parsed)->arena());
}

}  // namespace

Result<std::vector<std::string>> ListAllTables(const PatientCaller& caller) {
  std::vector<std::string> names;
  std::string last;
  PageBegins begins(caller, "ListTables", "LastEvaluatedTableName");
  do {
    HR_RETURN_IF_ERROR(begins.Add(last));
    HR_ASSIGN(std::string answer,
              caller.Call("ListTables", "", NameRequest("ExclusiveStartTableName", last)));
    HR_ASSIGN(const OwnedJson parsed, ParseAnswer(std::move(answer), caller.name()));
    for (const JsonValue& name : ListMember(parsed.value(), "TableNames")) {
      if (name.type != Type::kString || !IsTableName(name.string())) {
        return InternalError(caller.name() + " lists a table with no table's name");
      }
      names.emplace_back(name.string());
    }
    last = TextMember(parsed.value(), "LastEvaluatedTableName");
  } while (!last.empty());
  std::ranges::sort(names);
  return names;
}

Result<std::optional<EndpointTable>> FindEndpointTable(const PatientCaller& caller,
                                                       const std::string& name) {
  return Find(caller, name, {.with_time_to_live_and_tags = false});
}

Result<std::optional<EndpointTable>> FindWholeTable(const PatientCaller& caller,
                                                    const std::string& name) {
  return Find(caller, name, {.with_time_to_live_and_tags = true});
}

Status CreateTableOf(const PatientCaller& caller, const EndpointTable& table,
                     const std::string& name) {
  std::optional<OwnedJson> parsed;
  HR_ASSIGN(const TableJson definition, ReadDefinition(table.definition, name, &parsed));
  const std::string request = JsonObjectText(
      [&](JsonWriter& json) { CopyMembers(definition.create_table, "SSESpecification", json); });
  int attempts = 0;
  auto created = caller.Call("CreateTable", name, request, &attempts);
  if (!created.ok()) {
    const bool is_perhaps_ours =
        created.error().code == ErrorCode::kResourceInUseException && attempts > 1;
    if (!is_perhaps_ours) return std::move(created).error();
    HR_ASSIGN(const std::optional<EndpointTable> there, FindEndpointTable(caller, name));
    if (there && there->key != table.key) return std::move(created).error();
  }
  return WaitUntilActive(caller, name);
}

Status WaitUntilActive(const PatientCaller& caller, const std::string& name) {
  const BackOff back_off(caller.patience());
  for (;;) {
    HR_ASSIGN(const std::optional<EndpointTable> table, FindEndpointTable(caller, name));
    // For some moments, the service may not know a table that it has just created.
    const std::string status = table ? table->status : "CREATING";
    if (status == "ACTIVE") return {};
    if ((status != "CREATING" && status != "UPDATING") || back_off.IsOver()) {
      return InternalError("the table " + name + " at " + caller.name() + " has the status " +
                           status);
    }
    if (caller.stop().IsSet()) return StoppedError();
    caller.stop().Wait(
        std::min<std::chrono::milliseconds>(kAskedAgainAfter, caller.patience().longest_wait));
  }
}

Result<bool> EnableTimeToLive(const PatientCaller& caller, const std::string& definition,
                              const std::string& name) {
  std::optional<OwnedJson> parsed;
  HR_ASSIGN(const TableJson table, ReadDefinition(definition, name, &parsed));
  if (!table.ttl_attribute) return false;
  const std::string request = JsonObjectText([&](JsonWriter& json) {
    json.StringMember("TableName", name);
    json.BeginObject("TimeToLiveSpecification");
    json.BoolMember("Enabled", true);
    json.StringMember("AttributeName", *table.ttl_attribute);
    json.EndObject();
  });
  const auto updated = caller.Call("UpdateTimeToLive", name, request);
  // An earlier run of the copy may have enabled it.
  if (!updated.ok() && !HasTimeToLive(caller, name, *table.ttl_attribute)) return updated.error();
  return true;
}

Result<std::string> RenameDefinition(const std::string& definition, const std::string& name) {
  HR_ASSIGN(const OwnedJson parsed, ParseAnswer(definition, "the definition of " + name));
  return JsonObjectText([&](JsonWriter& json) {
           for (const JsonMember& member : parsed.value().members()) {
             json.Name(member.name);
             if (member.name != "Table") {
               WriteJson(member.value, json);
               continue;
             }
             json.BeginObject();
             json.StringMember("TableName", name);
             CopyMembers(member.value, "TableName", json);
             json.EndObject();
           }
         }) +
         "\n";
}

bool HasOwnKey(const std::string& definition) {
  std::optional<OwnedJson> parsed;
  const auto table = ReadDefinition(definition, "table", &parsed);
  return table.ok() && table->create_table.Find("SSESpecification");
}

}  // namespace hashrange
