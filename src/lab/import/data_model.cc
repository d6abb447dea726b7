// dynamodb_data_model.json. The form with CreateTable inputs: its tables and items are put into a
// database, its patterns, which are lines of the AWS CLI, are called there, and what was measured
// is the model.
#include <algorithm>
#include <iterator>

#include "base/output_buffer.h"
#include "lab/import/aws_cli_line.h"
#include "lab/import/capacity_model.h"
#include "lab/import/import_fields.h"
#include "lab/import/import_readers.h"
#include "lab/import/sample_items.h"
#include "lab/import/table_data.h"

namespace hashrange {
namespace {

void PutItems(ImportFields& fields, TableData& data, std::vector<std::string>& remarks) {
  for (const JsonMember& table : fields.Members("items")) {
    const std::string place = "items." + std::string(table.name);
    if (table.value.type != JsonValue::Type::kArray) {
      remarks.push_back(place + " has to be a list and was left out");
      continue;
    }
    for (const JsonValue& element : table.value.elements()) {
      const JsonValue* const put = element.Find("PutRequest");
      const JsonValue* const item = put == nullptr ? nullptr : put->Find("Item");
      if (item != nullptr) {
        PutSampleItem(table.name, *item, place, data, remarks);
      } else {
        remarks.push_back(place + " has an element without PutRequest, which was left out");
      }
    }
  }
}

// Other operations would change the tables, or say nothing about items.
bool IsOfItems(std::string_view operation) {
  constexpr std::string_view kOperations[] = {
      "GetItem", "BatchGetItem", "TransactGetItems", "Query",          "Scan",
      "PutItem", "UpdateItem",   "DeleteItem",       "BatchWriteItem", "TransactWriteItems"};
  return std::ranges::find(kOperations, operation) != std::end(kOperations);
}

// Calls the pattern. Returns a note where that is not possible.
std::string CallPattern(const std::string& line, const std::string& name, TableData& data) {
  const Result<AwsCliRequest> request = ReadAwsCliLine(line);
  if (!request.ok()) return request.error().message;
  if (!IsOfItems(request->operation)) return request->operation + " is no operation on items";
  const Status called = data.Call(request->operation, request->json, name);
  return called.ok() ? "" : called.error().message;
}

// Calls all patterns. Those that cannot be called are added to `others`.
void CallPatterns(ImportFields& fields, TableData& data, std::vector<ImportedPattern>& others,
                  std::vector<std::string>& remarks) {
  const auto patterns = fields.List("access_patterns");
  for (std::size_t at = 0; at < patterns.size(); ++at) {
    ImportFields pattern(patterns[at], fields.PlaceOf("access_patterns", at), remarks);
    pattern.Ignore({"table", "index", "dynamodb_operation", "reason", "pattern"});
    ImportedPattern described;
    described.place = pattern.place();
    described.name = pattern.Text("description");
    if (described.name.empty()) described.name = "pattern " + std::to_string(at + 1);
    const std::string line = pattern.Text("implementation");
    pattern.Finish();
    const std::string why = CallPattern(line, described.name, data);
    if (why.empty()) continue;
    described.notes.push_back(line);
    described.notes.push_back("it could not be called with the items of the model: " + why);
    others.push_back(std::move(described));
  }
}

}  // namespace

Result<ImportedModel> ReadDataModel(const JsonValue& json) {
  std::vector<std::string> remarks;
  ImportFields fields(json, "", remarks);
  const auto tables = fields.List("tables");
  if (!tables.empty() && tables.front().Find("TableName") == nullptr)
    return ReadCapacityModel(json);
  TableData data;
  for (std::size_t at = 0; at < tables.size(); ++at) {
    const Status made = data.MakeTable(SampleJson(tables[at]));
    if (!made.ok())
      return ValidationError(fields.PlaceOf("tables", at) + ": " + made.error().message);
  }
  PutItems(fields, data, remarks);
  // The items are measured before the patterns, which may delete them.
  data.Begin();
  HR_ASSIGN(const Measurement items, data.End());
  data.Begin();
  std::vector<ImportedPattern> others;
  CallPatterns(fields, data, others, remarks);
  fields.Finish();
  HR_ASSIGN(ImportedModel model, MeasuredSample(data, &items));
  model.source = "a dynamodb_data_model.json";
  model.remarks.insert(model.remarks.begin(), remarks.begin(), remarks.end());
  model.patterns.insert(model.patterns.end(), others.begin(), others.end());
  return model;
}

}  // namespace hashrange
