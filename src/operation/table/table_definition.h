// TableDefinition: what CreateTable asks for, as read, and the service's checks of it in the
// service's order (docs/service/03-tables-and-indexes.md, section 2; multi-attribute keys:
// docs/service/14-multi-attribute-keys.md, sections 1 and 2; vector indexes:
// docs/service/15-vector-search.md, sections 2 and 3). A "row" below is a row of the table of
// checks in the first of these documents. Pure functions; any thread.
#pragma once

#include <cstdint>
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

// What only the definition of a vector index has.
struct VectorDefinition {
  std::string attribute;        // VectorAttribute
  std::int64_t dimensions = 0;  // at least 1, of any size
  DistanceFunction function = DistanceFunction::kCosine;
};

struct IndexDefinition {
  std::string name;
  bool is_local = false;
  // The key. Of a vector index: its search schema, whose elements are HASH or INLINE_FILTER.
  std::vector<KeyElement> key;
  std::optional<VectorDefinition> vector;  // set: this is a vector index
  std::optional<std::string> projection_type;
  std::optional<std::vector<std::string>> non_key_attributes;
  std::optional<ProvisionedThroughput> throughput;
  std::optional<PartialUnits> on_demand;  // OnDemandThroughput
  std::optional<PartialUnits> warm;       // WarmThroughput
};

// A table has at most so many global indexes and so many vector indexes.
inline constexpr std::size_t kMaxGlobalIndexes = 20;
inline constexpr std::size_t kMaxVectorIndexes = 5;

// The names of distance functions, in the order of DistanceFunction.
inline constexpr std::string_view kDistanceFunctionNames[] = {"COSINE", "EUCLIDEAN", "DOT_PRODUCT"};

struct TableDefinition {
  std::string name;
  std::vector<KeyPart> attributes;
  std::vector<KeyElement> key;
  bool on_demand = false;  // BillingMode PAY_PER_REQUEST
  std::optional<ProvisionedThroughput> throughput;
  std::optional<std::vector<IndexDefinition>> local_indexes;  // present but empty: an error
  std::optional<std::vector<IndexDefinition>> global_indexes;
  std::optional<std::vector<IndexDefinition>> vector_indexes;
};

// These functions read members of a bound request.
std::vector<KeyPart> ReadAttributeDefinitions(const RequestObject& request);
IndexDefinition ReadIndexDefinition(const RequestObject& request, bool is_local);
IndexDefinition ReadVectorIndexDefinition(const RequestObject& request);
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
// Checks that `total`, the sum of ProjectedCount of all indexes of a table, is at most 100 (row
// 29).
Status CheckProjectedTotal(std::size_t total);
// Returns how many projected attributes the index counts as: its NonKeyAttributes, and for a vector
// index also its vector and each filter (docs/service/15-vector-search.md, section 3).
std::size_t ProjectedCount(const IndexDefinition& index);
std::size_t ProjectedCount(const IndexSchema& index);

// The checks of a vector index (docs/service/15-vector-search.md, section 3).
//
// Checks that the billing mode is PAY_PER_REQUEST, as a table with a vector index needs.
Status CheckVectorBilling(bool on_demand);
// Checks that the request defines the attributes of the search schema, and not the vector
// attribute.
Status CheckDefinedForVector(const IndexDefinition& index, const AttributeNames& attributes);
// Checks the dimensions and the search schema of the index.
Status CheckVectorIndex(const IndexDefinition& index);
// Checks that the index has `dimensions`, the dimensions of another index on its vector attribute.
Status CheckSameDimensions(const VectorDefinition& index, std::int64_t dimensions);

// Returns the schema of a key or index whose attributes are all defined.
KeySchema MakeKeySchema(const std::vector<KeyElement>& key, const std::vector<KeyPart>& attributes);
IndexSchema MakeIndexSchema(const IndexDefinition& index, const std::vector<KeyPart>& attributes);
// Returns the attributes that the index needs in AttributeDefinitions: those of its key, and the
// filters of a vector index.
std::vector<KeyPart> AttributesOf(const IndexSchema& index);
// Returns the first version of the index that a request defines, with the types from its
// `attributes`. `on_demand`: the table's billing mode.
IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand);

}  // namespace hashrange
