// CreateTable (docs/service/03-tables-and-indexes.md, sections 1 and 2).
#include "operation/table/create_table.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/parameter/policy_document.h"
#include "operation/table/resource_tags.h"
#include "operation/table/table_description.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_settings.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

// Members of CreateTable that are refused: a table without them would look like the requested table
// but would not work like it.
constexpr std::string_view kNotImplemented[] = {"GlobalTableSourceArn",
                                                "GlobalTableSettingsReplicationMode"};

// The binder checks a name but accepts any text as an ARN; so the name in an ARN is checked here.
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

void AddIndexes(const std::optional<std::vector<IndexDefinition>>& indexes,
                const TableDefinition& table, TableVersion* version) {
  if (!indexes) return;
  for (const IndexDefinition& definition : *indexes) {
    version->indexes.push_back(MakeIndexVersion(definition, table.attributes, table.on_demand));
  }
}

}  // namespace

Result<NewTable> ReadNewTable(const Context& context, const RequestObject& request) {
  NewTable table;
  table.definition = ReadTableDefinition(request);
  table.definition.name = TableNameOf(table.definition.name);
  HR_RETURN_IF_ERROR(CheckArn(context, *request.String("TableName")));
  HR_RETURN_IF_ERROR(CheckName(table.definition.name));
  HR_RETURN_IF_ERROR(CheckImplemented(request, kNotImplemented, "CreateTable"));
  HR_RETURN_IF_ERROR(CheckTableDefinition(table.definition));
  HR_ASSIGN(table.settings, ReadTableSettings(request, table.definition, context));
  HR_ASSIGN(table.tags, ReadTags(request.List("Tags")));
  if (const auto policy = request.String("ResourcePolicy")) {
    HR_RETURN_IF_ERROR(CheckPolicyDocument(*policy));
    table.settings.policy = MakePolicy(*policy);
  }
  return table;
}

std::unique_ptr<TableVersion> MakeTableVersion(const Context& context, const NewTable& new_table) {
  const TableDefinition& table = new_table.definition;
  auto version = std::make_unique<TableVersion>();
  version->account_id = context.account.account_id;
  version->region = context.account.region;
  version->name = table.name;
  version->table_id = MakeUuid(Random::ThisThread());
  version->arn = Concatenated({"arn:aws:dynamodb:", context.region, ":", context.account.account_id,
                               ":table/", table.name});
  version->creation_epoch_ms = context.NowEpochMs();
  version->key = MakeKeySchema(table.key, table.attributes);
  AddIndexes(table.global_indexes, table, version.get());
  AddIndexes(table.local_indexes, table, version.get());
  AddIndexes(table.vector_indexes, table, version.get());
  version->settings = new_table.settings;
  version->tags = std::make_shared<TagSet>(new_table.tags);
  return version;
}

namespace {

Status CheckNameIsFree(const Context& context, const std::string& name) {
  const TableRef table = FindSettled(context, name);
  if (!table) return {};
  if (table->status() == ResourceStatus::kCreating) {
    return ResourceInUse("Table is being created: " + name);
  }
  return Error{ErrorCode::kResourceInUseException, "Table already exists: " + name, nullptr};
}

// Returns the version that the answer describes. Tries again when another call has taken the name
// meanwhile.
Result<TableRef> RunCreateTable(Context& context, const NewTable& request) {
  HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_RETURN_IF_ERROR(CheckNameIsFree(context, request.definition.name));
    auto version = MakeTableVersion(context, request);
    StreamOpening stream(context);
    stream.OpenFor(version.get());
    TableRef table = BeginCreation(context, std::move(version));
    if (!table) continue;
    stream.Keep();
    return table;
  }
}

}  // namespace

Status CreateTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const NewTable request, ReadNewTable(context, json));
  HR_ASSIGN(const TableRef table, RunCreateTable(context, request));
  LogTable(*table, "created");
  // The answer says CREATING even if the table is ACTIVE at once.
  WriteTableAnswer(context, "TableDescription", *table, ResourceStatus::kCreating, answer);
  return {};
}

}  // namespace hashrange
