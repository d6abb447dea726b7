#include "expression/set_arithmetic.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "value/value_writer.h"

namespace hashrange {
namespace {

using Members = std::span<std::string_view>;

Members MembersOf(ValueView set, Arena& arena) {
  const Members members = arena.NewArray<std::string_view>(MemberCount(set));
  SetReader reader(set);
  for (std::string_view& member : members) member = reader.Next();
  return members;
}

// Returns the packed set of members, which are sorted already.
ValueView PackSet(AttributeType type, Members members, Arena& arena) {
  const auto count = static_cast<std::uint32_t>(members.size());
  std::size_t bytes = VarintBytes(count);
  for (const std::string_view member : members) {
    bytes += VarintBytes(static_cast<std::uint32_t>(member.size())) + member.size();
  }
  char* const begin = arena.AllocateBytes(bytes);
  char* out = WriteVarint(count, begin);
  for (const std::string_view member : members) {
    out = WriteVarint(static_cast<std::uint32_t>(member.size()), out);
    out = std::copy(member.begin(), member.end(), out);
  }
  return {type, {begin, bytes}};
}

}  // namespace

ValueView SetUnion(ValueView a, ValueView b, Arena& arena) {
  const Members left = MembersOf(a, arena);
  const Members right = MembersOf(b, arena);
  const Members all = arena.NewArray<std::string_view>(left.size() + right.size());
  const auto end =
      std::set_union(left.begin(), left.end(), right.begin(), right.end(), all.begin());
  return PackSet(a.type, all.first(static_cast<std::size_t>(end - all.begin())), arena);
}

std::optional<ValueView> SetDifference(ValueView from, ValueView taken, Arena& arena) {
  const Members left = MembersOf(from, arena);
  const Members right = MembersOf(taken, arena);
  const Members rest = arena.NewArray<std::string_view>(left.size());
  const auto end =
      std::set_difference(left.begin(), left.end(), right.begin(), right.end(), rest.begin());
  if (end == rest.begin()) return std::nullopt;
  return PackSet(from.type, rest.first(static_cast<std::size_t>(end - rest.begin())), arena);
}

}  // namespace hashrange
