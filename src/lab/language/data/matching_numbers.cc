#include "lab/language/data/matching_numbers.h"

namespace hashrange {
namespace {

constexpr std::uint32_t kHole = 0xffffffff;  // greater than all numbers of instances

}  // namespace

void MatchingNumbers::Add(std::uint64_t number) {
  const auto place = static_cast<std::uint32_t>(numbers_.size());
  if (place_of_.try_emplace(number, place).second) {
    numbers_.push_back(static_cast<std::uint32_t>(number));
  }
}

void MatchingNumbers::Remove(std::uint64_t number) {
  const auto found = place_of_.find(number);
  if (found == place_of_.end()) return;
  numbers_[found->second] = kHole;
  place_of_.erase(found);
  while (!numbers_.empty() && numbers_.back() == kHole) numbers_.pop_back();
  const std::size_t holes = places() - size();
  if (holes > places() / 4) CloseHoles();
}

void MatchingNumbers::CloseHoles() {
  std::uint32_t end = 0;
  for (const std::uint32_t number : numbers_) {
    if (number == kHole) continue;
    place_of_[number] = end;
    numbers_[end++] = number;
  }
  numbers_.resize(end);
}

std::optional<std::uint64_t> MatchingNumbers::At(std::size_t place) const {
  const std::uint32_t number = numbers_[place];
  if (number == kHole) return {};
  return number;
}

}  // namespace hashrange
