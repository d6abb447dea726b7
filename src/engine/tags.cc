#include "engine/tags.h"

#include <algorithm>

namespace hashrange {

bool TagSet::Add(std::span<const Tag> tags) {
  MutexLock lock(mutex_);
  std::vector<Tag> all = tags_;
  for (const Tag& tag : tags) {
    const auto there = std::ranges::find(all, tag.key, &Tag::key);
    if (there == all.end()) {
      if (all.size() == kMaxTags) return false;
      all.push_back(tag);
    } else {
      there->value = tag.value;
    }
  }
  tags_ = std::move(all);
  if (listener_) listener_(tags_);
  return true;
}

void TagSet::Remove(std::span<const std::string> keys) {
  MutexLock lock(mutex_);
  std::erase_if(tags_,
                [&](const Tag& tag) { return std::ranges::find(keys, tag.key) != keys.end(); });
  if (listener_) listener_(tags_);
}

void TagSet::SetListener(Listener listener) {
  MutexLock lock(mutex_);
  listener_ = std::move(listener);
}

std::vector<Tag> TagSet::All() const {
  MutexLock lock(mutex_);
  return tags_;
}

}  // namespace hashrange
