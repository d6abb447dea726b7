#include "expression/parse_cache.h"

#include "base/memory/thread_object.h"
#include "expression/parser.h"

namespace hashrange {

std::size_t AstHeapBytes(const Ast& ast) {
  return BytesOfVector(ast.elements) + BytesOfVector(ast.nodes) + BytesOfVector(ast.children) +
         BytesOfVector(ast.actions) + ast.error.capacity();
}

ParseCache& ParseCache::ThisThread() { return OfThread<ParseCache>(); }

const Ast& ParseCache::Parse(Grammar grammar, std::string_view text) {
  return cache_.Get(
      grammar, text, [&] { return ParseText(grammar, text); },
      [](const Ast& ast) { return AstHeapBytes(ast); });
}

}  // namespace hashrange
