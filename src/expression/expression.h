// Expressions: text → AST (parsed once, cached per thread) → bound to a request's
// names and values → evaluated on items.
//
//   Bind…(text, placeholders, arena)   applies every rule that needs no table: size, syntax,
//                                      reserved words, undefined names and values, operands,
//                                      overlapping paths
//   then, on each item                 Matches, Apply: pure functions
//
// Errors are ValidationException with the service's text, "Invalid <Kind>: …"
// (docs/service/04-expressions.md, sections 2 to 9); where the service does, the operation puts
// "1 validation error detected: " in front (docs/service/01-wire-protocol.md, section 8). Bound
// expressions are stored in the arena and point into the request: they are valid until the arena is
// reset. Any thread may call Bind…; a bound expression is immutable.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/path.h"
#include "expression/placeholders.h"
#include "value/attribute_value.h"
#include "value/item.h"

namespace hashrange {

// kStatement: a clause of a PartiQL statement (expression/partiql/statement.h); its messages name
// no kind.
enum class ExpressionKind {
  kUpdate,
  kCondition,
  kKeyCondition,
  kFilter,
  kProjection,
  kSearchCondition,
  kStatement
};

// Returns the kind as messages name it, "UpdateExpression", …; empty for kStatement.
std::string_view ExpressionKindName(ExpressionKind kind);

struct ConditionNode;  // expression/condition.h

// A condition or filter. An empty one is always true.
class Condition {
 public:
  Condition() = default;
  explicit Condition(const ConditionNode* root, std::span<const Path> paths)
      : root_(root), paths_(paths) {}

  bool empty() const { return root_ == nullptr; }
  // Returns whether the item satisfies the condition; `item` may be one that does not exist.
  // Never fails.
  bool Matches(ItemView item) const;
  // Returns every path that the condition mentions, in the order of the text.
  std::span<const Path> paths() const { return paths_; }
  // Returns the first test; null when the condition is empty.
  const ConditionNode* root() const { return root_; }

 private:
  const ConditionNode* root_ = nullptr;
  std::span<const Path> paths_;
};

// Returns the bound condition; `kind` is kCondition, kFilter or kSearchCondition.
// Errors: ValidationException "Invalid <Kind>: …"
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
  kNotIndexable,  // a legacy condition that is not allowed on a key; it may have no value
};

// One clause of a key condition, with the attribute on the left: `sk BETWEEN :a AND :b`.
struct KeyClause {
  std::string_view attribute;
  KeyOperator op = KeyOperator::kEqual;
  ValueView value;
  ValueView upper;  // the upper bound of BETWEEN
};

// Returns the clauses of a KeyConditionExpression in the order of the text.
// Errors: ValidationException  stage A (parse) of docs/service/04-expressions.md, section 7. An
//         error of stage B (structure) is stored in `*structure` and no clauses are returned: the
//         service reports it after the errors of the other expressions
//         (docs/service/06-query-and-scan.md, section 3). The operation does stage C.
Result<std::span<const KeyClause>> BindKeyCondition(std::string_view text,
                                                    Placeholders& placeholders, Arena& arena,
                                                    Status* structure);

// The parts of an item that an answer holds. An empty projection is the whole item.
class Projection {
 public:
  Projection() = default;
  Projection(const PathNode* root, std::span<const Path> paths) : root_(root), paths_(paths) {}

  bool empty() const { return root_ == nullptr; }
  std::span<const Path> paths() const { return paths_; }
  // Returns the named parts of the item, ascending by name. A nested part is returned inside the
  // maps and lists that hold it. The chosen elements of a list form a shorter list, without gaps.
  // Paths without a value are left out.
  std::span<const Attribute> Apply(ItemView item, Arena& arena) const;

 private:
  const PathNode* root_ = nullptr;
  std::span<const Path> paths_;
};

// Returns the bound ProjectionExpression.
// Errors: ValidationException "Invalid ProjectionExpression: …"
Result<Projection> BindProjection(std::string_view text, Placeholders& placeholders, Arena& arena);

// Returns a projection of whole top-level attributes (AttributesToGet; an index's projection).
Projection ProjectAttributes(std::span<const std::string_view> names, Arena& arena);

enum class UpdateVerb { kSet, kRemove, kAdd, kDelete };
struct UpdateOperand;  // expression/update.h

struct UpdateAction {
  UpdateVerb verb = UpdateVerb::kSet;
  Path target;
  const UpdateOperand* operand = nullptr;  // SET; null for a PUT of AttributeUpdates
  const ValueView* value = nullptr;        // ADD, DELETE; SET when the operand is one value
};

// Returns the type of the value that an action gives its target, where the bound expression
// determines it without an item: N for `a + :n`, the type of `:s` for `if_not_exists(a, :s)`. None
// for REMOVE, DELETE and the value of a path.
std::optional<AttributeType> GivenType(const UpdateAction& action);

// The syntax in which an update was written. It decides the messages for a stored value of the
// wrong type and for a result that is nested too deep.
enum class UpdateForm { kExpression, kAttributeUpdates, kStatement };

class Update {
 public:
  Update() = default;
  // The update of an UpdateExpression, or of the SET and REMOVE of a statement.
  Update(std::span<const UpdateAction> actions, std::span<const Path> paths, UpdateForm form)
      : actions_(actions), paths_(paths), form_(form) {}
  // The update of a request's AttributeUpdates.
  explicit Update(std::span<const UpdateAction> actions)
      : actions_(actions), form_(UpdateForm::kAttributeUpdates) {}

  // Returns the actions in the order of the text. An update without actions changes nothing but
  // may create the item.
  std::span<const UpdateAction> actions() const { return actions_; }

  // Returns every path that an UpdateExpression mentions, targets and operands, in the order of
  // the text.
  std::span<const Path> paths() const { return paths_; }

  // Returns the statement charge of docs/service/02-types-and-sizes.md, section 8, in bytes: 3 +
  // the charge of each action. The service refuses an UpdateItem whose charge exceeds the largest
  // size of an item. `before` is the stored item: ADD on a set is charged for the members that the
  // set does not have yet.
  std::size_t StatementCharge(ItemView before) const;

  // Returns all attributes of the updated item, ascending by name. `key` has the attributes of
  // the request's Key: when the item does not exist, the update starts from them. Every operand
  // reads the item as it was before the update.
  // Errors: ValidationException  docs/service/04-expressions.md, section 8, run time; for
  //         AttributeUpdates docs/service/09-legacy-api.md, section 5 (both without the prefix
  //         "Invalid …")
  Result<std::span<const Attribute>> Apply(ItemView before, std::span<const Attribute> key,
                                           Arena& arena) const;

  // Returns the targets of all actions, for UPDATED_OLD and UPDATED_NEW.
  Projection Targets(Arena& arena) const;

 private:
  std::span<const UpdateAction> actions_;
  std::span<const Path> paths_;
  UpdateForm form_ = UpdateForm::kExpression;
};

// Returns the ValidationException for an updated item that is larger than an item may be.
Error UpdatedItemTooLarge();

// Returns the bound UpdateExpression.
// Errors: ValidationException "Invalid UpdateExpression: …"
Result<Update> BindUpdate(std::string_view text, Placeholders& placeholders, Arena& arena);

// Returns whether the word, in upper or lower case, is one of the 573 reserved words. A path may
// use such a name only through a placeholder (`#n`).
bool IsReservedWord(std::string_view word);

}  // namespace hashrange
