#include "simulation/partitions/throttling_reason.h"

namespace hashrange {
namespace {

struct LimitName {
  ThrottlingLimit limit;
  std::string_view name;
};
constexpr LimitName kLimits[] = {
    {ThrottlingLimit::kProvisioned, "ProvisionedThroughputExceeded"},
    {ThrottlingLimit::kKeyRange, "KeyRangeThroughputExceeded"},
    {ThrottlingLimit::kMaxOnDemand, "MaxOnDemandThroughputExceeded"},
    {ThrottlingLimit::kAccount, "AccountLimitExceeded"},
};

// Removes the first or the second word from the beginning of `text`. Returns true for the first,
// false for the second, nullopt when `text` begins with neither.
std::optional<bool> TakeFirstOrSecond(std::string_view* text, std::string_view first,
                                      std::string_view second) {
  const bool is_first = text->starts_with(first);
  if (!is_first && !text->starts_with(second)) return std::nullopt;
  text->remove_prefix(is_first ? first.size() : second.size());
  return is_first;
}

}  // namespace

std::string ThrottlingReasonName(const ThrottlingReason& reason) {
  std::string name = reason.is_index ? "Index" : "Table";
  name += reason.is_write ? "Write" : "Read";
  for (const LimitName& row : kLimits) {
    if (row.limit == reason.limit) name += row.name;
  }
  return name;
}

std::optional<ThrottlingReason> ParseThrottlingReason(std::string_view name) {
  const auto is_index = TakeFirstOrSecond(&name, "Index", "Table");
  if (!is_index) return std::nullopt;
  const auto is_write = TakeFirstOrSecond(&name, "Write", "Read");
  if (!is_write) return std::nullopt;
  for (const LimitName& row : kLimits) {
    if (row.name == name) return ThrottlingReason{*is_index, *is_write, row.limit};
  }
  return std::nullopt;
}

}  // namespace hashrange
