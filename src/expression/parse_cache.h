// The texts that a thread has parsed lately, with the results of the parsing: ParseCache for
// expressions, TextCache for any language. Each thread has caches of its own, so that no lock is
// needed.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/memory/memory_reserve.h"
#include "expression/parser.h"

namespace hashrange {

// A cache that is bounded in bytes; the least recently used entry is evicted first. `Tag`
// distinguishes the languages that a text may be parsed as; it converts to int.
template <typename Tag, typename Parsed>
class TextCache {
 public:
  explicit TextCache(std::size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}
  TextCache(const TextCache&) = delete;
  TextCache& operator=(const TextCache&) = delete;

  // Returns the parsed text, valid until the next call. A text that is not in the cache is parsed
  // by `parse`; `bytes_of` returns the bytes that a result has allocated, its own size not counted.
  // Cost: one look-up when the text is in the cache.
  template <typename Parse, typename BytesOf>
  const Parsed& Get(Tag tag, std::string_view text, Parse parse, BytesOf bytes_of) {
    if (const auto found = by_text_.find(Key{tag, text}); found != by_text_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return found->second->parsed;
    }
    // First all that may fail, for want of memory.
    std::list<Entry> added;
    added.push_front({tag, std::string(text), parse()});
    MakeRoom(by_text_);
    entries_.splice(entries_.begin(), added);
    Entry& entry = entries_.front();
    entry.size_bytes = sizeof(Entry) + entry.text.capacity() + bytes_of(entry.parsed);
    size_bytes_ += entry.size_bytes;
    by_text_.emplace(Key{tag, entry.text}, entries_.begin());
    Evict();
    return entry.parsed;
  }

  std::size_t entry_count() const { return entries_.size(); }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  struct Key {
    Tag tag;
    std::string_view text;
    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), static_cast<int>(key.tag), key.text);
    }
  };
  struct Entry {
    Tag tag;
    std::string text;
    Parsed parsed;
    std::size_t size_bytes = 0;
  };

  // The entry that was just used is kept, whatever its size: Get returns it to its caller.
  void Evict() {
    while (size_bytes_ > capacity_bytes_ && entries_.size() > 1) {
      const Entry& oldest = entries_.back();
      size_bytes_ -= oldest.size_bytes;
      by_text_.erase(Key{oldest.tag, oldest.text});
      entries_.pop_back();
    }
  }

  const std::size_t capacity_bytes_;
  std::size_t size_bytes_ = 0;
  std::list<Entry> entries_;  // most recently used first
  // The keys view the texts of the entries.
  using Place = typename std::list<Entry>::iterator;
  using Usual = absl::flat_hash_map<Key, Place>;
  absl::flat_hash_map<Key, Place, typename Usual::hasher, typename Usual::key_equal,
                      ReservedAllocator<std::pair<const Key, Place>, MemoryPart::kLookups>>
      by_text_;
};

// Returns the bytes that a vector has allocated.
template <typename T>
std::size_t BytesOfVector(const std::vector<T>& vector) {
  return vector.capacity() * sizeof(T);
}
// Returns the bytes that an Ast has allocated, its own size not counted.
std::size_t AstHeapBytes(const Ast& ast);

class ParseCache {
 public:
  explicit ParseCache(std::size_t capacity_bytes = 1 << 20) : cache_(capacity_bytes) {}

  // Returns the cache of the calling thread.
  static ParseCache& ThisThread();

  // Returns the Ast of `text`, which has at most kMaxExpressionBytes. The Ast is valid until the
  // next call: bound expressions do not point into it.
  // Cost: one look-up when the text is known.
  const Ast& Parse(Grammar grammar, std::string_view text);

  std::size_t entry_count() const { return cache_.entry_count(); }
  std::size_t size_bytes() const { return cache_.size_bytes(); }

 private:
  TextCache<Grammar, Ast> cache_;
};

}  // namespace hashrange
