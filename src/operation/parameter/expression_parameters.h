// Expression parameters: the expressions of a request, the names and values they share,
// and the order in which the service checks them (docs/service/04-expressions.md, section 2).
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/arena.h"
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
  const JsonValue* names = nullptr;   // ExpressionAttributeNames
  const JsonValue* values = nullptr;  // ExpressionAttributeValues

  bool any() const { return update || condition || key_condition || filter || projection; }
};

// Reads whichever of the expressions of these kinds the request has, with their names and,
// where one of the kinds can use them, values. Members of other kinds are no members of the
// operation: they are ignored, whatever they are.
ExpressionParameters ReadExpressionParameters(const RequestObject& request,
                                              std::initializer_list<ExpressionKind> kinds);

// Rows 1 to 3: expressions beside their legacy rivals, names or values without an
// expression. `legacy`: the rival members an operation has, in the order the message
// lists them. `value_users`: the expressions of the operation that can use values, for
// the older layer's suffix.
// Errors: ValidationException, enveloped by layer
Status CheckExpressionParameters(const RequestObject& request, const ExpressionParameters& texts,
                                 ValidationLayer layer,
                                 std::initializer_list<std::string_view> legacy,
                                 std::initializer_list<ExpressionKind> value_users);

struct BoundExpressions {
  Update update;
  Condition condition;
  std::span<const KeyClause> key_condition;
  Condition filter;
  Projection projection;
  // What the placeholders stood for.
  std::span<const Placeholders::NameEntry> names;
  std::span<const Placeholders::ValueEntry> values;
};

// Levels an expression value of a transaction may have: one more than an item's.
inline constexpr int kMaxTransactionValueLevels = kMaxDepth + 1;

// Rows 5 to 12: names, values, every expression, and what none of them uses.
// Errors: ValidationException, enveloped by layer
Result<BoundExpressions> BindExpressions(const ExpressionParameters& texts, ValidationLayer layer,
                                         Arena& arena, int max_value_levels = kMaxDepth);

// A path that goes deeper than a key attribute of the table or of any of its indexes, which
// is a scalar (docs/service/04-expressions.md, section 5: bare, after the table is found).
// Errors: ValidationException "Key attributes must be scalars; …"
Status CheckKeyPathsAreScalar(std::span<const Path> paths, const TableVersion& table);

}  // namespace hashrange
