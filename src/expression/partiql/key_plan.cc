#include "expression/partiql/key_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include "expression/partiql/where_view.h"
#include "value/value_writer.h"

namespace hashrange::partiql {
namespace {

// How a condition requires an equality on the HASH attribute. kNo: an alternative of the condition
// has no such equality. kThroughOr: each side of an OR has such an equality. kDirectly: an equality
// that is in no OR holds for the whole condition. An IN counts as an equality.
enum class Reach : std::uint8_t { kNo, kThroughOr, kDirectly };

Reach ReachOfHash(const WhereView& where, const KeySchema& key, Arena& arena) {
  const std::string& hash = key.hash[0].name;
  const std::span<Reach> reach = arena.NewArray<Reach>(where.ast().nodes.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const auto index = static_cast<std::uint16_t>(i);
    const AstNode& node = where.node(index);
    if (node.kind != AstNode::Kind::kOperator) continue;
    const std::span<const std::uint16_t> children = where.ast().ChildrenOf(node);
    bool is_equality = false;
    if (node.op == Operator::kAnd) {
      reach[i] = std::max(reach[children[0]], reach[children[1]]);
    } else if (node.op == Operator::kOr) {
      const bool is_reached = reach[children[0]] != Reach::kNo && reach[children[1]] != Reach::kNo;
      reach[i] = is_reached ? Reach::kThroughOr : Reach::kNo;
    } else if (node.op == Operator::kIn) {
      is_equality = where.IsKeyIn(index, key) && where.RootAttribute(children[0]) == hash;
    } else if (node.op == Operator::kEqual) {
      const auto clause = where.ClauseOf({index, 0}, key);
      is_equality = clause && clause->attribute == hash;
    }
    if (is_equality) reach[i] = Reach::kDirectly;
  }
  return reach[where.root()];
}

Status CheckType(const KeyPart& part, const ValueView& value) {
  if (value.type == part.type) return {};
  return ValidationError(
      "Key attribute's data type should match its data type in table's schema: Key " + part.name);
}

// Sorts the atoms of one branch into clauses on the key and filters.
class BranchReader {
 public:
  BranchReader(const WhereView& where, const KeySchema& key, std::size_t atoms, Arena& arena)
      : where_(where),
        key_(key),
        clauses_(arena.NewArray<KeyClause>(atoms + 1)),
        filters_(arena.NewArray<std::uint16_t>(atoms)) {}

  Status AddAtom(const Atom& atom) {
    const auto clause = where_.ClauseOf(atom, key_);
    const bool is_hash = clause && clause->attribute == key_.hash[0].name;
    if (!clause || (is_hash && clause->op != KeyOperator::kEqual)) {
      AddFilter(atom.node);
      return {};
    }
    const KeyPart& part = *key_.Find(clause->attribute);
    HR_RETURN_IF_ERROR(CheckType(part, clause->value));
    if (clause->op == KeyOperator::kBetween) HR_RETURN_IF_ERROR(CheckType(part, clause->upper));
    if (!is_hash) {
      if (!IsRepeatedEquality(*clause)) clauses_[++range_clauses_] = *clause;
    } else if (!has_hash_) {
      has_hash_ = true;
      clauses_[0] = *clause;
    } else if (!(clauses_[0].value == clause->value)) {
      branch_.is_empty = true;
    }
    return {};
  }

  KeyBranch Finish() {
    branch_.clauses = clauses_.first(1 + range_clauses_);
    branch_.filters = filters_.first(filter_count_);
    return branch_;
  }

 private:
  // Whether the branch has exactly one clause on the RANGE attribute so far, an equality, and this
  // clause is the same equality. Such a clause is dropped, so that the branch still names one item.
  bool IsRepeatedEquality(const KeyClause& clause) const {
    return clause.op == KeyOperator::kEqual && range_clauses_ == 1 &&
           clauses_[1].op == KeyOperator::kEqual && clauses_[1].value == clause.value;
  }

  void AddFilter(std::uint16_t node) {
    filters_[filter_count_++] = node;
    const bool is_negation =
        where_.IsOperator(node, Operator::kNot) || where_.IsOperator(node, Operator::kNotEqual);
    if (is_negation && !key_.range.empty() && where_.Mentions(node, key_.range[0].name)) {
      branch_.negates_range = true;
    }
  }

  const WhereView& where_;
  const KeySchema& key_;
  const std::span<KeyClause> clauses_;  // the first is the equality on the HASH attribute
  const std::span<std::uint16_t> filters_;
  std::size_t range_clauses_ = 0;  // the number of clauses on the RANGE attribute
  std::size_t filter_count_ = 0;
  bool has_hash_ = false;
  KeyBranch branch_;
};

template <typename Atoms>
Result<KeyBranch> ReadBranch(const WhereView& where, const KeySchema& key, const Atoms& atoms,
                             Arena& arena) {
  BranchReader reader(where, key, atoms.size(), arena);
  for (const Atom& atom : atoms) HR_RETURN_IF_ERROR(reader.AddAtom(atom));
  return reader.Finish();
}

bool FixesWholeKey(const KeyBranch& branch, const KeySchema& key) {
  return !branch.is_empty && branch.clauses.size() == key.parts() &&
         std::ranges::all_of(branch.clauses, [](const KeyClause& clause) {
           return clause.op == KeyOperator::kEqual;
         });
}

// Returns the conditions that AND joins in a WHERE of the form `a AND b AND c`, in which no part is
// an OR, an AND in parentheses, or an IN on a key attribute. Most statements have this form. Empty
// for any other WHERE.
std::span<const Atom> PlainConjuncts(const WhereView& where, const KeySchema& key, Arena& arena) {
  const std::span<Atom> atoms = arena.NewArray<Atom>(where.ast().nodes.size());
  // `a AND b AND c` is parsed as `(a AND b) AND c`: the walk goes down on the left.
  std::size_t count = 0;
  std::uint16_t index = where.root();
  for (;;) {
    const bool is_and = where.IsOperator(index, Operator::kAnd);
    const std::span<const std::uint16_t> children = where.ast().ChildrenOf(where.node(index));
    const std::uint16_t conjunct = is_and ? children[1] : index;
    const bool is_joined =
        where.IsOperator(conjunct, Operator::kAnd) || where.IsOperator(conjunct, Operator::kOr);
    if (is_joined || where.IsKeyIn(conjunct, key)) return {};
    atoms[count++] = {conjunct, 0};
    if (!is_and) break;
    index = children[0];
  }
  std::reverse(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(count));
  return atoms.first(count);
}

}  // namespace

bool ReadPlan::IsOneItem(const KeySchema& key) const {
  return branches.size() == 1 && FixesWholeKey(branches[0], key);
}

bool ReadPlan::IsKeyOnly(const KeySchema& key) const {
  return IsOneItem(key) && branches[0].filters.empty();
}

Result<ReadPlan> PlanRead(const BoundStatement& bound, const KeySchema& key, Arena& arena) {
  const WhereView where(bound);
  ReadPlan plan;
  if (where.ast().nodes.empty()) return plan;
  const Reach reach = ReachOfHash(where, key, arena);
  if (reach == Reach::kNo) return plan;
  plan.is_keyed = true;
  plan.is_through_or = reach == Reach::kThroughOr;
  if (const auto atoms = PlainConjuncts(where, key, arena); !atoms.empty()) {
    const std::span<KeyBranch> branches = arena.NewArray<KeyBranch>(1);
    HR_ASSIGN(branches[0], ReadBranch(where, key, atoms, arena));
    plan.branches = branches;
    return plan;
  }
  HR_ASSIGN(const auto alternatives, BranchesOf(where, key));
  const std::span<KeyBranch> branches = arena.NewArray<KeyBranch>(alternatives.size());
  for (std::size_t i = 0; i < branches.size(); ++i) {
    HR_ASSIGN(branches[i], ReadBranch(where, key, alternatives[i], arena));
  }
  plan.branches = branches;
  return plan;
}

std::span<const std::string_view> AttributesOf(const BoundStatement& bound, std::uint16_t node,
                                               Arena& arena) {
  const WhereView where(bound);
  const std::uint16_t first = where.FirstNode(node);
  const std::span<std::string_view> names =
      arena.NewArray<std::string_view>(static_cast<std::size_t>(node - first) + 1);
  std::size_t count = 0;
  for (std::uint16_t i = first; i <= node; ++i) {
    if (where.node(i).kind == AstNode::Kind::kPath) names[count++] = where.RootAttribute(i);
  }
  return names.first(count);
}

KeyMatch MatchKey(const BoundStatement& bound, const KeySchema& key, Arena& arena) {
  const WhereView where(bound);
  KeyMatch match;
  const std::span<ConditionOperand> rest = arena.Copy(bound.operands);
  const std::span<Attribute> found = arena.NewArray<Attribute>(key.parts());
  std::size_t count = 0;
  for (const std::uint16_t conjunct : where.Conjuncts(arena)) {
    const auto clause = where.ClauseOf({conjunct, 0}, key);
    if (!clause || clause->op != KeyOperator::kEqual ||
        !where.IsOperator(conjunct, Operator::kEqual)) {
      match.has_more = true;
      continue;
    }
    const auto known = std::ranges::find(found.first(count), clause->attribute, &Attribute::name);
    const bool is_new = known == found.first(count).end();
    if (!is_new && !(known->value == clause->value)) {
      match.repeated = key.Find(clause->attribute);
      match.has_more = true;
      continue;
    }
    if (is_new) found[count++] = {clause->attribute, clause->value};
    // The item is found by this equality. In `rest` the equality becomes a comparison of the value
    // with itself, which is always true.
    const std::span<const std::uint16_t> children = where.ast().ChildrenOf(where.node(conjunct));
    for (const std::uint16_t child : children) {
      rest[child].form = ConditionOperand::Form::kKeyValue;
      rest[child].value = clause->value;
    }
  }
  match.is_whole = count == key.parts();
  match.key = SortAttributes(found.first(count));
  match.rest = rest;
  return match;
}

}  // namespace hashrange::partiql
