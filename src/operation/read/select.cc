#include "operation/read/select.h"

#include <algorithm>
#include <vector>

#include "base/stable_sort.h"
#include "operation/call/error_texts.h"

namespace hashrange {
namespace {

// Returns the name of the request's member that is a projection, or an empty one.
std::string_view ProjectingMember(const RequestObject& request) {
  for (std::string_view name : {"ProjectionExpression", "AttributesToGet"}) {
    if (request.Has(name)) return name;
  }
  return {};
}

Error CannotSpecify(std::string_view member, std::string_view what) {
  return ValidationError(
      Concatenated({"Cannot specify the ", member, " when choosing to get ", what}));
}

// Returns the attributes that the paths begin with and that the index does not have, each once.
std::vector<std::string_view> Unprojected(const TableVersion& table, const IndexSchema& index,
                                          std::span<const Path> paths) {
  std::vector<std::string_view> names;
  for (const Path& path : paths) {
    const std::string_view name = path[0].name;
    if (index.Projects(table.key, name) || std::ranges::count(names, name)) continue;
    names.push_back(name);
  }
  return names;
}

}  // namespace

Result<Select> ReadSelect(const RequestObject& request) {
  const auto text = request.String("Select");
  const std::string_view member = ProjectingMember(request);
  if (!text) {
    if (!member.empty()) return Select::kSpecificAttributes;
    return request.Has("IndexName") ? Select::kAllProjectedAttributes : Select::kAllAttributes;
  }
  if (*text == "SPECIFIC_ATTRIBUTES") {
    if (!member.empty()) return Select::kSpecificAttributes;
    return ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  if (!member.empty()) {
    return CannotSpecify(member, *text == "COUNT" ? "only the Count" : *text);
  }
  if (*text == "COUNT") return Select::kCount;
  if (*text == "ALL_ATTRIBUTES") return Select::kAllAttributes;
  if (!request.Has("IndexName")) {
    return ValidationError(
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return Select::kAllProjectedAttributes;
}

Status CheckSelectOfIndex(Select select, const IndexVersion* index) {
  const bool refused = select == Select::kAllAttributes && index && !index->schema.is_local &&
                       index->schema.projection != ProjectionType::kAll;
  if (!refused) return {};
  return InvalidParameters(
      "Select type ALL_ATTRIBUTES is not supported for global secondary index " +
      index->schema.name + " because its projection type is not ALL");
}

Status CheckProjectionOfIndex(const TableVersion& table, const IndexVersion* index,
                              const Projection& projection) {
  if (!index || index->schema.is_local) return {};
  const std::vector<std::string_view> missing =
      Unprojected(table, index->schema, projection.paths());
  if (missing.empty()) return {};
  return InvalidParameters("Global secondary index " + index->schema.name + " does not project [" +
                           Joined(missing) + "]");
}

Status CheckFilterOfIndex(const TableVersion& table, const IndexVersion* index,
                          const Condition& filter) {
  if (!index) return {};
  std::vector<std::string_view> missing = Unprojected(table, index->schema, filter.paths());
  if (missing.empty()) return {};
  StableSort(missing);
  return InvalidParameters("Secondary index " + index->schema.name +
                           " does not project one or more filter attributes: [" + Joined(missing) +
                           "]");
}

}  // namespace hashrange
