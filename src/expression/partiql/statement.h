// Statement: a PartiQL statement, parsed and lowered to the Asts that expressions have, before its
// parameters are known (docs/service/11-partiql.md, section 2). Text → tokens → syntax tree →
// Statement.
//
//   UPDATE "T" SET n = n + 1 WHERE pk = ? AND a IS MISSING
//     table T · update: an Ast, SET n = n + 1 · where: an Ast, pk = ? AND attribute_not_exists(a)
//     values: 1, the first parameter
//
// Immutable after ParseStatement: any thread may read it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expression/parser.h"
#include "value/attribute_value.h"

namespace hashrange::partiql {

enum class StatementKind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

// The clause RETURNING … *.
enum class Returning : std::uint8_t { kNone, kAllOld, kAllNew, kModifiedOld, kModifiedNew };
// Returns "ALL OLD", …, as messages name it; empty for kNone.
std::string_view ReturningName(Returning returning);

// A value of the statement: a literal or a parameter.
struct StatementValue {
  bool is_parameter = false;
  std::uint16_t parameter = 0;  // the number of the parameter, from 0
  // The type of a literal, and the range of its packed bytes in Statement::literals.
  AttributeType type = AttributeType::kNull;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// An attribute of INSERT: the name is a slice of `names`, `value` the number of its value.
struct InsertedAttribute {
  TextSlice name;
  std::uint16_t value = 0;
};

// One term of ORDER BY.
struct OrderTerm {
  std::string path;
  bool is_attribute = true;  // the path is one name; false: the path has several elements
  bool is_descending = false;
};

struct Statement {
  StatementKind kind = StatementKind::kSelect;
  std::string table;
  std::string index;
  bool has_index = false;

  std::string names;                   // the text that the slices of the Asts refer to
  std::string literals;                // the packed values of all literals
  std::vector<StatementValue> values;  // kValue nodes hold an index of this list
  std::size_t parameter_count = 0;     // the number of ? in the statement

  Ast columns;  // the paths of SELECT, one node each; no nodes: SELECT *
  // The names that the answer uses; empty where a later column has the same name (unverified).
  std::vector<std::string> column_names;
  Ast where;  // no nodes: every item matches
  std::vector<OrderTerm> order_by;
  Ast update;  // the actions of UPDATE
  std::vector<InsertedAttribute> inserted;
  // An argument of set_add or set_delete that has to be a set, and the error when it is not.
  struct SetArgument {
    std::uint16_t value = 0;
    std::string error;
  };
  std::vector<SetArgument> set_arguments;
  Returning returning = Returning::kNone;

  // Two messages, empty without an error, of errors that do not depend on the parameters or the
  // table. `error` is reported before the table is looked up; `is_malformed`: `error` says that the
  // statement was not well formed. `late_error` is reported after the check that a SELECT's index
  // has no key of several attributes.
  std::string error;
  bool is_malformed = false;
  std::string late_error;

  bool is_read() const { return kind == StatementKind::kSelect; }
};

// Returns the statement of `text`, which has at most kMaxStatementBytes. When `error` is not empty,
// the statement cannot be run.
Statement ParseStatement(std::string_view text);

// Returns ParseStatement(text), from a cache if possible. Each thread has a cache of its own; the
// caches are bounded in bytes.
std::shared_ptr<const Statement> CachedStatement(std::string_view text);

}  // namespace hashrange::partiql
