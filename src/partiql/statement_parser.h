// StatementParser: the clauses of a statement around their expressions (docs/service/11-partiql.md,
// section 2). What it leaves is as it was written; lowering.h makes a Statement of it.
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
  std::vector<std::uint16_t> columns;  // none: *
  std::uint16_t where = kNoNode;
  struct SortKey {
    std::uint16_t path = kNoNode;
    bool is_descending = false;
  };
  std::vector<SortKey> order_by;
  std::uint16_t item = kNoNode;  // of INSERT
  std::vector<Assignment> assignments;
  Returning returning = Returning::kNone;
  std::size_t parameter_count = 0;
  // A clause of PartiQL that DynamoDB has not; the statement is well-formed with it.
  std::string unsupported;

  bool is_malformed = false;
  std::string detail;  // why
};

ParsedStatement ParseClauses(std::string_view text);

}  // namespace hashrange::partiql
