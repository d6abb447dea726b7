// ParseCache: the expressions that a thread has parsed lately (text_cache.h). Each thread has a
// cache of its own.
#pragma once

#include <cstddef>
#include <string_view>

#include "expression/ast.h"
#include "expression/text_cache.h"

namespace hashrange {

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
