// TagSet: the tags of one table, which all of its versions share. A tag is nothing that a
// write is checked against, so tagging publishes no version: no partition is locked, no
// write has to start over, and a table in transition keeps what it will become. Thread-safe.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

  // Adds tags of different keys; the value of a key that is there is replaced. False, and
  // nothing changed, when there would be more than kMaxTags then.
  bool Add(std::span<const Tag> tags);
  // A key that is not there is left out.
  void Remove(std::span<const std::string> keys);
  // In the order in which their keys were first added.
  std::vector<Tag> All() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Tag> tags_;
};

}  // namespace hashrange
