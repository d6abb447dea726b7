// TagSet: the tags of one table or stream. All versions of a table share one set: no write is
// checked against a tag, so a change of tags publishes no version, locks no partition, makes no
// write start over, and does not affect the transition of a table. Thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/threads.h"

namespace hashrange {

struct Tag {
  std::string key;
  std::string value;
};

class TagSet {
 public:
  static constexpr std::size_t kMaxTags = 50;

  // `tags` have different keys, at most kMaxTags.
  explicit TagSet(std::vector<Tag> tags = {}) : tags_(std::move(tags)) {}

  // Adds tags of different keys, and replaces the value of a key that exists. Returns false, and
  // changes nothing, when the set would have more than kMaxTags.
  bool Add(std::span<const Tag> tags);
  // Removes the tags of these keys; keys without a tag are ignored.
  void Remove(std::span<const std::string> keys);
  // Returns the tags in the order in which their keys were first added.
  std::vector<Tag> All() const;

  // Is told of all tags after each change, while the set is locked: it must not use the set, must
  // be quick and must not fail. It is valid until the set is destroyed.
  using Listener = std::function<void(std::span<const Tag>)>;
  void SetListener(Listener listener);

 private:
  mutable Mutex mutex_;
  std::vector<Tag> tags_;
  Listener listener_;
};

}  // namespace hashrange
