#include "wire/json_members.h"

#include <algorithm>
#include <cstdint>

namespace hashrange {
namespace {

// Above this number of members, repeated names are found by sorting, not by comparing the names of
// all pairs.
constexpr std::size_t kMaxMembersCompared = 32;

// Returns one of 64 bits for a name. Only names with the same bit have to be compared.
std::uint64_t NameBit(std::string_view name) {
  if (name.empty()) return 1;
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  return std::uint64_t{1} << ((first * 7u + last * 13u + name.size()) % 64);
}

bool EveryMemberCounts(std::span<const JsonMember> members, bool keeps_nulls) {
  if (members.size() > kMaxMembersCompared) return false;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].value.is_null() && !keeps_nulls) return false;
    const std::uint64_t bit = NameBit(members[i].name);
    if ((seen & bit) != 0 &&
        std::ranges::find(members.first(i), members[i].name, &JsonMember::name) !=
            members.begin() + static_cast<std::ptrdiff_t>(i)) {
      return false;
    }
    seen |= bit;
  }
  return true;
}

}  // namespace

std::size_t KeepMembersThatCount(std::span<JsonMember> members, bool keeps_nulls, Arena& arena) {
  if (EveryMemberCounts(members, keeps_nulls)) return members.size();
  const std::span<std::uint32_t> order = arena.NewArray<std::uint32_t>(members.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const int compared = members[a].name.compare(members[b].name);
    return compared != 0 ? compared < 0 : a < b;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const JsonMember& member = members[order[i]];
    const bool is_last = i + 1 == order.size() || member.name != members[order[i + 1]].name;
    if (is_last && (keeps_nulls || !member.value.is_null())) order[kept++] = order[i];
  }
  const std::span<std::uint32_t> positions = order.first(kept);
  std::ranges::sort(positions);
  for (std::size_t i = 0; i < kept; ++i) members[i] = members[positions[i]];
  return kept;
}

}  // namespace hashrange
