// A bound update: the operands of SET, and what they give on an item. Pure; all memory
// is the request's arena.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "expression/ast.h"
#include "expression/expression.h"
#include "expression/functions.h"
#include "expression/path.h"
#include "value/item.h"

namespace hashrange {

struct UpdateOperand {
  enum class Form : std::uint8_t { kValue, kPath, kCall, kSum, kDifference };
  Form form = Form::kValue;
  const FunctionRow* function = nullptr;  // kCall
  Path path;                              // kPath
  ValueView value;                        // kValue
  const UpdateOperand* first = nullptr;   // kCall, kSum, kDifference
  const UpdateOperand* second = nullptr;
};

// The item as it was before the update: the stored one, or the attributes of the key.
struct UpdateSource {
  ItemView before;
  std::span<const Attribute> key;
  Arena& arena;

  std::optional<ValueView> FindAttribute(std::string_view name) const;
  std::optional<ValueView> Resolve(Path path) const;
};

// What an operand gives: a value, or several lists to stand end to end. The lists are
// joined once, when the value is stored: appending in a chain copies no list twice.
struct UpdateValue {
  struct ListPart {
    ValueView list;
    ListPart* next = nullptr;
  };
  ValueView value;
  ListPart* first = nullptr;
  ListPart* last = nullptr;
};

// Errors: ValidationException  reference 04, section 8, run time (bare texts)
Result<UpdateValue> Evaluate(const UpdateOperand& operand, const UpdateSource& source);

// Every rule of reference 04, section 8 that needs names and values, rows 4 to 11.
// Errors: ValidationException "Invalid UpdateExpression: …"; of a statement bare
Result<Update> BindUpdateAst(ExpressionKind kind, const Ast& ast, std::string_view text,
                             Placeholders& placeholders, Arena& arena);

// "An operand in the update expression has an incorrect data type"
Error IncorrectOperandType();
// "Item size to update has exceeded the maximum allowed size"
Error UpdatedItemTooLarge();

}  // namespace hashrange
