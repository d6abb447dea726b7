#include "expression/parse_cache.h"

#include "base/thread_object.h"
#include "expression/parser.h"

namespace hashrange {
namespace {

Ast ParseText(Grammar grammar, std::string_view text) {
  switch (grammar) {
    case Grammar::kCondition:
      return ParseCondition(text);
    case Grammar::kUpdate:
      return ParseUpdate(text);
    case Grammar::kProjection:
      break;
  }
  return ParseProjection(text);
}

}  // namespace

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
