// TableDefinition: what CreateTable asks for, as read, and the service's checks of it in the
// service's order (docs/service/03-tables-and-indexes.md, section 2; multi-attribute keys:
// docs/service/14-multi-attribute-keys.md, sections 1 and 2). A "row" below is a row of the table
// of checks in the first of these documents. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/table/throughput_checks.h"
#include "wire/binder.h"

namespace hashrange {

struct KeyElement {
  std::string name;
  bool is_hash = false;
};

struct IndexDefinition {
  std::string name;
  bool is_local = false;
  std::vector<KeyElement> key;
  std::optional<std::string> projection_type;
  std::optional<std::vector<std::string>> non_key_attributes;
  std::optional<ProvisionedThroughput> throughput;
  std::optional<PartialUnits> on_demand;  // OnDemandThroughput
  std::optional<PartialUnits> warm;       // WarmThroughput
};

// A table has at most so many global indexes.
inline constexpr std::size_t kMaxGlobalIndexes = 20;

struct TableDefinition {
  std::string name;
  std::vector<KeyPart> attributes;
  std::vector<KeyElement> key;
  bool on_demand = false;  // BillingMode PAY_PER_REQUEST
  std::optional<ProvisionedThroughput> throughput;
  std::optional<std::vector<IndexDefinition>> local_indexes;  // present but empty: an error
  std::optional<std::vector<IndexDefinition>> global_indexes;
};

// These functions read members of a bound request.
std::vector<KeyPart> ReadAttributeDefinitions(const RequestObject& request);
IndexDefinition ReadIndexDefinition(const RequestObject& request, bool is_local);
// Returns ProvisionedThroughput; nullopt: the read units or the write units are missing.
std::optional<ProvisionedThroughput> ReadThroughput(const RequestObject& request);
TableDefinition ReadTableDefinition(const RequestObject& request);

// Checks billing, key schemas, attribute definitions and indexes: rows 1 to 29.
// Errors: ValidationException
Status CheckTableDefinition(const TableDefinition& definition);

// The names in AttributeDefinitions; a view of the definitions. A look-up is O(1), because a
// request may have very many of them before any limit is checked.
class AttributeNames {
 public:
  explicit AttributeNames(const std::vector<KeyPart>& attributes);

  bool Has(std::string_view name) const { return names_.contains(name); }
  // Returns "[a, b]", in the order of the request.
  std::string Text() const;

 private:
  const std::vector<KeyPart>& attributes_;
  std::unordered_set<std::string_view> names_;
};

// The checks from here on return ValidationException when they fail.
//
// Checks that no attribute is defined twice (row 11).
Status CheckDefinedOnce(const std::vector<KeyPart>& attributes);
// Checks that the key schema is well-formed and fits the definitions (rows 5 to 8, 28).
// `is_global`: the key of a global index may have several attributes of each kind.
Status CheckKeySchema(const std::vector<KeyElement>& key, const AttributeNames& attributes,
                      bool is_global);
// Checks that the projection of the index is valid (rows 17 to 20).
Status CheckProjection(const IndexDefinition& index);
// Checks that `total`, the number of NonKeyAttributes of all indexes of a table, is at most 100
// (row 29).
Status CheckProjectedTotal(std::size_t total);

// Returns the schema of a key or index whose attributes are all defined.
KeySchema MakeKeySchema(const std::vector<KeyElement>& key, const std::vector<KeyPart>& attributes);
IndexSchema MakeIndexSchema(const IndexDefinition& index, const std::vector<KeyPart>& attributes);
// Returns the first version of the index that a request defines, with the types from its
// `attributes`. `on_demand`: the table's billing mode.
IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand);

}  // namespace hashrange
