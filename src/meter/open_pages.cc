#include "meter/open_pages.h"

namespace hashrange {

void OpenPages::Put(std::uint64_t place, const PagesSoFar& pages) {
  std::lock_guard lock(mutex_);
  if (open_.insert_or_assign(place, pages).second) order_.push_back(place);
  while (order_.size() > kMax) {
    forgotten_ += open_.erase(order_.front());
    order_.pop_front();
  }
}

std::optional<PagesSoFar> OpenPages::Take(std::uint64_t place) {
  std::lock_guard lock(mutex_);
  const auto found = open_.find(place);
  if (found == open_.end()) return std::nullopt;
  const PagesSoFar pages = found->second;
  open_.erase(found);
  return pages;
}

std::uint64_t OpenPages::forgotten() const {
  std::lock_guard lock(mutex_);
  return forgotten_;
}

}  // namespace hashrange
