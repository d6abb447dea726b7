#include "expression/parse_cache.h"

#include <utility>

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

template <typename T>
std::size_t BytesOf(const std::vector<T>& vector) {
  return vector.capacity() * sizeof(T);
}

}  // namespace

ParseCache& ParseCache::ThisThread() {
  thread_local ParseCache cache;
  return cache;
}

const Ast& ParseCache::Parse(Grammar grammar, std::string_view text) {
  if (const auto found = by_text_.find(Key{grammar, text}); found != by_text_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->ast;
  }
  entries_.push_front({grammar, std::string(text), ParseText(grammar, text)});
  Entry& entry = entries_.front();
  const Ast& ast = entry.ast;
  entry.size_bytes = sizeof(Entry) + entry.text.capacity() + BytesOf(ast.elements) +
                     BytesOf(ast.nodes) + BytesOf(ast.children) + BytesOf(ast.actions) +
                     ast.error.capacity();
  size_bytes_ += entry.size_bytes;
  by_text_.emplace(Key{grammar, entry.text}, entries_.begin());
  Evict();
  return ast;
}

// The entry just used stays, whatever its size: somebody holds it.
void ParseCache::Evict() {
  while (size_bytes_ > capacity_bytes_ && entries_.size() > 1) {
    const Entry& oldest = entries_.back();
    size_bytes_ -= oldest.size_bytes;
    by_text_.erase(Key{oldest.grammar, oldest.text});
    entries_.pop_back();
  }
}

}  // namespace hashrange
