// The checks of table_definition.h that are about a whole table and its indexes.
#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

#include "operation/call/invalid_parameters.h"
#include "operation/table/table_definition.h"

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

// The attributes that keys name, each once, in the order in which they are first named.
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

// Checks that no attribute is defined twice (row 11), and that a table without indexes defines as
// many attributes as its key has (row 9).
Status CheckDefinitions(const TableDefinition& table) {
  HR_RETURN_IF_ERROR(CheckDefinedOnce(table.attributes));
  const bool has_indexes = table.local_indexes || table.global_indexes;
  if (has_indexes || table.attributes.size() == table.key.size()) return {};
  return InvalidParameters(
      "Number of attributes in KeySchema does not exactly match number of attributes defined in "
      "AttributeDefinitions");
}

// Checks that each definition is used by at least one key (row 10). The service checks this after
// it has found the attributes of all index keys, and before anything else about the indexes.
Status CheckAllUsed(const TableDefinition& table, const AttributeNames& attributes) {
  UsedNames used;
  used.Add(table.key);
  used.Add(table.local_indexes);
  used.Add(table.global_indexes);
  for (const KeyPart& attribute : table.attributes) {
    if (used.Has(attribute.name)) continue;
    return InvalidParameters("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                             attributes.Text() + ", keys used: " + Bracketed(used.names()));
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

// The checks of one index alone (rows 14 to 20, 24 to 26 and 28).
Status CheckIndexDefinition(const IndexDefinition& index, const TableDefinition& table,
                            const AttributeNames& attributes) {
  HR_RETURN_IF_ERROR(CheckKeySchema(index.key, attributes, !index.is_local));
  if (index.is_local) HR_RETURN_IF_ERROR(CheckLocalKey(index, table));
  HR_RETURN_IF_ERROR(CheckProjection(index));
  return index.is_local ? Status() : CheckIndexThroughput(index, table);
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

Status CheckKeysDefined(const std::optional<std::vector<IndexDefinition>>& indexes,
                        const AttributeNames& attributes) {
  if (!indexes) return {};
  for (const IndexDefinition& index : *indexes) {
    HR_RETURN_IF_ERROR(CheckDefined(index.key, attributes));
  }
  return {};
}

// Checks that the lists of indexes are not empty and fit the table (rows 12, 13 and 23), and that
// the attributes of all index keys are defined (row 5).
Status CheckIndexLists(const TableDefinition& table, const AttributeNames& attributes) {
  if (table.local_indexes && table.local_indexes->empty()) {
    return InvalidParameters("List of LocalSecondaryIndexes is empty");
  }
  if (table.local_indexes && table.key.size() < 2) {
    return InvalidParameters(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  HR_RETURN_IF_ERROR(CheckKeysDefined(table.local_indexes, attributes));
  if (table.global_indexes && table.global_indexes->empty()) {
    return InvalidParameters("List of GlobalSecondaryIndexes is empty");
  }
  return CheckKeysDefined(table.global_indexes, attributes);
}

Status CheckIndexes(const TableDefinition& table, const AttributeNames& attributes) {
  std::set<std::string_view> names;  // of local and global indexes together
  if (table.local_indexes) {
    HR_RETURN_IF_ERROR(CheckIndexList(table, *table.local_indexes, attributes, &names));
    if (table.local_indexes->size() > kMaxLocalIndexes) {
      return InvalidParameters("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
    }
  }
  if (table.global_indexes) {
    HR_RETURN_IF_ERROR(CheckIndexList(table, *table.global_indexes, attributes, &names));
    if (table.global_indexes->size() > kMaxGlobalIndexes) {
      return InvalidParameters("GlobalSecondaryIndex count exceeds the per-table limit of 20");
    }
  }
  return {};
}

std::size_t ProjectedTotal(const TableDefinition& table) {
  std::size_t total = 0;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDefinition& index : indexes->value_or(std::vector<IndexDefinition>())) {
      if (index.non_key_attributes) total += index.non_key_attributes->size();
    }
  }
  return total;
}

}  // namespace

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

Status CheckProjectedTotal(std::size_t total) {
  if (total <= kMaxProjectedAttributes) return {};
  return InvalidParameters(
      "Number of projected NonKeyAttributes over all indexes exceeds the limit of " +
      std::to_string(kMaxProjectedAttributes));
}

Status CheckTableDefinition(const TableDefinition& table) {
  HR_RETURN_IF_ERROR(CheckBilling(table));
  if (table.key.size() > table.attributes.size()) {
    return ValidationError("Invalid KeySchema: Some index key attribute have no definition");
  }
  const AttributeNames attributes(table.attributes);
  HR_RETURN_IF_ERROR(CheckKeySchema(table.key, attributes, false));
  HR_RETURN_IF_ERROR(CheckDefinitions(table));
  HR_RETURN_IF_ERROR(CheckIndexLists(table, attributes));
  HR_RETURN_IF_ERROR(CheckAllUsed(table, attributes));
  HR_RETURN_IF_ERROR(CheckIndexes(table, attributes));
  return CheckProjectedTotal(ProjectedTotal(table));
}

}  // namespace hashrange
