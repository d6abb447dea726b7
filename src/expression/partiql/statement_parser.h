// ParseClauses: reads the clauses of a statement, SELECT, FROM, WHERE, SET and so on; an
// ExpressionParser reads the expressions in them (docs/service/11-partiql.md, section 2). The
// result is the statement as it was written; ParseStatement (statement.h) turns it into a
// Statement. A pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/partiql/expression_parser.h"
#include "expression/partiql/statement.h"
#include "expression/partiql/syntax_tree.h"

namespace hashrange::partiql {

inline constexpr std::uint16_t kNoNode = 0xFFFF;

// One `target = value` of SET, or the target of REMOVE.
struct Assignment {
  std::uint16_t target = kNoNode;
  std::uint16_t value = kNoNode;  // kNoNode: REMOVE
};

// A statement as it was written. Numbers of nodes are indices of `tree`; kNoNode: the statement has
// no such clause.
struct ParsedStatement {
  StatementKind kind = StatementKind::kSelect;
  std::string_view text;
  SyntaxTree tree;
  std::uint16_t table = kNoNode;
  bool has_alias = false;
  std::vector<std::uint16_t> columns;  // empty: SELECT *
  std::uint16_t where = kNoNode;
  struct SortKey {
    std::uint16_t path = kNoNode;
    bool is_descending = false;
  };
  std::vector<SortKey> order_by;
  std::uint16_t item = kNoNode;  // the value of INSERT
  std::vector<Assignment> assignments;
  Returning returning = Returning::kNone;
  std::size_t parameter_count = 0;
  // The error of a clause that PartiQL has and DynamoDB does not support. The statement is still
  // well-formed.
  std::string unsupported;

  bool is_malformed = false;
  std::string detail;  // why it is malformed
};

// Returns the clauses of `text`, which has at most kMaxStatementBytes. The result points into the
// text.
ParsedStatement ParseClauses(std::string_view text);

}  // namespace hashrange::partiql
