// The tools that call operations of the DynamoDB API.
#include "mcp/request_tools.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text/short_text.h"
#include "mcp/report_folder.h"
#include "mcp/tool.h"
#include "measure/number_text.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

constexpr std::string_view kAsked = "ReturnConsumedCapacity";

// Returns "read unit", "write unit", or "unit" of an operation that may be of either kind.
std::string_view NounOf(std::string_view operation) {
  constexpr std::string_view kReads[] = {"GetItem", "BatchGetItem", "Query", "Scan",
                                         "TransactGetItems"};
  if (std::ranges::find(kReads, operation) != std::end(kReads)) return "read unit";
  return operation.find("Statement") == operation.npos && operation != "ExecuteTransaction"
             ? "write unit"
             : "unit";
}

// Returns the noun of what was consumed. A transaction's answer says itself which units they are: a
// TransactWriteItems with a client request token that was used before takes read units.
std::string_view NounOf(std::string_view operation, const JsonValue& capacity) {
  if (capacity.Find("ReadCapacityUnits")) return "read unit";
  return capacity.Find("WriteCapacityUnits") ? "write unit" : NounOf(operation);
}

double UnitsOf(const JsonValue* capacity) {
  return capacity ? NumberMember(*capacity, "CapacityUnits") : 0;
}

// Appends ", GSI1 2" for each index that took units.
void AppendIndexes(const JsonValue* indexes, std::string* text) {
  if (!indexes || indexes->type != JsonValue::Type::kObject) return;
  for (const JsonMember& index : indexes->members()) {
    const double units = UnitsOf(&index.value);
    if (units > 0) text->append(", ").append(index.name).append(" " + NumberText(units));
  }
}

// Returns "shop: table 1, GSI1 1" of what one table took.
std::string TableText(const JsonValue& capacity) {
  std::string parts;
  const double table = UnitsOf(capacity.Find("Table"));
  if (table > 0) parts = ", table " + NumberText(table);
  AppendIndexes(capacity.Find("LocalSecondaryIndexes"), &parts);
  AppendIndexes(capacity.Find("GlobalSecondaryIndexes"), &parts);
  std::string text(TextMember(capacity, "TableName"));
  return parts.empty() ? text : text + ": " + parts.substr(2);
}

// Returns whether requests of the operation may ask for what they consume.
bool ReportsUnits(std::string_view operation) {
  const OperationShape* const shape = FindOperationShape(operation);
  return shape && std::ranges::find(shape->input->members, kAsked, &ShapeMember::name) !=
                      shape->input->members.end();
}

}  // namespace

std::string InputWithUnits(std::string_view operation, const JsonValue& input) {
  return JsonObjectText([&](JsonWriter& writer) {
    const JsonValue* const asked = input.Find(kAsked);
    const bool is_asked = asked && !asked->is_null();
    for (const JsonMember& member : input.members()) {
      if (member.name == kAsked && !is_asked) continue;
      writer.Name(member.name);
      WriteJson(member.value, writer);
    }
    if (!is_asked && ReportsUnits(operation)) writer.StringMember(kAsked, "INDEXES");
  });
}

std::string UnitsSentence(std::string_view operation, const JsonValue& answer) {
  const JsonValue* const consumed = answer.Find("ConsumedCapacity");
  if (!consumed) return {};
  double units = 0;
  std::string tables;
  std::string_view noun = NounOf(operation);
  const auto add = [&](const JsonValue& capacity) {
    noun = NounOf(operation, capacity);
    units += UnitsOf(&capacity);
    tables += (tables.empty() ? "" : "; ") + TableText(capacity);
  };
  if (consumed->type == JsonValue::Type::kObject) {
    add(*consumed);
  } else if (consumed->type == JsonValue::Type::kArray) {
    for (const JsonValue& each : consumed->elements()) add(each);
  }
  return CountedText(units, noun) + " (" + tables + ")";
}

std::string ErrorBodyText(const JsonValue& body) {
  const std::string_view type = TextMember(body, "__type");
  std::string text(type.substr(type.rfind('#') + 1));
  const std::string_view message = TextMember(body, "message");
  text.append(": ").append(message.empty() ? TextMember(body, "Message") : message);
  for (const std::string_view more : {"CancellationReasons", "Item"}) {
    if (const JsonValue* const json = body.Find(more)) {
      text.append("\n").append(more).append(": ").append(JsonText(*json));
    }
  }
  return text;
}

Result<OwnedJson> CallTarget(AgentTarget& target, std::string_view operation,
                             const std::string& input) {
  Answer answer = target.Call(operation, input);
  auto json = OwnedJson::Parse(answer.body, JsonDialect::kDocument);
  const bool is_object = json.ok() && json->is_object();
  if (answer.ok() && is_object) return json;
  return ValidationError(is_object ? ErrorBodyText(json->value()) : std::move(answer.body));
}

namespace {

constexpr std::size_t kMostAnswerBytes = 8'000;

// The operations that change nothing, whatever their input is, beside those that describe and list.
constexpr std::string_view kReadingOperations[] = {
    "BatchGetItem", "GetItem", "GetRecords",    "GetResourcePolicy", "GetShardIterator",
    "Query",        "Scan",    "SearchVectors", "TransactGetItems"};

constexpr ToolArgument kOperationArguments[] = {
    {.name = "operation",
     .is_required = true,
     .description = "The operation's name, such as Query, GetItem, PutItem or CreateTable"},
    {.name = "input",
     .type = ArgumentType::kObject,
     .is_required = true,
     .description = "The input in DynamoDB's own JSON, such as {\"TableName\":\"shop\",\"Key\":"
                    "{\"PK\":{\"S\":\"CUST#1\"}}}"}};

// Returns the answer without what it says of units, which stands in a sentence of its own.
std::string WithoutUnits(const JsonValue& answer) {
  return JsonObjectText([&](JsonWriter& writer) {
    for (const JsonMember& member : answer.members()) {
      if (member.name == "ConsumedCapacity") continue;
      writer.Name(member.name);
      WriteJson(member.value, writer);
    }
  });
}

Result<ToolResult> CallOperation(ToolCall& call) {
  const std::string operation = call.arguments.Text("operation");
  const auto json = CallTarget(call.place.target, operation,
                               InputWithUnits(operation, *call.arguments.Member("input")));
  if (!json.ok()) {
    std::string text = json.error().message;
    // This error has no message.
    if (text == "UnknownOperationException: ") text += "there is no operation " + operation;
    return ValidationError(BoundedText(std::move(text), call.place.reports,
                                       operation + "-error.txt", kMostAnswerBytes));
  }
  const std::string units = UnitsSentence(operation, json->value());
  std::string body = BoundedText(WithoutUnits(json->value()), call.place.reports,
                                 operation + ".json", kMostAnswerBytes);
  return ToolResult{.text = units.empty() ? std::move(body) : units + "\n" + body};
}

// Returns whether the statement begins with a word that only reads.
bool IsReadingStatement(std::string_view statement) {
  const std::size_t begin = std::min(statement.find_first_not_of(" \t\r\n"), statement.size());
  const std::string_view rest = statement.substr(begin);
  const auto* const end =
      std::ranges::find_if(rest, [](char c) { return LowerCase(c) < 'a' || LowerCase(c) > 'z'; });
  const std::string word = LowerCase(std::string_view(rest.begin(), end));
  return word == "select" || word == "exists";
}

bool IsReadingText(const JsonValue* statement) {
  return statement && statement->type == JsonValue::Type::kString &&
         IsReadingStatement(statement->string());
}

// Returns whether the request changes nothing.
bool OnlyReads(std::string_view operation, const JsonValue& input) {
  if (operation.starts_with("Describe") || operation.starts_with("List")) return true;
  if (std::ranges::find(kReadingOperations, operation) != std::end(kReadingOperations)) return true;
  if (operation == "ExecuteStatement") return IsReadingText(input.Find("Statement"));
  const JsonValue* list = nullptr;
  if (operation == "BatchExecuteStatement") list = input.Find("Statements");
  if (operation == "ExecuteTransaction") list = input.Find("TransactStatements");
  return list && list->type == JsonValue::Type::kArray &&
         std::ranges::all_of(list->elements(), [](const JsonValue& each) {
           return IsReadingText(each.Find("Statement"));
         });
}

Result<ToolResult> ReadOperation(ToolCall& call) {
  const std::string operation = call.arguments.Text("operation");
  if (OnlyReads(operation, *call.arguments.Member("input"))) return CallOperation(call);
  if (operation.ends_with("Statement") || operation == "ExecuteTransaction") {
    return ValidationError("dynamodb_read takes statements that begin with SELECT or EXISTS only");
  }
  return ValidationError(
      std::string(operation) +
      " is no operation that only reads, such as GetItem, Query or "
      "DescribeTable; dynamodb_call, unless the server is read-only, makes any call");
}

constexpr Tool kRequestTools[] = {
    {.name = "dynamodb_read",
     .title = "Read by the DynamoDB API",
     .description =
         "Calls a DynamoDB operation that changes nothing (GetItem, BatchGetItem, Query, Scan, "
         "TransactGetItems, PartiQL SELECT, DescribeTable, ListTables and other Describe and List "
         "operations) and returns its answer with the capacity units that it consumed, by table "
         "and index. A long answer is cut, and all of it is in a file whose path is given.",
     .arguments = kOperationArguments,
     .effect = ToolEffect::kReads,
     .function = ReadOperation},
    {.name = "dynamodb_call",
     .title = "Call the DynamoDB API",
     .description =
         "Calls any DynamoDB operation (CreateTable, UpdateTable, PutItem, UpdateItem, DeleteItem, "
         "batches, transactions, PartiQL, reads) and returns its answer with the capacity units "
         "that it consumed, by table and index. explain_request says before what a request would "
         "take.",
     .arguments = kOperationArguments,
     .effect = ToolEffect::kDestroys,
     .is_idempotent = false,
     .function = CallOperation}};

}  // namespace

std::span<const Tool> RequestTools() { return kRequestTools; }

}  // namespace hashrange
