#include "expression/partiql/key_plan.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "expression/binding.h"
#include "expression/functions.h"
#include "value/schema.h"
#include "value/value_writer.h"

namespace hashrange::partiql {
namespace {

bool IsKeyComparison(const AstNode& node) {
  if (node.kind == AstNode::Kind::kCall) return node.function->name == "begins_with";
  return node.kind == AstNode::Kind::kOperator && node.op != Operator::kNotEqual &&
         node.op <= Operator::kBetween;
}

// A node of WHERE or, when the node is `a IN (…)` on a key attribute, one value of its list.
struct Atom {
  std::uint16_t node = 0;
  std::uint16_t choice = 0;  // which child is the value; 0: the whole node
};

// Reads the bound WHERE of a statement as comparisons of attributes with values. Immutable.
class WhereView {
 public:
  explicit WhereView(const BoundStatement& bound)
      : ast_(bound.statement->where), operands_(bound.operands) {}

  const Ast& ast() const { return ast_; }
  const AstNode& node(std::uint16_t index) const { return ast_.nodes[index]; }
  std::uint16_t root() const { return static_cast<std::uint16_t>(ast_.nodes.size() - 1); }
  bool IsOperator(std::uint16_t index, Operator op) const {
    return node(index).kind == AstNode::Kind::kOperator && node(index).op == op;
  }

  // Returns the first node of the subtree whose root is `index`. The nodes of the subtree are all
  // those from there to `index`.
  std::uint16_t FirstNode(std::uint16_t index) const;
  // Whether a path of that subtree begins with an attribute for which `is_wanted` is true.
  template <typename Predicate>
  bool Mentions(std::uint16_t index, Predicate is_wanted) const;
  // Returns the attribute with which a path begins.
  std::string_view RootAttribute(std::uint16_t path) const { return operands_[path].path[0].name; }

  // Returns the atom as a clause of a key condition; none when the atom does not compare a whole
  // key attribute with values by an operator that a key condition may have.
  std::optional<KeyClause> ClauseOf(const Atom& atom, const KeySchema& key) const;
  // Whether the node is an IN of values on an attribute of the key.
  bool IsKeyIn(std::uint16_t index, const KeySchema& key) const;

  // Returns the conditions that AND joins below the root, in the order of the text.
  std::span<const std::uint16_t> Conjuncts(Arena& arena) const;

 private:
  bool IsValue(std::uint16_t index) const;
  // Returns the key attribute that the path names; null when the node is no path, or when the path
  // is longer than a name or names no key attribute.
  const KeyPart* KeyPartOf(std::uint16_t index, const KeySchema& key) const;

  const Ast& ast_;
  const std::span<const ConditionOperand> operands_;
};

std::uint16_t WhereView::FirstNode(std::uint16_t index) const {
  for (;;) {
    const AstNode& at = node(index);
    const bool has_children =
        (at.kind == AstNode::Kind::kCall || at.kind == AstNode::Kind::kOperator) && at.count > 0;
    if (!has_children) return index;
    index = ast_.ChildrenOf(at).front();
  }
}

template <typename Predicate>
bool WhereView::Mentions(std::uint16_t index, Predicate is_wanted) const {
  for (std::uint16_t i = FirstNode(index); i <= index; ++i) {
    if (node(i).kind == AstNode::Kind::kPath && is_wanted(RootAttribute(i))) return true;
  }
  return false;
}

bool WhereView::IsValue(std::uint16_t index) const {
  return operands_[index].form == ConditionOperand::Form::kValue;
}

const KeyPart* WhereView::KeyPartOf(std::uint16_t index, const KeySchema& key) const {
  if (node(index).kind != AstNode::Kind::kPath || operands_[index].path.size() != 1) return nullptr;
  return key.Find(RootAttribute(index));
}

std::optional<KeyClause> WhereView::ClauseOf(const Atom& atom, const KeySchema& key) const {
  const AstNode& test = node(atom.node);
  if (atom.choice == 0 && !IsKeyComparison(test)) return std::nullopt;
  const std::span<const std::uint16_t> children = ast_.ChildrenOf(test);
  KeyClause clause;
  if (atom.choice > 0) {
    clause.attribute = RootAttribute(children[0]);
    clause.value = operands_[children[atom.choice]].value;
    return clause;
  }
  const bool is_comparator = test.kind == AstNode::Kind::kOperator && test.op != Operator::kBetween;
  const bool is_mirrored = is_comparator && IsValue(children[0]);
  const KeyPart* const part = KeyPartOf(children[is_mirrored ? 1 : 0], key);
  if (!part || !IsValue(children[is_mirrored ? 0 : 1])) return std::nullopt;
  clause.attribute = part->name;
  clause.value = operands_[children[is_mirrored ? 0 : 1]].value;
  if (test.kind == AstNode::Kind::kCall) {
    clause.op = KeyOperator::kBeginsWith;
  } else if (test.op == Operator::kBetween) {
    if (!IsValue(children[2])) return std::nullopt;
    clause.op = KeyOperator::kBetween;
    clause.upper = operands_[children[2]].value;
  } else {
    clause.op = KeyOperatorOf(test.op, is_mirrored);
  }
  return clause;
}

bool WhereView::IsKeyIn(std::uint16_t index, const KeySchema& key) const {
  if (!IsOperator(index, Operator::kIn)) return false;
  const std::span<const std::uint16_t> children = ast_.ChildrenOf(node(index));
  return KeyPartOf(children[0], key) &&
         std::ranges::all_of(children.subspan(1), [&](auto child) { return IsValue(child); });
}

std::span<const std::uint16_t> WhereView::Conjuncts(Arena& arena) const {
  if (ast_.nodes.empty()) return {};
  const std::span<std::uint16_t> conjuncts = arena.NewArray<std::uint16_t>(ast_.nodes.size());
  const std::span<std::uint16_t> open = arena.NewArray<std::uint16_t>(ast_.nodes.size());
  std::size_t count = 0;
  std::size_t open_count = 1;
  open[0] = root();
  while (open_count > 0) {
    const std::uint16_t index = open[--open_count];
    if (!IsOperator(index, Operator::kAnd)) {
      conjuncts[count++] = index;
      continue;
    }
    open[open_count++] = ast_.ChildrenOf(node(index))[1];
    open[open_count++] = ast_.ChildrenOf(node(index))[0];
  }
  return conjuncts.first(count);
}

// WHERE is split into the branches that OR and IN on key attributes join. A condition that mentions
// no key attribute is not split: it stays one filter.
using Branch = std::vector<Atom>;

// Whether the atom has to be split further: into the sides of AND or OR, or the values of IN.
bool MustBeSplit(const WhereView& where, const Atom& atom, const KeySchema& key) {
  if (atom.choice > 0) return false;
  if (where.IsOperator(atom.node, Operator::kAnd)) return true;
  if (where.IsOperator(atom.node, Operator::kOr)) {
    return where.Mentions(atom.node, [&](std::string_view name) { return key.Find(name); });
  }
  return where.IsKeyIn(atom.node, key);
}

// Returns the alternatives of an atom that must be split; an AND has one, with both of its sides.
std::vector<Branch> AlternativesOf(const WhereView& where, const Atom& atom) {
  const std::span<const std::uint16_t> children = where.ast().ChildrenOf(where.node(atom.node));
  if (where.IsOperator(atom.node, Operator::kAnd)) return {{{children[0], 0}, {children[1], 0}}};
  if (where.IsOperator(atom.node, Operator::kOr)) return {{{children[0], 0}}, {{children[1], 0}}};
  std::vector<Branch> alternatives;
  for (std::size_t i = 1; i < children.size(); ++i) {
    alternatives.push_back({{atom.node, static_cast<std::uint16_t>(i)}});
  }
  return alternatives;
}

// Returns the branches of WHERE, each as the atoms that have to hold. The caller has checked that
// every alternative of WHERE has an equality on the HASH attribute.
// Errors: ValidationException  more than kMaxBranches
Result<std::vector<Branch>> BranchesOf(const WhereView& where, const KeySchema& key) {
  std::vector<Branch> done;
  std::vector<Branch> open = {{{where.root(), 0}}};
  // A split replaces a branch by one or more branches, or by none at an IN of an empty list. Except
  // for such an IN the number never falls: the loop may stop when it is greater than kMaxBranches.
  while (!open.empty() && open.size() + done.size() <= kMaxBranches) {
    Branch branch = std::move(open.back());
    open.pop_back();
    std::size_t at = 0;
    while (at < branch.size() && !MustBeSplit(where, branch[at], key)) ++at;
    if (at == branch.size()) {
      done.push_back(std::move(branch));
      continue;
    }
    const std::vector<Branch> alternatives = AlternativesOf(where, branch[at]);
    for (std::size_t i = alternatives.size(); i-- > 0;) {
      Branch next = branch;
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(at));
      next.insert(next.begin() + static_cast<std::ptrdiff_t>(at), alternatives[i].begin(),
                  alternatives[i].end());
      open.push_back(std::move(next));
    }
  }
  if (open.empty()) return done;
  return ValidationError("Too many decomposed read operations for a given query.");
}

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
    if (!is_negation || key_.range.empty()) return;
    const auto is_range = [&](std::string_view name) { return name == key_.range[0].name; };
    branch_.negates_range |= where_.Mentions(node, is_range);
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
