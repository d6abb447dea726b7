#include "operation/table/table_definition.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/stable_sort.h"
#include "operation/call/error_texts.h"

namespace hashrange {

// The functions up to ReadTableDefinition read members of a bound request.

namespace {

AttributeType KeyAttributeType(std::string_view tag) {
  if (tag == "N") return AttributeType::kN;
  return tag == "B" ? AttributeType::kB : AttributeType::kS;
}

std::string TextMember(const RequestObject& request, std::string_view member) {
  return std::string(request.String(member).value_or(""));
}

std::vector<KeyElement> ReadKeySchema(const RequestObject& request) {
  std::vector<KeyElement> key;
  for (const JsonValue& element : request.List("KeySchema")) {
    const RequestObject part(element);
    key.push_back({TextMember(part, "AttributeName"), part.String("KeyType") == "HASH"});
  }
  return key;
}

std::vector<KeyElement> ReadSearchSchema(const RequestObject& request) {
  std::vector<KeyElement> schema;
  for (const JsonValue& element : request.List("SearchSchema")) {
    const RequestObject part(element);
    schema.push_back(
        {TextMember(part, "AttributeName"), part.String("SearchSchemaElementType") == "HASH"});
  }
  return schema;
}

void ReadProjection(const RequestObject& request, IndexDefinition* index) {
  const auto projection = request.Object("Projection");
  if (!projection) return;
  if (const auto type = projection->String("ProjectionType")) index->projection_type = *type;
  if (!projection->Has("NonKeyAttributes")) return;
  index->non_key_attributes.emplace();
  for (const JsonValue& name : projection->List("NonKeyAttributes")) {
    index->non_key_attributes->emplace_back(name.string());
  }
}

// Returns the definitions in the list `member`, each read by `read`; nullopt: there is no list.
template <typename Read>
std::optional<std::vector<IndexDefinition>> ReadIndexes(const RequestObject& request,
                                                        std::string_view member, Read read) {
  if (!request.Has(member)) return std::nullopt;
  std::vector<IndexDefinition> indexes;
  for (const JsonValue& index : request.List(member)) {
    indexes.push_back(read(RequestObject(index)));
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
  ReadProjection(request, &index);
  index.throughput = ReadThroughput(request);
  index.on_demand = ReadOnDemandUnits(request);
  index.warm = ReadWarmUnits(request);
  return index;
}

IndexDefinition ReadVectorIndexDefinition(const RequestObject& request) {
  IndexDefinition index;
  index.name = TextMember(request, "IndexName");
  index.key = ReadSearchSchema(request);
  ReadProjection(request, &index);
  const auto function =
      std::ranges::find(kDistanceFunctionNames, *request.String("DistanceFunction"));
  index.vector = VectorDefinition{
      .attribute = TextMember(*request.Object("VectorAttribute"), "AttributeName"),
      .dimensions = *request.Integer("Dimensions"),
      .function = static_cast<DistanceFunction>(function - kDistanceFunctionNames)};
  return index;
}

TableDefinition ReadTableDefinition(const RequestObject& request) {
  TableDefinition table;
  table.name = TextMember(request, "TableName");
  table.attributes = ReadAttributeDefinitions(request);
  table.key = ReadKeySchema(request);
  table.on_demand = request.String("BillingMode") == "PAY_PER_REQUEST";
  table.throughput = ReadThroughput(request);
  table.local_indexes =
      ReadIndexes(request, "LocalSecondaryIndexes",
                  [](const RequestObject& index) { return ReadIndexDefinition(index, true); });
  table.global_indexes =
      ReadIndexes(request, "GlobalSecondaryIndexes",
                  [](const RequestObject& index) { return ReadIndexDefinition(index, false); });
  table.vector_indexes = ReadIndexes(request, "VectorIndexes", ReadVectorIndexDefinition);
  return table;
}

// The functions up to CheckKeySchema check one key schema.

namespace {

// A multi-attribute key has all HASH attributes before the RANGE attributes, and up to four of each
// (row 28).
Status CheckPartCounts(const std::vector<KeyElement>& key) {
  constexpr std::ptrdiff_t kMaxParts = 4;
  const auto first_range = std::ranges::find(key, false, &KeyElement::is_hash);
  if (std::any_of(first_range, key.end(), [](const KeyElement& e) { return e.is_hash; })) {
    return InvalidParameters(
        "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  if (first_range - key.begin() > kMaxParts) {
    return InvalidParameters(
        "The KeySchema exceeds the maximum allowed number of HASH key attributes");
  }
  if (key.end() - first_range > kMaxParts) {
    return InvalidParameters(
        "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  }
  return {};
}

Status CheckNamesDiffer(const std::vector<KeyElement>& key) {
  std::set<std::string_view> seen;
  for (const KeyElement& element : key) {
    if (seen.insert(element.name).second) continue;
    if (key.size() > 2) {
      return ValidationError("The KeySchema contains multiple key attributes with the same name");
    }
    return ValidationError(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  return {};
}

// Checks that every attribute of the key is defined (row 5).
Status CheckDefined(const std::vector<KeyElement>& key, const AttributeNames& attributes) {
  std::vector<std::string> names;
  bool all_defined = true;
  for (const KeyElement& element : key) {
    names.push_back(element.name);
    all_defined &= attributes.Has(element.name);
  }
  if (all_defined) return {};
  return InvalidParameters(
      "Some index key attributes are not defined in AttributeDefinitions. Keys: [" + Joined(names) +
      "], AttributeDefinitions: " + attributes.Text());
}

}  // namespace

AttributeNames::AttributeNames(const std::vector<KeyPart>& attributes) : attributes_(attributes) {
  for (const KeyPart& attribute : attributes) names_.insert(attribute.name);
}

std::string AttributeNames::Text() const {
  std::vector<std::string> names;
  for (const KeyPart& attribute : attributes_) names.push_back(attribute.name);
  return "[" + Joined(names) + "]";
}

Status CheckDefinedOnce(const std::vector<KeyPart>& attributes) {
  std::unordered_set<std::string_view> seen;
  for (const KeyPart& attribute : attributes) {
    if (seen.insert(attribute.name).second) continue;
    return ValidationError("Attribute Name is duplicated: " + attribute.name);
  }
  return {};
}

Status CheckKeySchema(const std::vector<KeyElement>& key, const AttributeNames& attributes,
                      bool is_global) {
  HR_RETURN_IF_ERROR(CheckDefined(key, attributes));
  HR_RETURN_IF_ERROR(CheckNamesDiffer(key));
  if (!key[0].is_hash) {
    return ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (is_global) return CheckPartCounts(key);
  if (key.size() > 1 && key[1].is_hash) {
    return ValidationError(
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return {};
}

// The functions up to CheckTableDefinition check a whole table and its indexes.

namespace {

constexpr std::size_t kMaxLocalIndexes = 5;
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

// The attributes that keys and search schemas name, each once, in the order in which they are first
// named.
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
  const bool has_indexes = table.local_indexes || table.global_indexes || table.vector_indexes;
  if (has_indexes || table.attributes.size() == table.key.size()) return {};
  return InvalidParameters(
      "Number of attributes in KeySchema does not exactly match number of attributes defined in "
      "AttributeDefinitions");
}

// Checks that each definition is used by a key or a search schema (row 10). The service checks this
// after it has found the attributes of all index keys, and before anything else about the indexes.
Status CheckAllUsed(const TableDefinition& table, const AttributeNames& attributes) {
  UsedNames used;
  used.Add(table.key);
  used.Add(table.local_indexes);
  used.Add(table.global_indexes);
  used.Add(table.vector_indexes);
  for (const KeyPart& attribute : table.attributes) {
    if (used.Has(attribute.name)) continue;
    return InvalidParameters("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                             attributes.Text() + ", keys used: [" + Joined(used.names()) + "]");
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

// Adds the name to `names`, the names of the indexes before it (row 21).
Status CheckNameIsNew(const IndexDefinition& index, std::set<std::string_view>* names) {
  if (names->insert(index.name).second) return {};
  return InvalidParameters("Duplicate index name: " + index.name);
}

Status CheckIndexList(const TableDefinition& table, const std::vector<IndexDefinition>& indexes,
                      const AttributeNames& attributes, std::set<std::string_view>* names) {
  for (const IndexDefinition& index : indexes) {
    HR_RETURN_IF_ERROR(CheckIndexDefinition(index, table, attributes));
    HR_RETURN_IF_ERROR(CheckNameIsNew(index, names));
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
// the attributes of all index keys and search schemas are defined (row 5).
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
  HR_RETURN_IF_ERROR(CheckKeysDefined(table.global_indexes, attributes));
  if (!table.vector_indexes) return {};
  if (table.vector_indexes->empty()) return InvalidParameters("List of VectorIndexes is empty");
  for (const IndexDefinition& index : *table.vector_indexes) {
    HR_RETURN_IF_ERROR(CheckDefinedForVector(index, attributes));
  }
  return {};
}

// Checks the vector indexes. `names`: the names of the other indexes.
Status CheckVectorIndexes(const TableDefinition& table, std::set<std::string_view>* names) {
  if (!table.vector_indexes) return {};
  HR_RETURN_IF_ERROR(CheckVectorBilling(table.on_demand));
  std::map<std::string_view, std::int64_t> dimensions;  // of the vector attributes
  for (const IndexDefinition& index : *table.vector_indexes) {
    HR_RETURN_IF_ERROR(CheckVectorIndex(index));
    HR_RETURN_IF_ERROR(CheckProjection(index));
    const VectorDefinition& vector = *index.vector;
    const auto first = dimensions.try_emplace(vector.attribute, vector.dimensions).first;
    HR_RETURN_IF_ERROR(CheckSameDimensions(vector, first->second));
    HR_RETURN_IF_ERROR(CheckNameIsNew(index, names));
  }
  if (table.vector_indexes->size() <= kMaxVectorIndexes) return {};
  return InvalidParameters("VectorIndex count exceeds the per-table limit of 5");
}

Status CheckIndexes(const TableDefinition& table, const AttributeNames& attributes) {
  std::set<std::string_view> names;  // of all indexes together
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
  return CheckVectorIndexes(table, &names);
}

std::size_t ProjectedTotal(const TableDefinition& table) {
  std::size_t total = 0;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes, &table.vector_indexes}) {
    for (const IndexDefinition& index : indexes->value_or(std::vector<IndexDefinition>())) {
      total += ProjectedCount(index);
    }
  }
  return total;
}

// Returns how many elements of a search schema are HASH, or INLINE_FILTER.
std::size_t CountElements(const IndexDefinition& index, bool are_hash) {
  return static_cast<std::size_t>(std::ranges::count(index.key, are_hash, &KeyElement::is_hash));
}

Error TooManyElements(std::size_t count, std::string_view type, std::size_t most) {
  return InvalidParameters(
      Concatenated({"Value '", std::to_string(count),
                    "' at 'SearchSchema' failed to satisfy constraint: Member must have ", type,
                    " count less than or equal to ", std::to_string(most)}));
}

Status CheckSearchSchema(const IndexDefinition& index) {
  const std::size_t hashes = CountElements(index, true);
  if (hashes > 1) return TooManyElements(hashes, "HASH", 1);
  const std::size_t filters = CountElements(index, false);
  if (filters > kMaxFilters) return TooManyElements(filters, "INLINE_FILTER", kMaxFilters);
  std::set<std::string_view> names;
  for (const KeyElement& element : index.key) {
    if (names.insert(element.name).second) continue;
    return InvalidParameters("SearchSchema contains a duplicate AttributeName");
  }
  return {};
}

Error ConflictingDefinition(std::string_view attribute, std::string_view reason) {
  return InvalidParameters(
      Concatenated({"Conflicting attribute definition for '", attribute, "'. ", reason}));
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

std::size_t ProjectedCount(const IndexDefinition& index) {
  const std::size_t of_vector = index.vector ? 1 + CountElements(index, false) : 0;
  return of_vector + (index.non_key_attributes ? index.non_key_attributes->size() : 0);
}

std::size_t ProjectedCount(const IndexSchema& index) {
  const std::size_t of_vector = index.vector ? 1 + index.vector->filters.size() : 0;
  return of_vector + index.non_key_attributes.size();
}

Status CheckVectorBilling(bool on_demand) {
  if (on_demand) return {};
  return InvalidParameters("Vector indexes are only supported for PAY_PER_REQUEST tables");
}

Status CheckDefinedForVector(const IndexDefinition& index, const AttributeNames& attributes) {
  if (attributes.Has(index.vector->attribute)) {
    return ConflictingDefinition(
        index.vector->attribute,
        "An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.");
  }
  for (const KeyElement& element : index.key) {
    if (attributes.Has(element.name)) continue;
    return InvalidParameters("One element in SearchSchema is not defined in attribute definitions");
  }
  return {};
}

Status CheckVectorIndex(const IndexDefinition& index) {
  if (index.vector->dimensions > kMaxDimensions) {
    return InvalidParameters("Number of dimensions must be between 1 and 4096 inclusive.");
  }
  return CheckSearchSchema(index);
}

Status CheckSameDimensions(const VectorDefinition& index, std::int64_t dimensions) {
  if (index.dimensions == dimensions) return {};
  return ConflictingDefinition(
      index.attribute,
      "All VectorIndexes on the same vector attribute must use the same dimensions.");
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

// The last functions make what the engine stores of checked definitions.

KeySchema MakeKeySchema(const std::vector<KeyElement>& key,
                        const std::vector<KeyPart>& attributes) {
  KeySchema schema;
  for (const KeyElement& element : key) {
    const auto definition = std::ranges::find(attributes, element.name, &KeyPart::name);
    (element.is_hash ? schema.hash : schema.range).push_back(*definition);
  }
  return schema;
}

namespace {

// Moves the filters of a search schema out of `key`, where MakeKeySchema has put them behind the
// HASH element.
VectorSchema MakeVectorSchema(const IndexDefinition& index, KeySchema* key) {
  const auto hash = std::ranges::find(index.key, true, &KeyElement::is_hash);
  return {.attribute = index.vector->attribute,
          .dimensions = static_cast<int>(index.vector->dimensions),
          .function = index.vector->function,
          .filters = std::exchange(key->range, {}),
          .hash_place = hash == index.key.end() ? 0 : static_cast<int>(hash - index.key.begin())};
}

}  // namespace

IndexSchema MakeIndexSchema(const IndexDefinition& index, const std::vector<KeyPart>& attributes) {
  IndexSchema schema;
  schema.name = index.name;
  schema.is_local = index.is_local;
  schema.key = MakeKeySchema(index.key, attributes);
  if (index.vector) schema.vector = MakeVectorSchema(index, &schema.key);
  if (index.projection_type == "KEYS_ONLY") schema.projection = ProjectionType::kKeysOnly;
  if (index.projection_type == "INCLUDE") schema.projection = ProjectionType::kInclude;
  schema.non_key_attributes = index.non_key_attributes.value_or(std::vector<std::string>());
  StableSort(schema.non_key_attributes);
  return schema;
}

std::vector<KeyPart> AttributesOf(const IndexSchema& index) {
  std::vector<KeyPart> attributes;
  for (std::size_t i = 0; i < index.key.parts(); ++i) attributes.push_back(index.key.part(i));
  if (!index.vector) return attributes;
  attributes.insert(attributes.end(), index.vector->filters.begin(), index.vector->filters.end());
  return attributes;
}

IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand) {
  IndexVersion index;
  index.schema = MakeIndexSchema(definition, attributes);
  if (index.schema.is_vector()) return index;  // it has no throughput
  index.throughput = definition.throughput.value_or(ProvisionedThroughput());
  index.on_demand = NewOnDemandThroughput(definition.on_demand);
  index.warm =
      NewWarmThroughput(definition.warm, InitialWarmThroughput(on_demand, index.throughput));
  return index;
}

}  // namespace hashrange
