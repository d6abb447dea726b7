#include "operation/select.h"

#include <string>

namespace hashrange {
namespace {

// The projecting member of the request, or empty.
std::string_view ProjectingMember(const RequestObject& request) {
  for (std::string_view name : {"ProjectionExpression", "AttributesToGet"}) {
    if (request.Has(name)) return name;
  }
  return {};
}

Error CannotSpecify(std::string_view member, std::string_view what) {
  return ValidationError(std::string("Cannot specify the ")
                             .append(member)
                             .append(" when choosing to get ")
                             .append(what));
}

}  // namespace

Result<Select> ReadSelect(const RequestObject& request, bool is_query) {
  const auto text = request.String("Select");
  const std::string_view member = ProjectingMember(request);
  if (!text) {
    if (!member.empty()) return Select::kSpecificAttributes;
    return request.Has("IndexName") ? Select::kAllProjectedAttributes : Select::kAllAttributes;
  }
  if (*text == "SPECIFIC_ATTRIBUTES") {
    if (!member.empty()) return Select::kSpecificAttributes;
    return ValidationError(
        std::string(is_query ? "1 validation error detected: " : "")
            .append("Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                    "SPECIFIC_ATTRIBUTES"));
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
  return ValidationError(
      std::string("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
                  "supported for global secondary index ")
          .append(index->schema.name)
          .append(" because its projection type is not ALL"));
}

Status CheckProjectionOfIndex(const TableVersion& table, const IndexVersion* index,
                              const Projection& projection) {
  if (!index || index->schema.is_local) return {};
  std::string missing;
  for (const Path& path : projection.paths()) {
    if (index->schema.Projects(table.key, path[0].name)) continue;
    missing.append(missing.empty() ? "" : ", ").append(path[0].name);
  }
  if (missing.empty()) return {};
  return ValidationError(
      std::string("One or more parameter values were invalid: Global secondary index ")
          .append(index->schema.name)
          .append(" does not project [")
          .append(missing)
          .append("]"));
}

}  // namespace hashrange
