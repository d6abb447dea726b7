// ParseClauses: reads the clauses of a statement around their expressions
// (docs/service/11-partiql.md, section 2). The result is the statement as it was written;
// ParseStatement (statement.h) makes a Statement of it. A pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partiql/expression_parser.h"
#include "partiql/statement.h"
#include "partiql/syntax_tree.h"

namespace hashrange::partiql {

inline constexpr std::uint16_t kNoNode = 0xFFFF;

// One `target = value` of SET, or the target of REMOVE.
struct Assignment {
  std::uint16_t target = kNoNode;
  std::uint16_t value = kNoNode;  // kNoNode: REMOVE
};

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

// Returns the clauses of `text`, at most kMaxStatementBytes.
ParsedStatement ParseClauses(std::string_view text);

}  // namespace hashrange::partiql
