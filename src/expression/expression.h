// Expressions: text → AST (parsed once, cached per thread) → bound to a request's
// names and values → evaluated on items.
//
//   Bind…(text, placeholders, arena)   every rule that needs no table: size, syntax, reserved
//                                      words, undefined names and values, operands, overlaps
//   then, on each item                 Matches, Apply: pure functions
//
// Errors are ValidationException with the service's text, "Invalid <Kind>: …" (reference
// 04); the operation adds the envelope where its layer has one. Bound expressions live
// in the arena and point into the request: valid until the arena is reset.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "expression/path.h"
#include "expression/placeholders.h"
#include "value/attribute_value.h"
#include "value/item.h"

namespace hashrange {

// kStatement: a clause of a PartiQL statement (partiql/statement.h); its messages name no kind.
enum class ExpressionKind { kUpdate, kCondition, kKeyCondition, kFilter, kProjection, kStatement };

// "UpdateExpression", … as messages name it; empty for kStatement.
std::string_view ExpressionKindName(ExpressionKind kind);

struct ConditionNode;  // expression/condition.h

// A condition or filter. Empty: always true.
class Condition {
 public:
  Condition() = default;
  explicit Condition(const ConditionNode* root, std::span<const Path> paths)
      : root_(root), paths_(paths) {}

  bool empty() const { return root_ == nullptr; }
  // Whether the item (or no item) satisfies it. Two-valued; never fails.
  bool Matches(ItemView item) const;
  // Every path it mentions, in the order of the text.
  std::span<const Path> paths() const { return paths_; }

 private:
  const ConditionNode* root_ = nullptr;
  std::span<const Path> paths_;
};

// `kind` is kCondition or kFilter.
Result<Condition> BindCondition(ExpressionKind kind, std::string_view text,
                                Placeholders& placeholders, Arena& arena);

enum class KeyOperator {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kNotIndexable,  // a legacy condition that no key takes; it may have no value
};

// One clause of a key condition, the attribute first: `sk BETWEEN :a AND :b`.
struct KeyClause {
  std::string_view attribute;
  KeyOperator op = KeyOperator::kEqual;
  ValueView value;
  ValueView upper;  // of BETWEEN
};

// The clauses of a KeyConditionExpression in the order of the text, after stage A (parse) of
// reference 04, section 7. What stage B finds goes to `structure`: the service answers it
// after the other expressions (reference 06, section 3). The operation does stage C.
Result<std::span<const KeyClause>> BindKeyCondition(std::string_view text,
                                                    Placeholders& placeholders, Arena& arena,
                                                    Status* structure);

struct PathNode;  // expression/path_tree.h

// Which parts of an item to return. Empty: all of it.
class Projection {
 public:
  Projection() = default;
  Projection(const PathNode* root, std::span<const Path> paths) : root_(root), paths_(paths) {}

  bool empty() const { return root_ == nullptr; }
  std::span<const Path> paths() const { return paths_; }
  // The named parts, ascending by name: nested maps keep their skeleton, list elements
  // are compacted, paths without a value are left out.
  std::span<const Attribute> Apply(ItemView item, Arena& arena) const;

 private:
  const PathNode* root_ = nullptr;
  std::span<const Path> paths_;
};

Result<Projection> BindProjection(std::string_view text, Placeholders& placeholders, Arena& arena);

// A projection of whole top-level attributes (AttributesToGet; an index's projection).
Projection ProjectAttributes(std::span<const std::string_view> names, Arena& arena);

enum class UpdateVerb { kSet, kRemove, kAdd, kDelete };
struct UpdateOperand;  // expression/update.h

struct UpdateAction {
  UpdateVerb verb = UpdateVerb::kSet;
  Path target;
  const UpdateOperand* operand = nullptr;  // SET
  const ValueView* value = nullptr;        // ADD, DELETE; SET when the operand is one value
};

// The type of what an action gives its target, where the text alone tells: of `a + :n` it is N,
// of `if_not_exists(a, :s)` that of `:s`. None for REMOVE, DELETE and the value of a path.
std::optional<AttributeType> GivenType(const UpdateAction& action);

// What an update was written as. It decides the texts of a stored value's wrong type and of a
// result that is too deep.
enum class UpdateForm { kExpression, kAttributeUpdates, kStatement };

class Update {
 public:
  Update() = default;
  // An UpdateExpression, or the SET and REMOVE of a statement.
  Update(std::span<const UpdateAction> actions, std::span<const Path> paths, UpdateForm form)
      : actions_(actions), paths_(paths), form_(form) {}
  // AttributeUpdates.
  explicit Update(std::span<const UpdateAction> actions)
      : actions_(actions), form_(UpdateForm::kAttributeUpdates) {}

  // In the order of the text. None: the update changes nothing but may create the item.
  std::span<const UpdateAction> actions() const { return actions_; }

  // Every path an UpdateExpression mentions, targets and operands, in the order of the text.
  std::span<const Path> paths() const { return paths_; }

  // The charge of reference 02, section 8, in bytes: 3 + each action's. `before` is the
  // stored item (ADD on a set counts the members actually added).
  std::size_t StatementCharge(ItemView before) const;

  // All attributes of the updated item, ascending by name. `key`: the attributes of the
  // request's Key, from which an item that does not exist starts. Every operand reads
  // the item as it was before.
  // Errors: ValidationException  reference 04, section 8, run time; of AttributeUpdates
  //         reference 09, section 5 (bare texts)
  Result<std::span<const Attribute>> Apply(ItemView before, std::span<const Attribute> key,
                                           Arena& arena) const;

  // The touched paths, for UPDATED_OLD and UPDATED_NEW.
  Projection Targets(Arena& arena) const;

 private:
  std::span<const UpdateAction> actions_;
  std::span<const Path> paths_;
  UpdateForm form_ = UpdateForm::kExpression;
};

Result<Update> BindUpdate(std::string_view text, Placeholders& placeholders, Arena& arena);

// The 573 words that a path may not use bare. Any case.
bool IsReservedWord(std::string_view word);

}  // namespace hashrange
