#include "operation/table/online_index.h"

#include <algorithm>
#include <utility>

#include "operation/table/table_settings.h"

namespace hashrange {
namespace {

void AddAttributeDefinition(const KeyPart& attribute, std::vector<KeyPart>* definitions) {
  const auto at = std::ranges::lower_bound(*definitions, attribute.name, {}, &KeyPart::name);
  if (at != definitions->end() && at->name == attribute.name) return;
  definitions->insert(at, attribute);
}

bool IsKeyAttribute(const TableVersion& table, std::string_view attribute) {
  return table.key.Find(attribute) ||
         std::ranges::any_of(table.indexes, [attribute](const IndexVersion& index) {
           return index.schema.key.Find(attribute) != nullptr;
         });
}

}  // namespace

IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand) {
  IndexVersion index;
  index.schema = MakeIndexSchema(definition, attributes);
  index.throughput = definition.throughput.value_or(ProvisionedThroughput());
  index.on_demand = NewOnDemandThroughput(definition.on_demand);
  index.warm =
      NewWarmThroughput(definition.warm, InitialWarmThroughput(on_demand, index.throughput));
  return index;
}

void AddIndex(const IndexDefinition& definition, const std::vector<KeyPart>& attributes,
              IndexPhase phase, TableVersion* table) {
  IndexVersion index = MakeIndexVersion(definition, attributes, table->settings.on_demand);
  index.phase = phase;
  index.warm.is_given = definition.warm.has_value();
  for (std::size_t i = 0; i < index.schema.key.parts(); ++i) {
    AddAttributeDefinition(index.schema.key.part(i), &table->settings.attribute_definitions);
  }
  const auto first_local = std::ranges::find_if(
      table->indexes, [](const IndexVersion& other) { return other.schema.is_local; });
  table->indexes.insert(first_local, std::move(index));
}

void RemoveIndex(std::string_view name, TableVersion* table) {
  std::erase_if(table->indexes,
                [name](const IndexVersion& index) { return index.schema.name == name; });
  std::erase_if(table->settings.attribute_definitions, [table](const KeyPart& attribute) {
    return !IsKeyAttribute(*table, attribute.name);
  });
}

const IndexVersion* FindOnlineIndex(const TableVersion& table) {
  for (const IndexVersion& index : table.indexes) {
    const bool is_creating = index.status() == ResourceStatus::kCreating;
    if (is_creating || index.status() == ResourceStatus::kDeleting) return &index;
  }
  return nullptr;
}

}  // namespace hashrange
