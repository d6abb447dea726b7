// dynamodb_data_model.json, in either of its forms. One has CreateTable inputs: its tables and
// items are put into a database, its patterns, which are lines of the AWS CLI, are called there,
// and what was measured is the model. The other has rates and sizes, but no templates of keys.

#include "lab/import/import_steps.h"

#include <algorithm>
#include <iterator>

#include "base/text/short_text.h"
#include "lab/import/aws_cli_line.h"
#include "lab/import/imported_object.h"
#include "lab/import/table_data.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;

constexpr double kUsualItemBytes = 1024;

// The form with rates and sizes.

// Returns the name of a key, which is a text or an object with a name.
std::string KeyName(ImportedObject& fields, std::string_view member) {
  const JsonValue* const key = fields.Member(member);
  if (key == nullptr) return "";
  if (key->type == JsonValue::Type::kString) return std::string(key->string());
  for (const std::string_view name : {"name", "attribute_name"}) {
    const JsonValue* const found = key->Find(name);
    if (found != nullptr && found->type == JsonValue::Type::kString) {
      return std::string(found->string());
    }
  }
  fields.Fail(member, "has no name and was left out");
  return "";
}

// Reads the provisioned capacity of a table or an index.
void ReadUnits(ImportedObject& fields, bool is_on_demand, std::int64_t& read_units,
               std::int64_t& write_units) {
  constexpr std::string_view kCapacity = "provisioned_capacity";
  double read = 0;
  double write = 0;
  fields.With(kCapacity, [&](ImportedObject& units) {
    read = units.Number("read_capacity_units");
    write = units.Number("write_capacity_units");
  });
  if (is_on_demand && fields.Member(kCapacity) != nullptr) {
    return fields.Fail(kCapacity, "was left out: billing_mode of the table is PAY_PER_REQUEST");
  }
  read_units = static_cast<std::int64_t>(read);
  write_units = static_cast<std::int64_t>(write);
}

ImportedIndex ReadIndex(ImportedObject& fields, bool is_on_demand, ImportedModel& model) {
  ImportedIndex index;
  index.name = ServiceNameOf(fields.Text("index_name"), fields.PlaceOf("index_name"), model);
  if (const std::string key = KeyName(fields, "partition_key"); !key.empty()) index.hash = {key};
  if (const std::string key = KeyName(fields, "sort_key"); !key.empty()) index.range = {key};
  fields.With("projection", [&](ImportedObject& projection) {
    const std::string type = projection.Text("type");
    SetImportedProjection(type, projection.Texts("attributes"), index);
  });
  ReadUnits(fields, is_on_demand, index.read_units, index.write_units);
  fields.NameUnknown();
  return index;
}

void ReadEntity(ImportedObject& fields, ImportedModel& model) {
  const ImportedTable& table = model.tables.back();
  ImportedEntity entity;
  entity.place = fields.place();
  entity.table = table.name;
  entity.name = NewEntityName(fields.Text("entity_name"), fields.place(), model);
  entity.items = fields.Number("estimated_item_count");
  const double bytes = fields.Number("estimated_item_size_bytes");
  const std::vector<std::string> names = fields.Texts("attributes");
  fields.NameUnknown();
  // PK and its like are attributes of keys, and their values are not known.
  const auto has = [&](const std::string& name) {
    const std::string lower = LowerCase(name);
    return !lower.ends_with("pk") && !lower.ends_with("sk") && IsIn(name, names);
  };
  // Attributes with the names of keys are the keys. Keys with other names have no template.
  const std::string id = PlainName(LowerCase(entity.name)) + "_id";
  const auto add_key = [&](const std::string& name, const std::string& index, bool is_needed) {
    if (name.empty() || (!is_needed && !has(name))) return;
    const bool is_new =
        std::ranges::find(entity.keys, name, &ImportedKey::attribute) == entity.keys.end();
    if (has(name)) return AddBareKey(name, index, entity);
    if (!is_new) return;
    entity.keys.push_back({.attribute = name,
                           .text = {{LowerCase(entity.name) + "#", id, ""}},
                           .index = index,
                           .question = "what is the template of " + name + " of " + entity.name +
                                       "? The source has none."});
  };
  add_key(table.hash, "", true);
  add_key(table.range, "", true);
  for (const ImportedIndex& index : table.indexes) {
    for (const std::string& name : index.Keys()) add_key(name, index.name, false);
  }
  const double size = bytes > 0 ? bytes : kUsualItemBytes;
  for (const std::string& name : names) {
    if (!has(name)) continue;
    const double bytes_of_one = size / static_cast<double>(names.size());
    entity.attributes.push_back(
        {.name = PlainName(name),
         .mean_bytes = std::max(1.0, bytes_of_one - static_cast<double>(name.size()))});
  }
  if (names.empty()) {
    entity.attributes.push_back(
        {.name = "payload", .mean_bytes = size, .note = "the source gives only the item's size"});
  }
  AddImportedEntity(std::move(entity), model);
}

void ReadTable(ImportedObject& fields, ImportedModel& model) {
  ImportedTable table;
  table.name = ServiceNameOf(fields.Text("table_name"), fields.PlaceOf("table_name"), model);
  table.is_infrequent_access =
      LowerCase(fields.Text("table_class")).find("infrequent") != std::string::npos;
  fields.With("key_schema", [&](ImportedObject& keys) {
    table.hash = KeyName(keys, "partition_key");
    table.range = KeyName(keys, "sort_key");
  });
  const bool is_on_demand = LowerCase(fields.Text("billing_mode")) == "pay_per_request";
  ReadUnits(fields, is_on_demand, table.read_units, table.write_units);
  fields.Each("gsis", [&](ImportedObject& of) {
    ImportedIndex index = ReadIndex(of, is_on_demand, model);
    if (!index.hash.empty()) table.indexes.push_back(std::move(index));
  });
  fields.Ignore({"attribute_definitions", "description"});
  const auto entities = fields.List("entities");
  fields.NameUnknown();
  if (!AddImportedTable(std::move(table), fields.place(), model)) return;
  for (std::size_t at = 0; at < entities.size(); ++at) {
    ImportedObject entity(entities[at], fields.PlaceOf("entities", at), model.remarks);
    ReadEntity(entity, model);
  }
}

// Returns the verb of an operation by the words in it.
Verb VerbOfOperation(std::string_view operation, std::string_view write_action) {
  const std::string lower = LowerCase(operation) + " " + LowerCase(write_action);
  if (lower.find("get") != lower.npos) return Verb::kGet;
  if (lower.find("query") != lower.npos || lower.find("scan") != lower.npos) return Verb::kQuery;
  if (lower.find("update") != lower.npos) return Verb::kUpdate;
  if (lower.find("delete") != lower.npos) return Verb::kDelete;
  if (lower.find("put") != lower.npos || lower.find("write") != lower.npos) return Verb::kCreate;
  return Verb::kNone;
}

void ReadEntitiesOf(ImportedObject& fields, const ImportedModel& model, ImportedPattern& pattern) {
  const std::string table = fields.Text("table");
  for (const JsonValue& element : fields.List("entities_written")) {
    std::vector<std::string> none;
    ImportedObject written(element, "", none);
    const std::string name = PlainName(written.Text("entity"));
    if (pattern.entities.empty()) {
      pattern.entities.push_back(name);
    } else {
      pattern.notes.push_back("the call also writes " + name + "; fill in `with` or `also`");
    }
  }
  const std::string entity = fields.Text("entity");
  if (pattern.entities.empty() && !entity.empty()) pattern.entities.push_back(PlainName(entity));
  if (!pattern.entities.empty()) return;
  std::vector<std::string> found;
  for (const ImportedEntity& stored : model.entities) {
    if (stored.table == table) found.push_back(stored.name);
  }
  if (found.empty()) return;
  pattern.entities = {found.front()};
  if (found.size() > 1) {
    pattern.notes.push_back("the source does not say which entity of " + table +
                            " is meant; fill it in");
  }
}

void ReadPattern(ImportedObject& fields, ImportedModel& model) {
  ImportedPattern pattern;
  pattern.place = fields.place();
  pattern.name = fields.Text("description");
  if (pattern.name.empty()) pattern.name = TextMember(fields.json(), "pattern_id");
  const std::string operation = fields.Text("operation");
  pattern.verb = VerbOfOperation(operation, fields.Text("write_action"));
  if (pattern.verb == Verb::kNone)
    pattern.notes.push_back("the operation \"" + operation + "\" is not known");
  ReadEntitiesOf(fields, model, pattern);
  const double average = fields.Number("avg_rps");
  const double peak = fields.Number("peak_rps");
  pattern.calls_per_second = average > 0 ? average : peak;
  if (average > 0 && peak > average) {
    pattern.notes.push_back("at the peak " + std::to_string(static_cast<std::int64_t>(peak)) +
                            (peak < 2 ? " call" : " calls") + " a second: a phase of `traffic`");
  }
  const std::string consistency = fields.Text("consistency");
  pattern.is_consistent = consistency == "strong";
  const std::string lower = LowerCase(operation);
  const bool is_transaction = lower.starts_with("transact");
  pattern.is_transaction = is_transaction || consistency == "transactional";
  const double items = fields.Number("items_per_request");
  if (pattern.verb == Verb::kQuery) pattern.limit = static_cast<std::int64_t>(items);
  if (lower.starts_with("batch") || is_transaction)
    pattern.batch = static_cast<std::int64_t>(items);
  if (const JsonValue* const set = fields.Member("attributes_written")) {
    if (set->type == JsonValue::Type::kArray) {
      for (const std::string& name : fields.Texts("attributes_written"))
        pattern.set.push_back(PlainName(name));
    }
  }
  if (const ImportedEntity* const entity =
          pattern.entities.empty() ? nullptr
                                   : FindImportedEntity(model, pattern.entities.front())) {
    const ImportedKeyPair keys = KeyPairOf(model, *entity, TextMember(fields.json(), "index"));
    pattern.by = pattern.verb == Verb::kQuery ? AttributesIn(keys.partition) : PlaceholdersOf(keys);
  }
  const JsonValue* const filter = fields.Member("filter");
  if (filter != nullptr && filter->type == JsonValue::Type::kString) {
    pattern.notes.push_back("a filter that is not turned over: " + std::string(filter->string()));
  }
  fields.Ignore({"estimated_item_size_bytes", "projection", "index", "pattern_id"});
  fields.NameUnknown();
  model.patterns.push_back(std::move(pattern));
}

Result<ImportedModel> ReadCapacityModel(const JsonValue& json) {
  ImportedModel model;
  model.source = "a dynamodb_data_model.json with rates";
  model.has_counts = true;
  ImportedObject fields(json, "", model.remarks);
  fields.Each("tables", [&](ImportedObject& of) { ReadTable(of, model); });
  fields.Each("access_patterns", [&](ImportedObject& of) { ReadPattern(of, model); });
  fields.NameUnknown();
  return model;
}

// The other form.

void PutItems(ImportedObject& fields, TableData& data, std::vector<std::string>& remarks) {
  for (const JsonMember& table : fields.Members("items")) {
    const std::string place = "items." + std::string(table.name);
    if (table.value.type != JsonValue::Type::kArray) {
      remarks.push_back(place + " has to be a list and was left out");
      continue;
    }
    for (std::size_t at = 0; at < table.value.size; ++at) {
      const JsonValue& element = table.value.elements()[at];
      const std::string of_item = place + "[" + std::to_string(at) + "]";
      const JsonValue* const put = element.Find("PutRequest");
      const JsonValue* const item = put == nullptr ? nullptr : put->Find("Item");
      if (item != nullptr) {
        PutSampleItem(table.name, *item, of_item, data, remarks);
      } else {
        remarks.push_back(of_item + " has no PutRequest with an Item and was left out");
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
  const auto called = data.Call(request->operation, request->json, name);
  return called.ok() ? "" : called.error().message;
}

// Calls all patterns. Those that cannot be called are added to `others`.
void CallPatterns(ImportedObject& fields, TableData& data, std::vector<ImportedPattern>& others) {
  std::size_t number = 0;
  fields.Each("access_patterns", [&](ImportedObject& pattern) {
    pattern.Ignore({"table", "index", "dynamodb_operation", "reason", "pattern"});
    ImportedPattern described;
    described.place = pattern.place();
    described.name = pattern.Text("description");
    ++number;
    if (described.name.empty()) described.name = "pattern " + std::to_string(number);
    const std::string line = pattern.Text("implementation");
    pattern.NameUnknown();
    const std::string why = CallPattern(line, described.name, data);
    if (why.empty()) return;
    described.notes.push_back(line);
    described.notes.push_back("it could not be called with the items of the model: " + why);
    others.push_back(std::move(described));
  });
}

}  // namespace

Result<ImportedModel> ReadDataModel(const JsonValue& json) {
  std::vector<std::string> remarks;
  ImportedObject fields(json, "", remarks);
  const auto tables = fields.List("tables");
  if (!tables.empty() && tables.front().Find("TableName") == nullptr)
    return ReadCapacityModel(json);
  TableData data;
  for (std::size_t at = 0; at < tables.size(); ++at) {
    const Status made = data.MakeTable(JsonText(tables[at]));
    if (!made.ok())
      return ValidationError(fields.PlaceOf("tables", at) + ": " + made.error().message);
  }
  PutItems(fields, data, remarks);
  // The items are measured before the patterns, which may delete them.
  HR_ASSIGN(const MeasuredSamples samples, MeasureSamples(data));
  data.Begin();
  std::vector<ImportedPattern> others;
  CallPatterns(fields, data, others);
  fields.NameUnknown();
  HR_ASSIGN(Measurement called, data.End());
  HR_ASSIGN(ImportedModel model, ModelOfSamples(samples, std::move(called)));
  TakeAwayCounts(model);
  AddTablesWithoutItems(model);
  model.source = "a dynamodb_data_model.json";
  model.remarks.insert(model.remarks.begin(), remarks.begin(), remarks.end());
  model.patterns.insert(model.patterns.end(), others.begin(), others.end());
  return model;
}

}  // namespace hashrange
