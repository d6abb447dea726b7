#include "control/files/table_json.h"

#include <initializer_list>
#include <vector>

#include "control/files/json_tree.h"
#include "operation/table/throughput_checks.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

bool IsObject(const JsonValue* json) { return json && json->type == Type::kObject; }

const JsonValue* Member(const JsonValue* json, std::string_view name) {
  return IsObject(json) ? json->Find(name) : nullptr;
}

bool IsText(const JsonValue* json, std::string_view text) {
  return json && json->type == Type::kString && json->string() == text;
}

// Builds an object, member by member.
class ObjectMaker {
 public:
  explicit ObjectMaker(Arena& arena) : arena_(arena) {}

  void Add(std::string_view name, const JsonValue& value) { members_.push_back({name, value}); }
  // Copies the members with these names, as far as `from` has them.
  void Copy(const JsonValue& from, std::initializer_list<std::string_view> names) {
    for (std::string_view name : names) {
      if (const JsonValue* const value = Member(&from, name)) Add(name, *value);
    }
  }
  JsonValue Finish() { return MakeJsonObject(arena_.Copy(std::span<const JsonMember>(members_))); }

 private:
  Arena& arena_;
  std::vector<JsonMember> members_;
};

// A description of an on-demand table has 0 units, and any description says when they last changed;
// CreateTable takes neither.
void AddThroughput(const JsonValue& description, bool on_demand, Arena& arena, ObjectMaker* to) {
  const JsonValue* const described = Member(&description, "ProvisionedThroughput");
  if (on_demand || !described) return;
  ObjectMaker units(arena);
  units.Copy(*described, {"ReadCapacityUnits", "WriteCapacityUnits"});
  to->Add("ProvisionedThroughput", units.Finish());
}

std::int64_t IntegerOrZero(const JsonValue* json) {
  return json && json->type == Type::kInteger ? json->integer : 0;
}

// Every description has a warm throughput. It is copied only where it is more than a new table has.
void AddWarmThroughput(const JsonValue& description, bool on_demand, Arena& arena,
                       ObjectMaker* to) {
  const JsonValue* const described = Member(&description, "WarmThroughput");
  const JsonValue* const provisioned = Member(&description, "ProvisionedThroughput");
  const WarmThroughput start =
      InitialWarmThroughput(on_demand, {IntegerOrZero(Member(provisioned, "ReadCapacityUnits")),
                                        IntegerOrZero(Member(provisioned, "WriteCapacityUnits"))});
  const std::int64_t read = IntegerOrZero(Member(described, "ReadUnitsPerSecond"));
  const std::int64_t write = IntegerOrZero(Member(described, "WriteUnitsPerSecond"));
  if (read < start.read_units_per_second || write < start.write_units_per_second) return;
  if (read == start.read_units_per_second && write == start.write_units_per_second) return;
  to->Add("WarmThroughput", MakeJsonObject({{"ReadUnitsPerSecond", MakeJsonInteger(read)},
                                            {"WriteUnitsPerSecond", MakeJsonInteger(write)}},
                                           arena));
}

// −1 means no limit.
void AddOnDemandThroughput(const JsonValue& description, Arena& arena, ObjectMaker* to) {
  const JsonValue* const described = Member(&description, "OnDemandThroughput");
  ObjectMaker units(arena);
  bool has_limit = false;
  for (std::string_view name : {"MaxReadRequestUnits", "MaxWriteRequestUnits"}) {
    const JsonValue* const limit = Member(described, name);
    if (IntegerOrZero(limit) <= 0) continue;
    units.Add(name, *limit);
    has_limit = true;
  }
  if (has_limit) to->Add("OnDemandThroughput", units.Finish());
}

void AddCapacity(const JsonValue& description, bool on_demand, Arena& arena, ObjectMaker* to) {
  AddThroughput(description, on_demand, arena, to);
  AddWarmThroughput(description, on_demand, arena, to);
  AddOnDemandThroughput(description, arena, to);
}

// Copies the indexes of one kind, without members that only a description has.
void AddIndexes(const JsonValue& description, std::string_view kind, bool on_demand, Arena& arena,
                ObjectMaker* to) {
  const JsonValue* const described = Member(&description, kind);
  if (!described || described->type != Type::kArray || described->size == 0) return;
  const std::span<JsonValue> indexes = arena.NewArray<JsonValue>(described->size);
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const JsonValue& index = described->elements()[i];
    ObjectMaker maker(arena);
    maker.Copy(index, {"IndexName", "KeySchema", "VectorAttribute", "SearchSchema", "Projection",
                       "Dimensions", "DistanceFunction"});
    if (kind == "GlobalSecondaryIndexes") {
      AddCapacity(index, on_demand, arena, &maker);
    }
    indexes[i] = maker.Finish();
  }
  to->Add(kind, MakeJsonArray(indexes));
}

void AddEncryption(const JsonValue& description, Arena& arena, ObjectMaker* to) {
  const JsonValue* const described = Member(&description, "SSEDescription");
  if (!IsText(Member(described, "SSEType"), "KMS")) return;
  ObjectMaker sse(arena);
  sse.Add("Enabled", MakeJsonBool(true));
  sse.Add("SSEType", JsonValue::String("KMS"));
  if (const JsonValue* const key = Member(described, "KMSMasterKeyArn")) {
    sse.Add("KMSMasterKeyId", *key);
  }
  to->Add("SSESpecification", sse.Finish());
}

// Returns the input of CreateTable for a description.
JsonValue ToCreateTable(const JsonValue& description, Arena& arena) {
  const JsonValue* const billing = Member(&description, "BillingModeSummary");
  // A file written by hand may have the billing mode where CreateTable has it.
  const JsonValue& with_billing_mode = billing ? *billing : description;
  const bool on_demand = IsText(Member(&with_billing_mode, "BillingMode"), "PAY_PER_REQUEST");
  ObjectMaker maker(arena);
  maker.Copy(description,
             {"TableName", "AttributeDefinitions", "KeySchema", "DeletionProtectionEnabled"});
  maker.Add("BillingMode", JsonValue::String(on_demand ? "PAY_PER_REQUEST" : "PROVISIONED"));
  AddCapacity(description, on_demand, arena, &maker);
  AddIndexes(description, "GlobalSecondaryIndexes", on_demand, arena, &maker);
  AddIndexes(description, "LocalSecondaryIndexes", on_demand, arena, &maker);
  AddIndexes(description, "VectorIndexes", on_demand, arena, &maker);
  const JsonValue* const stream = Member(&description, "StreamSpecification");
  const JsonValue* const enabled = Member(stream, "StreamEnabled");
  if (enabled && enabled->type == Type::kTrue) maker.Add("StreamSpecification", *stream);
  if (const auto* table_class = Member(Member(&description, "TableClassSummary"), "TableClass")) {
    maker.Add("TableClass", *table_class);
  }
  AddEncryption(description, arena, &maker);
  return maker.Finish();
}

// Returns the attribute's name where one of the two members says that time to live is on.
std::optional<std::string_view> TtlAttributeOf(const JsonValue& json) {
  const JsonValue* const specification = Member(&json, "TimeToLiveSpecification");
  const JsonValue* const enabled = Member(specification, "Enabled");
  const JsonValue* const description = Member(&json, "TimeToLiveDescription");
  const JsonValue* name = nullptr;
  if (enabled && enabled->type == Type::kTrue) name = Member(specification, "AttributeName");
  if (IsText(Member(description, "TimeToLiveStatus"), "ENABLED")) {
    name = Member(description, "AttributeName");
  }
  if (!name || name->type != Type::kString) return std::nullopt;
  return name->string();
}

// Returns the object with this member instead of any member of that name.
JsonValue WithMember(const JsonValue& object, std::string_view name, const JsonValue& value,
                     Arena& arena) {
  ObjectMaker maker(arena);
  for (const JsonMember& member : object.members()) {
    if (member.name != name) maker.Add(member.name, member.value);
  }
  maker.Add(name, value);
  return maker.Finish();
}

}  // namespace

Result<TableJson> ReadTableJson(const JsonValue& json, const TableNames& names, Arena& arena) {
  if (!IsObject(&json)) return ValidationError("it is no JSON object");
  const JsonValue* description = Member(&json, "Table");
  if (!description) description = Member(&json, "TableDescription");
  if (description && !IsObject(description)) {
    return ValidationError("its description of a table is no JSON object");
  }
  TableJson table{description ? ToCreateTable(*description, arena) : json, TtlAttributeOf(json)};
  if (description) {
    if (const JsonValue* const tags = Member(&json, "Tags")) {
      table.create_table = WithMember(table.create_table, "Tags", *tags, arena);
    }
  }
  std::string_view name = names.replacement.value_or(std::string_view());
  if (name.empty() && !Member(&table.create_table, "TableName")) name = names.fallback;
  if (!name.empty()) {
    table.create_table =
        WithMember(table.create_table, "TableName", JsonValue::String(name), arena);
  }
  const JsonValue* const own_name = Member(&table.create_table, "TableName");
  if (!own_name || own_name->type != Type::kString) {
    return ValidationError("it has no TableName");
  }
  return table;
}

}  // namespace hashrange
