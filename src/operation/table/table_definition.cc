#include "operation/table/table_definition.h"

#include <algorithm>

namespace hashrange {
namespace {

AttributeType KeyAttributeType(std::string_view tag) {
  if (tag == "N") return AttributeType::kN;
  return tag == "B" ? AttributeType::kB : AttributeType::kS;
}

std::string TextMember(const RequestObject& request, std::string_view member) {
  return std::string(request.String(member).value_or(""));
}

std::optional<std::vector<IndexDefinition>> ReadIndexes(const RequestObject& request,
                                                        std::string_view member, bool is_local) {
  if (!request.Has(member)) return std::nullopt;
  std::vector<IndexDefinition> indexes;
  for (const JsonValue& index : request.List(member)) {
    indexes.push_back(ReadIndexDefinition(RequestObject(index), is_local));
  }
  return indexes;
}

}  // namespace

std::vector<KeyPart> ReadAttributeDefinitions(const RequestObject& request) {
  std::vector<KeyPart> attributes;
  for (const JsonValue& element : request.List("AttributeDefinitions")) {
    const RequestObject definition(element);
    attributes.push_back({TextMember(definition, "AttributeName"),
                          KeyAttributeType(*definition.String("AttributeType"))});
  }
  return attributes;
}

std::vector<KeyElement> ReadKeySchema(const RequestObject& request) {
  std::vector<KeyElement> key;
  for (const JsonValue& element : request.List("KeySchema")) {
    const RequestObject part(element);
    key.push_back({TextMember(part, "AttributeName"), part.String("KeyType") == "HASH"});
  }
  return key;
}

std::optional<ProvisionedThroughput> ReadThroughput(const RequestObject& request) {
  const auto units = ReadProvisionedUnits(request);
  if (!units || !units->read || !units->write) return std::nullopt;
  return ProvisionedThroughput{*units->read, *units->write};
}

IndexDefinition ReadIndexDefinition(const RequestObject& request, bool is_local) {
  IndexDefinition index;
  index.name = TextMember(request, "IndexName");
  index.is_local = is_local;
  index.key = ReadKeySchema(request);
  if (const auto projection = request.Object("Projection")) {
    if (const auto type = projection->String("ProjectionType")) index.projection_type = *type;
    if (projection->Has("NonKeyAttributes")) {
      index.non_key_attributes.emplace();
      for (const JsonValue& name : projection->List("NonKeyAttributes")) {
        index.non_key_attributes->emplace_back(name.string());
      }
    }
  }
  index.throughput = ReadThroughput(request);
  index.on_demand = ReadOnDemandUnits(request);
  index.warm = ReadWarmUnits(request);
  return index;
}

TableDefinition ReadTableDefinition(const RequestObject& request) {
  TableDefinition table;
  table.name = TextMember(request, "TableName");
  table.attributes = ReadAttributeDefinitions(request);
  table.key = ReadKeySchema(request);
  table.on_demand = request.String("BillingMode") == "PAY_PER_REQUEST";
  table.throughput = ReadThroughput(request);
  table.local_indexes = ReadIndexes(request, "LocalSecondaryIndexes", true);
  table.global_indexes = ReadIndexes(request, "GlobalSecondaryIndexes", false);
  return table;
}

KeySchema MakeKeySchema(const std::vector<KeyElement>& key,
                        const std::vector<KeyPart>& attributes) {
  KeySchema schema;
  for (const KeyElement& element : key) {
    const auto definition = std::ranges::find(attributes, element.name, &KeyPart::name);
    (element.is_hash ? schema.hash : schema.range).push_back(*definition);
  }
  return schema;
}

IndexSchema MakeIndexSchema(const IndexDefinition& index, const std::vector<KeyPart>& attributes) {
  IndexSchema schema;
  schema.name = index.name;
  schema.is_local = index.is_local;
  schema.key = MakeKeySchema(index.key, attributes);
  if (index.projection_type == "KEYS_ONLY") schema.projection = ProjectionType::kKeysOnly;
  if (index.projection_type == "INCLUDE") schema.projection = ProjectionType::kInclude;
  schema.non_key_attributes = index.non_key_attributes.value_or(std::vector<std::string>());
  std::ranges::sort(schema.non_key_attributes);
  return schema;
}

}  // namespace hashrange
