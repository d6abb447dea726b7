// The checks of table_definition.h that are about one key schema.
#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

#include "operation/call/invalid_parameters.h"
#include "operation/table/table_definition.h"

namespace hashrange {
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

}  // namespace

std::string Bracketed(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) text.append(text.size() > 1 ? ", " : "").append(name);
  return text + "]";
}

AttributeNames::AttributeNames(const std::vector<KeyPart>& attributes) : attributes_(attributes) {
  for (const KeyPart& attribute : attributes) names_.insert(attribute.name);
}

std::string AttributeNames::Text() const {
  std::vector<std::string> names;
  for (const KeyPart& attribute : attributes_) names.push_back(attribute.name);
  return Bracketed(names);
}

Status CheckDefinedOnce(const std::vector<KeyPart>& attributes) {
  std::unordered_set<std::string_view> seen;
  for (const KeyPart& attribute : attributes) {
    if (seen.insert(attribute.name).second) continue;
    return ValidationError("Attribute Name is duplicated: " + attribute.name);
  }
  return {};
}

Status CheckDefined(const std::vector<KeyElement>& key, const AttributeNames& attributes) {
  std::vector<std::string> names;
  bool all_defined = true;
  for (const KeyElement& element : key) {
    names.push_back(element.name);
    all_defined &= attributes.Has(element.name);
  }
  if (all_defined) return {};
  return InvalidParameters(
      "Some index key attributes are not defined in AttributeDefinitions. Keys: " +
      Bracketed(names) + ", AttributeDefinitions: " + attributes.Text());
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

}  // namespace hashrange
