// ParseCache: every expression a thread has met lately, parsed (text_cache.h).
#pragma once

#include <cstddef>
#include <string_view>

#include "expression/ast.h"
#include "expression/text_cache.h"

namespace hashrange {

// Bytes an Ast takes beyond itself.
std::size_t AstHeapBytes(const Ast& ast);

class ParseCache {
 public:
  explicit ParseCache(std::size_t capacity_bytes = 1 << 20) : cache_(capacity_bytes) {}

  static ParseCache& ThisThread();

  // The Ast of `text`, which is no longer than kMaxExpressionBytes. Valid until the
  // next call: what is bound keeps nothing of it.
  // Cost: one look-up when the text is known.
  const Ast& Parse(Grammar grammar, std::string_view text);

  std::size_t entry_count() const { return cache_.entry_count(); }
  std::size_t size_bytes() const { return cache_.size_bytes(); }

 private:
  TextCache<Grammar, Ast> cache_;
};

}  // namespace hashrange
