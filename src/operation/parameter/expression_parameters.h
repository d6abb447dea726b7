// Expression parameters: the expressions of a request, the names and values they share,
// and the order in which the service checks them (docs/service/04-expressions.md, section 2; the
// rows below are the rows of its table). Pure functions; any thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "engine/table_version.h"
#include "expression/expression.h"
#include "wire/binder.h"
#include "wire/validation_layer.h"

namespace hashrange {

// The expressions of one request, or of one member of a batch or transaction.
struct ExpressionParameters {
  std::optional<std::string_view> update;
  std::optional<std::string_view> condition;
  std::optional<std::string_view> key_condition;
  std::optional<std::string_view> filter;
  std::optional<std::string_view> projection;
  std::optional<std::string_view> search_condition;
  const JsonValue* names = nullptr;   // ExpressionAttributeNames
  const JsonValue* values = nullptr;  // ExpressionAttributeValues

  bool any() const {
    return update || condition || key_condition || filter || projection || search_condition;
  }
};

// Returns the request's expressions of these kinds, the names, and the values if one of the kinds
// can use values. Expressions of other kinds are not members of the operation: they are ignored,
// whatever they hold.
ExpressionParameters ReadExpressionParameters(const RequestObject& request,
                                              std::initializer_list<ExpressionKind> kinds);

// Makes the checks of rows 1 to 3: an expression must not be together with a legacy member, and
// names or values must not be without an expression.
// `legacy`: the operation's legacy members, in the order in which the message lists them.
// `value_users`: the operation's kinds of expressions that can use values; the older layer's
// message ends with these.
// Errors: ValidationException, enveloped by layer
Status CheckExpressionParameters(const RequestObject& request, const ExpressionParameters& texts,
                                 ValidationLayer layer,
                                 std::initializer_list<std::string_view> legacy,
                                 std::initializer_list<ExpressionKind> value_users);

// The bound expressions of a request. For an expression that the request does not have, the member
// is a condition that is always true, an update without actions, a projection of the whole item.
struct BoundExpressions {
  Update update;
  Condition condition;
  std::span<const KeyClause> key_condition;
  Condition filter;
  Projection projection;
  Condition search_condition;
  // The placeholders of the request and what each one stands for.
  std::span<const Placeholders::NameEntry> names;
  std::span<const Placeholders::ValueEntry> values;
};

// The nesting levels that an expression value of a transaction may have: one more than an item's.
inline constexpr int kMaxTransactionValueLevels = kMaxDepth + 1;

// Returns the bound expressions: binds the names, the values and every expression, and checks that
// each placeholder is used (rows 5 to 12).
// Errors: ValidationException, enveloped by layer
Result<BoundExpressions> BindExpressions(const ExpressionParameters& texts, ValidationLayer layer,
                                         Arena& arena, int max_value_levels = kMaxDepth);

// Checks that no path leads below a key attribute of the table or of any of its indexes: a key
// attribute is always a scalar (docs/service/04-expressions.md, section 5).
// Errors: ValidationException "Key attributes must be scalars; …", never enveloped
Status CheckKeyPathsAreScalar(std::span<const Path> paths, const TableVersion& table);

}  // namespace hashrange
