#include "measure/meter/open_pages.h"

#include <iterator>

namespace hashrange {

void OpenPages::Put(std::uint64_t place, const PagesSoFar& pages) {
  std::lock_guard lock(mutex_);
  MakeRoom(at_);
  auto& there = at_[place];
  there.reserve(there.size() + 1);  // what may fail for want of memory comes first
  calls_.push_back({place, pages});
  there.push_back(std::prev(calls_.end()));
  if (there.size() > kMaxAtPlace) Remove(at_.find(place));
  if (calls_.size() <= kMax) return;
  ++forgotten_;
  Remove(at_.find(calls_.front().place));
}

std::optional<PagesSoFar> OpenPages::Take(std::uint64_t place) {
  std::lock_guard lock(mutex_);
  const auto found = at_.find(place);
  if (found == at_.end() || found->second.empty()) return std::nullopt;
  const PagesSoFar pages = found->second.front()->pages;
  Remove(found);
  return pages;
}

void OpenPages::Remove(CallsByPlace::iterator found) {
  calls_.erase(found->second.front());
  found->second.erase(found->second.begin());
  if (found->second.empty()) at_.erase(found);
}

std::uint64_t OpenPages::forgotten() const {
  std::lock_guard lock(mutex_);
  return forgotten_;
}

}  // namespace hashrange
