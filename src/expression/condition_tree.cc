#include "expression/condition_tree.h"

#include <algorithm>

namespace hashrange {
namespace {

bool IsEnd(const ConditionNode* node) {
  return node == &kConditionHolds || node == &kConditionFails;
}

// Returns the first of `node` and the tests after it that is not true of every item that the
// statement may find.
const ConditionNode* SkipKeyTests(const ConditionNode* node) {
  while (!IsEnd(node) && node->operands[0].form == ConditionOperand::Form::kKeyValue) {
    node = node->if_true;
  }
  return node;
}

}  // namespace

ConditionTree::ConditionTree(const ConditionNode* root) {
  const ConditionNode* const first = SkipKeyTests(root);
  is_complete_ = IsEnd(first) || (OrderTests(first) && JoinTests());
}

// Each test is followed, in the order of the text, by one of its two links, and links go forward
// only. So there is one order in which all links go forward, and a search in depth leaves the tests
// in the reverse of this order.
bool ConditionTree::OrderTests(const ConditionNode* root) {
  absl::InlinedVector<const ConditionNode*, 8> seen = {root};
  absl::InlinedVector<const ConditionNode*, 8> open = {root};
  const auto is_new = [&](const ConditionNode* node) {
    return !IsEnd(node) && std::ranges::find(seen, node) == seen.end();
  };
  while (!open.empty()) {
    const ConditionNode* next = SkipKeyTests(open.back()->if_true);
    if (!is_new(next)) next = SkipKeyTests(open.back()->if_false);
    if (!is_new(next)) {
      tests_.push_back(open.back());
      open.pop_back();
      continue;
    }
    if (seen.size() == kMaxTests) {
      tests_ = seen;
      return false;
    }
    seen.push_back(next);
    open.push_back(next);
  }
  std::ranges::reverse(tests_);
  return true;
}

// Joins neighbouring blocks as early as possible. When two blocks are joined, all links to the
// second that come from further left are therefore within the first.
bool ConditionTree::JoinTests() {
  absl::InlinedVector<Block, 8> blocks;
  for (const ConditionNode* test : tests_) {
    Node leaf;
    leaf.test = test;
    blocks.push_back(
        {test, SkipKeyTests(test->if_true), SkipKeyTests(test->if_false), AddNode(leaf, {})});
    while (blocks.size() > 1 && JoinBlocks(&blocks[blocks.size() - 2], blocks.back())) {
      blocks.pop_back();
    }
  }
  if (blocks.size() > 1) return false;
  PlaceNots(blocks.front().if_true == &kConditionFails);
  return true;
}

// One result of the left block leads to the right block; the other result decides. When it leads to
// where the right block leads when false, the blocks are joined by AND; when it leads to where the
// right block leads when true, by OR.
bool ConditionTree::JoinBlocks(Block* left, const Block& right) {
  const bool goes_on_if_true = left->if_true == right.entry;
  if (!goes_on_if_true && left->if_false != right.entry) return false;
  const ConditionNode* const decided = goes_on_if_true ? left->if_false : left->if_true;
  const bool is_and = decided == right.if_false;
  if (!is_and && decided != right.if_true) return false;
  Node node;
  node.op = is_and ? Operator::kAnd : Operator::kOr;
  node.left = left->node;
  node.right = right.node;
  Draft draft;
  // The left side of an AND leads to the right side when it is true, the left side of an OR when
  // it is false.
  draft.negates_left = is_and != goes_on_if_true;
  *left = {left->entry, right.if_true, right.if_false, AddNode(node, draft)};
  return true;
}

std::uint8_t ConditionTree::AddNode(const Node& node, const Draft& draft) {
  const std::size_t index = nodes_.size();
  nodes_.push_back(node);
  drafts_.push_back(draft);
  if (!node.test) {
    const int plain = NotsWithin(index, false);
    const int negated = NotsWithin(index, true);
    drafts_[index].nots[0] = static_cast<std::uint8_t>(std::min(plain, 1 + negated));
    drafts_[index].nots[1] = static_cast<std::uint8_t>(std::min(negated, 1 + plain));
  }
  return static_cast<std::uint8_t>(index);
}

// Returns the number of NOTs in the children of an AND or OR, which is negated by exchanging AND
// and OR and negating both children.
int ConditionTree::NotsWithin(std::size_t node, bool negated) const {
  const Draft& draft = drafts_[node];
  return drafts_[nodes_[node].left].nots[draft.negates_left != negated] +
         drafts_[nodes_[node].right].nots[negated];
}

void ConditionTree::PlaceNots(bool negates_root) {
  // Until a node is reached, `is_negated` says whether its parent uses it negated.
  nodes_.back().is_negated = negates_root;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.test) continue;
    const bool wanted = node.is_negated;
    node.is_negated = NotsWithin(i, wanted) > 1 + NotsWithin(i, !wanted);
    const bool exchanges = wanted != node.is_negated;
    if (exchanges) node.op = node.op == Operator::kAnd ? Operator::kOr : Operator::kAnd;
    nodes_[node.left].is_negated = drafts_[i].negates_left != exchanges;
    nodes_[node.right].is_negated = exchanges;
  }
}

}  // namespace hashrange
