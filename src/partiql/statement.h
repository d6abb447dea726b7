// Statement: a PartiQL statement, parsed and lowered to the forms that expressions have, before
// its parameters are known (reference 11). Text → tokens → syntax tree → Statement.
//
//   UPDATE "T" SET n = n + 1 WHERE pk = ? AND a IS MISSING
//     table T · update: an Ast, SET n = n + 1 · where: an Ast, pk = ? AND attribute_not_exists(a)
//     values: 1, the first parameter
//
// Immutable once made: any thread may read it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expression/ast.h"
#include "value/attribute_type.h"

namespace hashrange::partiql {

enum class StatementKind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

// RETURNING … *.
enum class Returning : std::uint8_t { kNone, kAllOld, kAllNew, kModifiedOld, kModifiedNew };
// "ALL OLD", … as messages name it.
std::string_view ReturningName(Returning returning);

// A value of the statement: a literal, or what a parameter gives.
struct StatementValue {
  bool is_parameter = false;
  std::uint16_t parameter = 0;
  AttributeType type = AttributeType::kNull;  // of a literal; its bytes are in `literals`
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// An attribute of INSERT: its name, a slice of `names`, and the number of its value.
struct InsertedAttribute {
  TextSlice name;
  std::uint16_t value = 0;
};

struct OrderTerm {
  std::string path;
  bool is_attribute = true;  // no longer path
  bool is_descending = false;
};

struct Statement {
  StatementKind kind = StatementKind::kSelect;
  std::string table;
  std::string index;
  bool has_index = false;

  std::string names;                   // what the slices of the Asts are cut from
  std::string literals;                // packed
  std::vector<StatementValue> values;  // as kValue nodes number them
  std::size_t parameter_count = 0;     // the ? of the statement

  Ast columns;  // of SELECT: its nodes are the paths; none: *
  // As the answer has them; empty where a later column has the same name (unverified).
  std::vector<std::string> column_names;
  Ast where;  // no nodes: everything
  std::vector<OrderTerm> order_by;
  Ast update;  // UPDATE: its actions
  std::vector<InsertedAttribute> inserted;
  // Of set_add and set_delete: a value that has to be a set, and what is said when it is not.
  struct SetArgument {
    std::uint16_t value = 0;
    std::string error;
  };
  std::vector<SetArgument> set_arguments;
  Returning returning = Returning::kNone;

  // What is wrong with it whatever its parameters and table are. `is_malformed`: it could not
  // be read at all. `late_error` comes after the look at the index of a SELECT.
  std::string error;
  bool is_malformed = false;
  std::string late_error;

  bool is_read() const { return kind == StatementKind::kSelect; }
};

// Parses `text`, at most kMaxStatementBytes. Always gives a statement; `error` says whether it
// is one that can be run.
Statement ParseStatement(std::string_view text);

// The same from the thread's cache, which is bounded in bytes.
std::shared_ptr<const Statement> CachedStatement(std::string_view text);

}  // namespace hashrange::partiql
