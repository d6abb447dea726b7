#include "operation/management/fixed_answers.h"

#include <string>

#include "operation/call/error_texts.h"
#include "operation/table/table_lookup.h"

namespace hashrange {

void WriteEmptyList(std::string_view name, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray(name);
  answer.EndArray();
  answer.EndObject();
}

Status CheckNoPageToken(const RequestObject& request) {
  const auto token = request.String("NextToken");
  return token ? Status(ValidationError(Concatenated({"Invalid NextToken: ", *token}))) : Status();
}

Status CheckTableArnToList(const Context& context, const RequestObject& request) {
  const auto arn = request.String("TableArn");
  if (!arn) return {};
  const std::string_view name = TableNameOf(*arn);
  if (name == *arn || name.empty() || name.find('/') != std::string_view::npos) {
    return ValidationError("Invalid Request: Table ARN is invalid.");
  }
  return CheckArn(context, *arn);
}

Error LegacyGlobalTablesRefused() {
  return InvalidParameters(
      "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB "
      "global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).");
}

namespace {

std::string NoGlobalTableText(std::string_view name) {
  return Concatenated({"Global table with name: '", name, "' does not exist."});
}

}  // namespace

Error GlobalTableNotFound(const RequestObject& request) {
  return Error{ErrorCode::kGlobalTableNotFoundException,
               "Global table not found: " + NoGlobalTableText(*request.String("GlobalTableName")),
               nullptr};
}

Error ReplicasNotFound(const Context& context, const RequestObject& request) {
  const std::string_view table = *request.String("TableName");
  const Status is_here = CheckArn(context, table);
  if (!is_here.ok()) return is_here.error();
  return Error{ErrorCode::kResourceNotFoundException, NoGlobalTableText(TableNameOf(table)),
               nullptr};
}

}  // namespace hashrange
