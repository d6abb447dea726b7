#include "operation/statement/read_intervals.h"

#include <algorithm>
#include <vector>

#include "base/stable_sort.h"
#include "operation/parameter/item_key.h"
#include "operation/read/key_interval.h"

namespace hashrange {
namespace {

using partiql::KeyBranch;
using partiql::ReadPlan;

struct Branch {
  ValueView hash;
  KeyRange range;
  bool negates_range = false;
};

// Returns the branch with the interval in which all of its clauses hold.
Result<Branch> ReadBranch(const KeyBranch& from, const KeySchema& key, Arena& arena) {
  const KeyClause& hash = from.clauses[0];
  HR_RETURN_IF_ERROR(CheckKeyValue(key.hash[0], hash.value, true));
  Branch branch{hash.value,
                {KeyIntervalOf(key, {&hash, 1}, arena).interval, from.clauses},
                from.negates_range};
  Interval& whole = branch.range.interval;
  for (const KeyClause& range : from.clauses.subspan(1)) {
    // The prefix of begins_with may be empty, or longer than any key.
    if (range.op != KeyOperator::kBeginsWith) {
      HR_RETURN_IF_ERROR(CheckKeyValue(key.range[0], range.value, false));
    }
    if (range.op == KeyOperator::kBetween) {
      HR_RETURN_IF_ERROR(CheckKeyValue(key.range[0], range.upper, false));
    }
    const KeyClause clauses[] = {hash, range};
    const Interval interval = KeyIntervalOf(key, clauses, arena).interval;
    whole.begin = std::max(whole.begin, interval.begin);
    whole.end = std::min(*whole.end, *interval.end);
  }
  return branch;
}

bool IsEmpty(const Branch& branch) {
  return !(branch.range.interval.begin < *branch.range.interval.end);
}

bool IsBefore(const Branch& a, const Branch& b) {
  if (const int order = Compare(a.hash, b.hash); order != 0) return order < 0;
  return a.range.interval.begin < b.range.interval.begin;
}

// Joins the branches of a partition to one interval when one of them negates a condition on the
// sort key: the service reads such a partition once (observed for the rows, not for the capacity).
void JoinPartitions(const KeySchema& key, std::vector<Branch>* branches, Arena& arena) {
  for (std::size_t i = 0; i < branches->size(); ++i) {
    const auto begin = branches->begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = std::find_if(begin, branches->end(),
                                  [&](const Branch& b) { return !(b.hash == begin->hash); });
    if (end - begin < 2 ||
        std::none_of(begin, end, [](const Branch& b) { return b.negates_range; })) {
      continue;
    }
    const KeyClause hash{key.hash[0].name, KeyOperator::kEqual, begin->hash, {}};
    begin->range = {KeyIntervalOf(key, {&hash, 1}, arena).interval, begin->range.clauses.first(1)};
    branches->erase(begin + 1, end);
  }
}

Status CheckDisjoint(const std::vector<Branch>& branches) {
  for (std::size_t i = 1; i < branches.size(); ++i) {
    const Branch& before = branches[i - 1];
    if (!(before.hash == branches[i].hash)) continue;
    if (branches[i].range.interval.begin < *before.range.interval.end) {
      return ValidationError(
          "Overlapping conditions with range keys are not supported in where clause");
    }
  }
  return {};
}

}  // namespace

Result<ReadOrder> ReadOrderOf(const partiql::Statement& statement, const ReadPlan& plan,
                              const KeySchema& key) {
  ReadOrder order;
  if (statement.order_by.empty()) return order;
  if (statement.where.nodes.empty()) {
    return ValidationError("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  // If ORDER BY does not name the sort key, the sort key descends.
  order.forward = false;
  bool has_hash = false;
  for (const partiql::OrderTerm& term : statement.order_by) {
    const KeyPart* const part = term.is_attribute ? key.Find(term.path) : nullptr;
    if (!part) {
      return ValidationError("Attribute " + term.path +
                             " in ORDER BY clause must be part of the primary key");
    }
    const bool is_hash = part == &key.hash[0];
    if (is_hash) order.hash_descending = term.is_descending;
    if (!is_hash) order.forward = !term.is_descending;
    has_hash |= is_hash;
  }
  if (!plan.is_keyed) {
    return ValidationError(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
        "BY clause.");
  }
  if (plan.branches.empty()) return order;
  const ValueView& first = plan.branches[0].clauses[0].value;
  const bool has_several = std::ranges::any_of(
      plan.branches, [&](const KeyBranch& branch) { return !(branch.clauses[0].value == first); });
  if (!has_several || has_hash) return order;
  return ValidationError(
      "Must have hash key in ORDER BY clause when more than one hash key condition specified in "
      "WHERE clause.");
}

Status CheckOrder(const partiql::Statement& statement, const ReadPlan& plan, const KeySchema& key) {
  const Result<ReadOrder> order = ReadOrderOf(statement, plan, key);
  return order.ok() ? Status() : Status(order.error());
}

Result<Position> PlannedPosition(const ReadPlan& plan, const KeySchema& key, Arena& arena) {
  ValueView values[kMaxTableKeyParts];
  for (std::size_t i = 0; i < key.parts(); ++i) {
    values[i] = plan.branches[0].clauses[i].value;
    HR_RETURN_IF_ERROR(CheckKeyValue(key.part(i), values[i], i < key.hash.size()));
  }
  return TablePosition(key, {values, key.parts()}, arena);
}

Result<std::span<const KeyRange>> KeyRangesOf(const ReadPlan& plan, const KeySchema& key,
                                              const ReadOrder& order, Arena& arena) {
  const std::span<KeyRange> ranges = arena.NewArray<KeyRange>(plan.branches.size());
  if (plan.branches.size() == 1) {
    HR_ASSIGN(const Branch branch, ReadBranch(plan.branches[0], key, arena));
    if (plan.branches[0].is_empty || IsEmpty(branch)) {
      return std::span<const KeyRange>();
    }
    ranges[0] = branch.range;
    return std::span<const KeyRange>(ranges);
  }
  std::vector<Branch> branches;
  for (const KeyBranch& from : plan.branches) {
    HR_ASSIGN(const Branch branch, ReadBranch(from, key, arena));
    if (!IsEmpty(branch) && !from.is_empty) branches.push_back(branch);
  }
  StableSort(branches, IsBefore);
  JoinPartitions(key, &branches, arena);
  HR_RETURN_IF_ERROR(CheckDisjoint(branches));
  if (!order.forward) std::ranges::reverse(branches);
  // The branches now ascend or descend by the whole key. When the partitions go the other way, they
  // are sorted again, and the items of each keep their order.
  if (order.forward == order.hash_descending) {
    StableSort(branches, [&](const Branch& a, const Branch& b) {
      const int by_hash = Compare(a.hash, b.hash);
      return order.hash_descending ? by_hash > 0 : by_hash < 0;
    });
  }
  for (std::size_t i = 0; i < branches.size(); ++i) ranges[i] = branches[i].range;
  return std::span<const KeyRange>(ranges.first(branches.size()));
}

}  // namespace hashrange
