// A bound update: the operands of SET, and their values on an item. Pure functions; all memory
// is taken from the request's arena.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "expression/functions.h"
#include "expression/parser.h"
#include "expression/path.h"
#include "value/item.h"

namespace hashrange {

struct AstBinding;  // expression/binding.h

struct UpdateOperand {
  enum class Form : std::uint8_t { kValue, kPath, kCall, kSum, kDifference };
  Form form = Form::kValue;
  const FunctionRow* function = nullptr;  // kCall
  Path path;                              // kPath
  ValueView value;                        // kValue
  const UpdateOperand* first = nullptr;   // kCall, kSum, kDifference
  const UpdateOperand* second = nullptr;
};

// The item as it was before the update: `before` or, when that item does not exist, the attributes
// of `key`.
struct UpdateSource {
  ItemView before;
  std::span<const Attribute> key;
  Arena& arena;

  // Each returns the value of the attribute, or the value at the path; none when the item has no
  // such value.
  std::optional<ValueView> FindAttribute(std::string_view name) const;
  std::optional<ValueView> Resolve(Path path) const;
};

// The value of an operand: one value, or a chain of lists that are to be joined. They are joined
// once, when the value is stored, so that nested calls of list_append copy no list twice.
struct UpdateValue {
  struct ListPart {
    ValueView list;
    ListPart* next = nullptr;
  };
  ValueView value;            // ignored when there is a chain
  ListPart* first = nullptr;  // null: there is no chain
  ListPart* last = nullptr;
};

// Returns the value of an operand on an item.
// Errors: ValidationException  docs/service/04-expressions.md, section 8, run time (without the
//         prefix "Invalid …")
Result<UpdateValue> Evaluate(const UpdateOperand& operand, const UpdateSource& source);

// Returns the bound update. Applies every rule of docs/service/04-expressions.md, section 8 that
// needs names and values, rows 4 to 11.
// Errors: ValidationException "Invalid UpdateExpression: …"; for a statement without that prefix
Result<Update> BindUpdateAst(const AstBinding& from);

// Returns the ValidationException for a stored or computed value of the wrong type.
Error IncorrectOperandType();

}  // namespace hashrange
