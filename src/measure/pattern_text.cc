#include "measure/pattern_text.h"

#include <algorithm>
#include <string_view>

#include "measure/key_tree.h"

namespace hashrange {
namespace {

void AppendKey(const PatternMember& member, std::string* text) {
  const char* before = " where ";
  for (const KeyTerm& term : member.key) {
    text->append(before).append(term.attribute).append(" ").append(term.op).append(" ");
    *text += term.value;
    if (term.op == "BETWEEN") text->append(" and ").append(term.upper);
    before = " and ";
  }
}

void AppendTerms(const PatternMember& member, std::string* text) {
  const bool is_read = member.kind == "get" || member.kind == "query" || member.kind == "scan";
  if (member.consistent) text->append(", consistent");
  if (member.backward) text->append(", backward");
  if (member.counts_only) text->append(", count only");
  if (member.limit > 0) text->append(", limit ").append(std::to_string(member.limit));
  if (!member.update.empty()) text->append(": ").append(member.update);
  if (!member.condition.empty()) {
    text->append(is_read ? ", filter " : ", if ").append(member.condition);
  }
  if (!member.projection.empty()) text->append(", only ").append(member.projection);
}

// The kinds of accesses that an operation makes anyway need no word of their own.
bool SaysKind(std::string_view operation) {
  return operation.starts_with("Batch") || operation.starts_with("Transact") ||
         operation.starts_with("Execute");
}

}  // namespace

std::string ResourceText(const std::string& table, const std::string& index) {
  return index.empty() ? table : table + "/" + index;
}

std::string PatternText(const PatternMeasure& pattern) {
  std::string text = pattern.operation;
  const char* before = " ";
  for (const PatternMember& member : pattern.members) {
    text += before;
    if (SaysKind(pattern.operation)) text.append(member.kind).append(" ");
    text += ResourceText(member.table, member.index);
    AppendKey(member, &text);
    AppendTerms(member, &text);
    before = "; ";
  }
  return text;
}

std::string PatternId(const PatternMeasure& pattern) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr int kLength = 12;
  std::uint64_t hash = HashOfToken(pattern.name + '\n' + PatternText(pattern));
  std::string id;
  for (int i = 0; i < kLength; ++i, hash >>= 4) id += kDigits[hash & 15];
  return id;
}

}  // namespace hashrange
