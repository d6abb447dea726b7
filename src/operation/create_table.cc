// CreateTable (reference 03).
#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "operation/online_index.h"
#include "operation/operations.h"
#include "operation/table_definition.h"
#include "operation/table_description.h"
#include "operation/table_lookup.h"
#include "operation/table_settings.h"
#include "operation/table_stream.h"
#include "operation/table_transitions.h"
#include "operation/tag_checks.h"

namespace hashrange {
namespace {

struct CreateTableRequest {
  TableDefinition definition;
};

CreateTableRequest Read(const RequestObject& request) {
  CreateTableRequest create{ReadTableDefinition(request)};
  create.definition.name = TableNameOf(create.definition.name);
  return create;
}

void AddIndexes(const std::optional<std::vector<IndexDefinition>>& indexes,
                const TableDefinition& table, TableVersion* version) {
  if (!indexes) return;
  for (const IndexDefinition& definition : *indexes) {
    version->indexes.push_back(MakeIndexVersion(definition, table.attributes, table.on_demand));
  }
}

std::unique_ptr<TableVersion> MakeVersion(const Context& context, const TableDefinition& table,
                                          const TableSettings& settings) {
  auto version = std::make_unique<TableVersion>();
  version->account_id = context.account.account_id;
  version->region = context.account.region;
  version->name = table.name;
  version->table_id = MakeUuid(Random::ThisThread());
  version->arn = std::string("arn:aws:dynamodb:")
                     .append(context.region)
                     .append(":")
                     .append(context.account.account_id)
                     .append(":table/")
                     .append(table.name);
  version->creation_epoch_ms = context.engine.clock().NowEpochMs();
  version->key = MakeKeySchema(table.key, table.attributes);
  AddIndexes(table.global_indexes, table, version.get());
  AddIndexes(table.local_indexes, table, version.get());
  version->settings = settings;
  return version;
}

// An ARN is any text to the binder; the name in it must be one.
Status CheckName(const std::string& name) {
  const bool is_name = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == '-'; });
  const std::string value = "1 validation error detected: Value '" + name +
                            "' at 'tableName' failed to satisfy constraint: Member must ";
  if (!is_name) {
    return ValidationError(value + "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  }
  if (name.size() < 3) {
    return ValidationError(value + "have length greater than or equal to 3");
  }
  if (name.size() > 255) {
    return ValidationError(value + "have length less than or equal to 255");
  }
  return {};
}

Status CheckNameIsFree(const Context& context, const std::string& name) {
  const TableRef table = FindSettled(context, name);
  if (!table) return {};
  if (table->status == ResourceStatus::kCreating) {
    return ResourceInUse("Table is being created: " + name);
  }
  return Error{ErrorCode::kResourceInUseException, "Table already exists: " + name, nullptr};
}

// The table as it comes. Starts again when the name was taken meanwhile.
Result<TableRef> Run(Context& context, const RequestObject& json,
                     const CreateTableRequest& request) {
  HR_RETURN_IF_ERROR(CheckArn(context, *json.String("TableName")));
  HR_RETURN_IF_ERROR(CheckName(request.definition.name));
  HR_RETURN_IF_ERROR(CheckTableDefinition(request.definition));
  HR_ASSIGN(const TableSettings settings, ReadTableSettings(json, request.definition, context));
  HR_ASSIGN(const std::vector<Tag> tags, ReadTags(json.List("Tags")));
  for (;;) {
    HR_RETURN_IF_ERROR(CheckNameIsFree(context, request.definition.name));
    auto version = MakeVersion(context, request.definition, settings);
    version->tags = std::make_shared<TagSet>(tags);
    StreamOpening stream(context);
    stream.OpenFor(version.get());
    TableRef table = BeginCreation(context, std::move(version));
    if (!table) continue;
    stream.Keep();
    return table;
  }
}

void Write(const Context& context, const TableVersion& table, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("TableDescription");
  // Even a table that serves at once is first described as one that is being made.
  WriteTableDescription(context, table, ResourceStatus::kCreating, answer);
  answer.EndObject();
}

}  // namespace

Status CreateTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  const CreateTableRequest request = Read(json);
  HR_ASSIGN(const TableRef table, Run(context, json, request));
  Write(context, *table, answer);
  return {};
}

}  // namespace hashrange
