#include "measure/meter/pattern_table.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/stable_sort.h"
#include "measure/pattern_sums.h"

namespace hashrange {

void RequestSizes::Add(const RequestSizes& other) {
  read_units += other.read_units;
  write_units += other.write_units;
  items_examined += other.items_examined;
  items_returned += other.items_returned;
  bytes_examined += other.bytes_examined;
  bytes_returned += other.bytes_returned;
  reads |= other.reads;
  writes |= other.writes;
}

void AddRequestSizes(const RequestSizes& sizes, CallSizes* counted) {
  if (sizes.writes) counted->write_units.Add(sizes.write_units);
  if (!sizes.reads) return;
  counted->read_units.Add(sizes.read_units);
  counted->items_examined.Add(sizes.items_examined);
  counted->items_returned.Add(sizes.items_returned);
  counted->bytes_examined.Add(sizes.bytes_examined);
  counted->bytes_returned.Add(sizes.bytes_returned);
}

void PatternCounters::Add(const PatternCounters& other) {
  AddFigures(counts, other.counts);
  AddCounts(counts.errors, other.counts.errors);
  AddCounts(counts.throttles, other.counts.throttles);
  AddCounts(counts.callers, other.counts.callers);
  units.Add(other.units);
  AddSizes(pages, other.pages);
  AddSizes(parts, other.parts);
  AddSizes(wholes, other.wholes);
  whole_pages.Add(other.whole_pages);
  part_pages.Add(other.part_pages);
  microseconds.Add(other.microseconds);
}

std::uint64_t MemberIdentity::Hash() const {
  std::uint64_t hash = MixHashes(shape, resource);
  for (const KeyTree::NodeId node : nodes) hash = MixHashes(hash, node);
  return hash;
}

PatternTable::PatternTable() {
  patterns_.emplace_back();
  patterns_[kOther].identity.operation = kOtherOperation;
}

std::uint64_t PatternTable::HashOf(std::string_view operation, std::string_view name,
                                   std::span<const MemberIdentity> members) {
  const auto place = reinterpret_cast<std::uintptr_t>(operation.data());
  std::uint64_t hash = MixHashes(place, name.empty() ? 0 : HashOfToken(name));
  if (members.size() == 1) return MixHashes(hash, members[0].Hash());
  hashes_.clear();
  for (const MemberIdentity& member : members) {
    if (member.is_counted()) hashes_.push_back(member.Hash());
  }
  std::ranges::sort(hashes_);
  const auto repeats = std::ranges::unique(hashes_);
  hashes_.erase(repeats.begin(), repeats.end());
  for (const std::uint64_t member : hashes_) hash = MixHashes(hash, member);
  return hash;
}

PatternTable::Number PatternTable::NumberOf(std::string_view operation, std::string_view name,
                                            std::span<const MemberIdentity> members, bool may_add) {
  const std::uint64_t hash = HashOf(operation, name, members);
  const auto found = numbers_.find(hash);
  if (found != numbers_.end()) return found->second;
  const bool is_full = patterns_.size() - other_names_ > kMaxPatterns;
  if (is_full || !may_add) return OtherOf(name, may_add);
  const Number number = Add(hash, operation, name);
  std::vector<MemberIdentity>& kept = patterns_[number].identity.members;
  std::ranges::copy_if(members, std::back_inserter(kept), &MemberIdentity::is_counted);
  StableSort(kept, std::less<>());
  const auto repeats = std::ranges::unique(kept);
  kept.erase(repeats.begin(), repeats.end());
  return number;
}

PatternTable::Number PatternTable::OtherOf(std::string_view name, bool may_add) {
  if (name.empty()) return kOther;
  const std::uint64_t hash = HashOf(kOtherOperation, name, {});
  const auto found = numbers_.find(hash);
  if (found != numbers_.end()) return found->second;
  if (other_names_ == kMaxOtherNames || !may_add) return kOther;
  ++other_names_;
  return Add(hash, kOtherOperation, name);
}

PatternTable::Number PatternTable::Add(std::uint64_t hash, std::string_view operation,
                                       std::string_view name) {
  const auto number = static_cast<Number>(patterns_.size());
  MakeRoom(numbers_);
  numbers_.emplace(hash, number);
  patterns_.emplace_back().identity = {operation, std::string(name), {}};
  return number;
}

}  // namespace hashrange
