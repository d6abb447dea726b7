// Splits WHERE into the branches that OR and IN on key attributes join. A condition that
// mentions no key attribute is not split: it stays one filter.
#include "expression/partiql/where_view.h"

namespace hashrange::partiql {
namespace {

using Branch = std::vector<Atom>;

// Whether the atom has to be split further: into the sides of AND or OR, or the values of IN.
bool MustBeSplit(const WhereView& where, const Atom& atom, const KeySchema& key) {
  if (atom.choice > 0) return false;
  if (where.IsOperator(atom.node, Operator::kAnd)) return true;
  if (where.IsOperator(atom.node, Operator::kOr)) return where.Mentions(atom.node, key);
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

}  // namespace

Result<std::vector<std::vector<Atom>>> BranchesOf(const WhereView& where, const KeySchema& key) {
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

}  // namespace hashrange::partiql
