#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

#include "operation/invalid_parameters.h"
#include "operation/table_definition.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxLocalIndexes = 5;
constexpr std::size_t kMaxGlobalIndexes = 20;
constexpr std::size_t kMaxProjectedAttributes = 100;

Status CheckBilling(const TableDefinition& table) {
  if (table.on_demand && table.throughput) {
    return InvalidParameters(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!table.on_demand && !table.throughput) {
    return InvalidParameters(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
        "PROVISIONED");
  }
  return table.throughput ? CheckUnitsInBounds(*table.throughput) : Status();
}

// The attributes that keys name, each once, in the order of their first mention.
class UsedNames {
 public:
  void Add(const std::vector<KeyElement>& key) {
    for (const KeyElement& element : key) {
      if (seen_.insert(element.name).second) names_.push_back(element.name);
    }
  }
  void Add(const std::optional<std::vector<IndexDefinition>>& indexes) {
    if (!indexes) return;
    for (const IndexDefinition& index : *indexes) Add(index.key);
  }
  bool Has(std::string_view name) const { return seen_.contains(name); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string_view> seen_;
};

// Every definition must be used by some key (rows 9 and 10), and stand once (row 11).
Status CheckDefinitions(const TableDefinition& table, const AttributeNames& attributes) {
  UsedNames used;
  used.Add(table.key);
  const bool has_indexes = table.local_indexes || table.global_indexes;
  if (!has_indexes && table.attributes.size() != used.names().size()) {
    return InvalidParameters(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  used.Add(table.local_indexes);
  used.Add(table.global_indexes);
  std::unordered_set<std::string_view> seen;
  const KeyPart* repeated = nullptr;
  for (const KeyPart& attribute : table.attributes) {
    if (!used.Has(attribute.name)) {
      return InvalidParameters("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                               attributes.Text() + ", keys used: " + Bracketed(used.names()));
    }
    if (!seen.insert(attribute.name).second && !repeated) repeated = &attribute;
  }
  return repeated ? ValidationError("Attribute Name is duplicated: " + repeated->name) : Status();
}

Status CheckProjection(const IndexDefinition& index) {
  if (!index.projection_type) return InvalidParameters("Unknown ProjectionType: null");
  if (*index.projection_type != "INCLUDE" && index.non_key_attributes) {
    return InvalidParameters("ProjectionType is " + *index.projection_type +
                             ", but NonKeyAttributes is specified");
  }
  if (*index.projection_type == "INCLUDE" && !index.non_key_attributes) {
    return InvalidParameters("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  std::set<std::string> seen;
  for (const std::string& name : index.non_key_attributes.value_or(std::vector<std::string>())) {
    if (!seen.insert(name).second) {
      return InvalidParameters("Duplicate element in NonKeyAttributes: " + name);
    }
  }
  return {};
}

Status CheckLocalKey(const IndexDefinition& index, const TableDefinition& table) {
  if (index.key.size() < 2) {
    return InvalidParameters("Index KeySchema does not have a range key for index: " + index.name);
  }
  if (index.key[0].name != table.key[0].name) {
    return InvalidParameters(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index.name + ". index hash key: " + index.key[0].name +
        ", table hash key: " + table.key[0].name);
  }
  return {};
}

Status CheckIndexThroughput(const IndexDefinition& index, const TableDefinition& table) {
  if (table.on_demand && index.throughput) {
    return InvalidParameters("ProvisionedThroughput should not be specified for index: " +
                             index.name + " when BillingMode is PAY_PER_REQUEST");
  }
  if (!table.on_demand && !index.throughput) {
    return InvalidParameters("ProvisionedThroughput is not specified for index: " + index.name);
  }
  return index.throughput ? CheckUnitsInBounds(*index.throughput) : Status();
}

Status CheckIndexList(const TableDefinition& table, const std::vector<IndexDefinition>& indexes,
                      const AttributeNames& attributes, std::set<std::string_view>* names) {
  for (const IndexDefinition& index : indexes) {
    HR_RETURN_IF_ERROR(CheckIndexDefinition(index, table, attributes));
    if (!names->insert(index.name).second) {
      return InvalidParameters("Duplicate index name: " + index.name);
    }
  }
  return {};
}

Status CheckLocalIndexes(const TableDefinition& table, const AttributeNames& attributes,
                         std::set<std::string_view>* names) {
  if (!table.local_indexes) return {};
  if (table.local_indexes->empty()) {
    return InvalidParameters("List of LocalSecondaryIndexes is empty");
  }
  if (table.key.size() < 2) {
    return InvalidParameters(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  HR_RETURN_IF_ERROR(CheckIndexList(table, *table.local_indexes, attributes, names));
  if (table.local_indexes->size() <= kMaxLocalIndexes) return {};
  return InvalidParameters("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
}

Status CheckGlobalIndexes(const TableDefinition& table, const AttributeNames& attributes,
                          std::set<std::string_view>* names) {
  if (!table.global_indexes) return {};
  if (table.global_indexes->empty()) {
    return InvalidParameters("List of GlobalSecondaryIndexes is empty");
  }
  HR_RETURN_IF_ERROR(CheckIndexList(table, *table.global_indexes, attributes, names));
  if (table.global_indexes->size() <= kMaxGlobalIndexes) return {};
  return InvalidParameters("GlobalSecondaryIndex count exceeds the per-table limit of 20");
}

Status CheckProjectedTotal(const TableDefinition& table) {
  std::size_t total = 0;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDefinition& index : indexes->value_or(std::vector<IndexDefinition>())) {
      if (index.non_key_attributes) total += index.non_key_attributes->size();
    }
  }
  if (total <= kMaxProjectedAttributes) return {};
  return InvalidParameters(
      "Number of projected NonKeyAttributes over all indexes exceeds the limit of " +
      std::to_string(kMaxProjectedAttributes));
}

}  // namespace

Status CheckIndexDefinition(const IndexDefinition& index, const TableDefinition& table,
                            const AttributeNames& attributes) {
  HR_RETURN_IF_ERROR(CheckKeySchema(index.key, attributes, !index.is_local));
  if (index.is_local) HR_RETURN_IF_ERROR(CheckLocalKey(index, table));
  HR_RETURN_IF_ERROR(CheckProjection(index));
  return index.is_local ? Status() : CheckIndexThroughput(index, table);
}

Status CheckTableDefinition(const TableDefinition& table) {
  HR_RETURN_IF_ERROR(CheckBilling(table));
  if (table.key.size() > table.attributes.size()) {
    return ValidationError("Invalid KeySchema: Some index key attribute have no definition");
  }
  const AttributeNames attributes(table.attributes);
  HR_RETURN_IF_ERROR(CheckKeySchema(table.key, attributes, false));
  HR_RETURN_IF_ERROR(CheckDefinitions(table, attributes));
  std::set<std::string_view> names;  // of local and global indexes
  HR_RETURN_IF_ERROR(CheckLocalIndexes(table, attributes, &names));
  HR_RETURN_IF_ERROR(CheckGlobalIndexes(table, attributes, &names));
  return CheckProjectedTotal(table);
}

}  // namespace hashrange
