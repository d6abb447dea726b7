#include "lab/language/data/sibling_draws.h"

namespace hashrange {

SiblingDraws::Family& SiblingDraws::Of(std::uint64_t parent) {
  if (families_ == nullptr) families_ = std::make_unique<std::array<Family, kFamilies>>();
  Family& family = (*families_)[parent % kFamilies];
  if (family.parent != parent) {
    family.parent = parent;
    family.attempts.clear();
    family.values.clear();
  }
  return family;
}

}  // namespace hashrange
