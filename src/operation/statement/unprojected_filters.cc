#include "operation/statement/unprojected_filters.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "operation/call/invalid_parameters.h"

namespace hashrange {
namespace {

using Names = std::vector<std::string_view>;

// Returns the attributes of the branch's filters that the index does not project, in the order of
// the text.
Names UnprojectedFilters(const partiql::KeyBranch& branch, const LocatedStatement& located,
                         Arena& arena) {
  Names names;
  for (const std::uint16_t filter : branch.filters) {
    for (const std::string_view name : partiql::AttributesOf(located.bound, filter, arena)) {
      if (located.index->schema.Projects(located.table->key, name)) continue;
      if (!std::ranges::count(names, name)) names.push_back(name);
    }
  }
  return names;
}

// Sorts the names like the service, which lists them in the order of a Java HashSet: by the low
// bits of their hash, in a power of two of buckets that is at least a third larger than the number
// of names. The order is right for ASCII names; other names may be listed in another order.
void SortAsHashed(Names* names) {
  std::uint32_t buckets = 16;
  while (names->size() * 4 > buckets * std::size_t{3}) buckets *= 2;
  const auto bucket_of = [&](std::string_view name) {
    std::uint32_t hash = 0;
    for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
    return (hash ^ hash >> 16) & (buckets - 1);
  };
  std::ranges::stable_sort(*names, {}, bucket_of);
}

}  // namespace

Status CheckFiltersAreProjected(const LocatedStatement& located, const partiql::ReadPlan& plan,
                                Arena& arena) {
  if (located.index->schema.projection == ProjectionType::kAll) return {};
  if (plan.branches.empty() || plan.is_through_or) return {};
  const partiql::KeyBranch* greatest = nullptr;
  Names names;
  for (const partiql::KeyBranch& branch : plan.branches) {
    Names missing = UnprojectedFilters(branch, located, arena);
    if (missing.empty()) return {};
    if (greatest && Compare(branch.clauses[0].value, greatest->clauses[0].value) < 0) continue;
    greatest = &branch;
    names = std::move(missing);
  }
  SortAsHashed(&names);
  std::string list;
  for (const std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
  return InvalidParameters("Secondary index " + located.index->schema.name +
                           " does not project one or more filter attributes: [" + list + "]");
}

}  // namespace hashrange
