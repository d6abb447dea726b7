#include "operation/read/key_interval.h"

#include <algorithm>
#include <string>
#include <vector>

#include "operation/call/error_texts.h"
#include "operation/parameter/item_key.h"

namespace hashrange {
namespace {

const KeyClause* FindClause(std::span<const KeyClause> clauses, std::string_view attribute) {
  const auto clause = std::ranges::find(clauses, attribute, &KeyClause::attribute);
  return clause == clauses.end() ? nullptr : &*clause;
}

Error MissingKeyElement(std::string_view attribute) {
  return ValidationError(
      std::string("Query condition missed key schema element: ").append(attribute));
}

Status CheckClauseValue(const KeyPart& part, const ValueView& value, bool is_hash) {
  if (value.type != part.type) {
    return InvalidParameters("Condition parameter type does not match schema type");
  }
  return CheckKeyValue(part, value, is_hash);
}

Status CheckClauseValues(const KeyPart& part, const KeyClause& clause, bool is_hash) {
  if (clause.op == KeyOperator::kNotIndexable) {
    return ValidationError("Attempted conditional constraint is not an indexable operation");
  }
  // A prefix may be empty, or longer than any key.
  if (clause.op == KeyOperator::kBeginsWith && clause.value.type == part.type) return {};
  HR_RETURN_IF_ERROR(CheckClauseValue(part, clause.value, is_hash));
  if (clause.op == KeyOperator::kBetween) return CheckClauseValue(part, clause.upper, is_hash);
  return {};
}

Status CheckHashClauses(const KeySchema& key, std::span<const KeyClause> clauses,
                        KeyPartCheck before_part) {
  std::vector<std::string_view> without_equality;
  for (const KeyPart& part : key.hash) {
    HR_RETURN_IF_ERROR(before_part(part));
    const KeyClause* clause = FindClause(clauses, part.name);
    if (!clause && key.hash.size() == 1) return MissingKeyElement(part.name);
    if (clause) HR_RETURN_IF_ERROR(CheckClauseValues(part, *clause, true));
    if (clause && clause->op == KeyOperator::kEqual) continue;
    if (key.hash.size() == 1) return ValidationError("Query key condition not supported");
    without_equality.push_back(part.name);
  }
  if (without_equality.empty()) return {};
  return ValidationError("HASH key attributes " + Joined(without_equality) +
                         " must have equality conditions specified in the query");
}

// Every RANGE attribute before the last one that a clause names needs an `=`. When a clause names
// an attribute that is no part of the key, the first RANGE attribute counts as missing.
Status CheckRangeClauses(const KeySchema& key, std::span<const KeyClause> clauses,
                         KeyPartCheck before_part) {
  const bool has_other_attribute = std::ranges::any_of(
      clauses, [&](const KeyClause& clause) { return !key.Find(clause.attribute); });
  std::vector<std::string_view> without_equality;
  for (const KeyPart& part : key.range) {
    HR_RETURN_IF_ERROR(before_part(part));
    if (has_other_attribute) return MissingKeyElement(part.name);
    const KeyClause* clause = FindClause(clauses, part.name);
    if (clause && !without_equality.empty()) {
      return ValidationError("RANGE key attributes " + Joined(without_equality) +
                             " must have equality conditions specified in the query because a "
                             "condition is present on key attribute " +
                             std::string(part.name));
    }
    if (!clause || clause->op != KeyOperator::kEqual) without_equality.push_back(part.name);
    if (clause) HR_RETURN_IF_ERROR(CheckClauseValues(part, *clause, false));
  }
  return {};
}

// Returns the begin and the end of the byte strings that start with `base` and satisfy the clause
// on the part that follows.
std::pair<std::string_view, std::string_view> RangeBytes(std::string_view base,
                                                         const KeyClause& clause, Arena& arena) {
  const auto encode = [&](const ValueView& value) {
    const std::string_view part = EncodeParts({&value, 1}, arena);
    char* bytes = arena.AllocateBytes(base.size() + part.size());
    std::copy(part.begin(), part.end(), std::copy(base.begin(), base.end(), bytes));
    return std::string_view(bytes, base.size() + part.size());
  };
  if (clause.op == KeyOperator::kBeginsWith) {
    const std::string_view prefix = EncodePrefix(base, clause.value.bytes(), arena);
    return {prefix, PrefixEnd(prefix, arena)};
  }
  const std::string_view bound = encode(clause.value);
  switch (clause.op) {
    case KeyOperator::kLess:
      return {base, bound};
    case KeyOperator::kLessOrEqual:
      return {base, PrefixEnd(bound, arena)};
    case KeyOperator::kGreater:
      return {PrefixEnd(bound, arena), PrefixEnd(base, arena)};
    case KeyOperator::kGreaterOrEqual:
      return {bound, PrefixEnd(base, arena)};
    case KeyOperator::kBetween:
      return {bound, PrefixEnd(encode(clause.upper), arena)};
    default:  // kEqual
      return {bound, PrefixEnd(bound, arena)};
  }
}

}  // namespace

Status CheckKeyClauses(const KeySchema& key, std::span<const KeyClause> clauses,
                       KeyPartCheck before_part) {
  if (clauses.size() > key.parts()) {
    return ValidationError("The number of query conditions (" + std::to_string(clauses.size()) +
                           ") exceeds the number of key attributes defined in the schema (" +
                           std::to_string(key.parts()) + ")");
  }
  HR_RETURN_IF_ERROR(CheckHashClauses(key, clauses, before_part));
  return CheckRangeClauses(key, clauses, before_part);
}

KeyInterval KeyIntervalOf(const KeySchema& key, std::span<const KeyClause> clauses, Arena& arena) {
  ValueView parts[kMaxKeyParts];
  std::size_t fixed = 0;
  for (const KeyPart& part : key.hash) {
    parts[fixed++] = FindClause(clauses, part.name)->value;
  }
  KeyInterval result;
  const std::uint64_t hash = HashOfParts({parts, fixed});
  result.hash_bytes = EncodeParts({parts, fixed}, arena);
  const KeyClause* last = nullptr;
  for (const KeyPart& part : key.range) {
    const KeyClause* clause = FindClause(clauses, part.name);
    if (!clause) break;
    result.has_range_condition = true;
    if (clause->op != KeyOperator::kEqual) {
      last = clause;
      break;
    }
    parts[fixed++] = clause->value;
  }
  const std::string_view base = EncodeParts({parts, fixed}, arena);
  std::string_view begin = base;
  std::string_view end = PrefixEnd(base, arena);
  if (last) std::tie(begin, end) = RangeBytes(base, *last, arena);
  result.interval = {.begin = {hash, begin}, .end = Position{hash, end}};
  return result;
}

}  // namespace hashrange
