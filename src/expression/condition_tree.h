// ConditionTree: the AND, OR and NOT of a bound condition, restored from its walk of tests.
//
//   [a = ?] ─true→ [b < ?] ─true→ holds                        AND
//      │              └─false→ [c = ?] ─true→ holds          ┌──┴──┐
//      └─false→ fails             └─false→ fails           a = ?   OR
//                                                               ┌──┴──┐
//                                                             b < ? c = ?
//
// Conditions that have the same walk have the same tree, whatever their parentheses and their NOTs
// were: `NOT (a AND b)` and `NOT a OR NOT b` give one tree. Of the trees that a walk may have, it
// is one with few NOTs. The tests by which a statement finds its item are left out. Used by one
// thread; the condition has to live as long as its tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/container/inlined_vector.h"
#include "expression/condition.h"

namespace hashrange {

class ConditionTree {
 public:
  // A condition with more tests has no tree.
  static constexpr std::size_t kMaxTests = 64;

  struct Node {
    const ConditionNode* test = nullptr;  // null: the node is an AND or an OR
    Operator op = Operator::kAnd;         // kAnd, kOr
    bool is_negated = false;              // there is a NOT in front of the node
    std::uint8_t left = 0;                // of an AND or an OR: the indices of its children
    std::uint8_t right = 0;
  };

  // `root`: the first test of the walk. Allocates only for a condition of more than eight tests.
  // Cost: O(n²) for n tests, of which no more than kMaxTests are read.
  explicit ConditionTree(const ConditionNode* root);

  // Returns whether the tree is complete. If not, only tests() may be called.
  bool is_complete() const { return is_complete_; }
  // Returns the tests in the order of the text. When there are more than kMaxTests, these are
  // kMaxTests of them, in an order that depends on the walk only.
  std::span<const ConditionNode* const> tests() const { return tests_; }
  // Returns the nodes; children come before their parents, and the last node is the root. There is
  // none when no test is left.
  std::span<const Node> nodes() const { return nodes_; }

 private:
  // Neighbouring tests that act as one: they are entered at the first of them, and there are two
  // tests or ends that may follow them.
  struct Block {
    const ConditionNode* entry = nullptr;
    const ConditionNode* if_true = nullptr;
    const ConditionNode* if_false = nullptr;
    std::uint8_t node = 0;  // the node that the block became
  };
  // What is known of a node before the NOTs are placed.
  struct Draft {
    bool negates_left = false;      // the left child is used negated
    std::uint8_t nots[2] = {0, 1};  // the NOTs below and at the node: as it is, and negated
  };

  bool OrderTests(const ConditionNode* root);
  bool JoinTests();
  bool JoinBlocks(Block* left, const Block& right);
  std::uint8_t AddNode(const Node& node, const Draft& draft);
  int NotsWithin(std::size_t node, bool negated) const;
  void PlaceNots(bool negates_root);

  absl::InlinedVector<const ConditionNode*, 8> tests_;
  absl::InlinedVector<Node, 16> nodes_;
  absl::InlinedVector<Draft, 16> drafts_;  // one for each node
  bool is_complete_ = false;
};

}  // namespace hashrange
