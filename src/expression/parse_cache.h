// ParseCache: every expression a thread has met lately, parsed. One for each thread, so
// there is no lock; bounded in bytes, the least recently used leaves first.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "expression/ast.h"

namespace hashrange {

class ParseCache {
 public:
  explicit ParseCache(std::size_t capacity_bytes = 1 << 20) : capacity_bytes_(capacity_bytes) {}
  ParseCache(const ParseCache&) = delete;
  ParseCache& operator=(const ParseCache&) = delete;

  static ParseCache& ThisThread();

  // The Ast of `text`, which is no longer than kMaxExpressionBytes. Valid until the
  // next call: what is bound keeps nothing of it.
  // Cost: one look-up when the text is known.
  const Ast& Parse(Grammar grammar, std::string_view text);

  std::size_t entry_count() const { return entries_.size(); }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  struct Key {
    Grammar grammar;
    std::string_view text;
    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), static_cast<int>(key.grammar), key.text);
    }
  };
  struct Entry {
    Grammar grammar;
    std::string text;
    Ast ast;
    std::size_t size_bytes = 0;
  };

  void Evict();

  const std::size_t capacity_bytes_;
  std::size_t size_bytes_ = 0;
  std::list<Entry> entries_;                                      // the latest used first
  absl::flat_hash_map<Key, std::list<Entry>::iterator> by_text_;  // keys view the entries' texts
};

}  // namespace hashrange
