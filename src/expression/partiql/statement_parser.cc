#include "expression/partiql/statement_parser.h"

#include <utility>

#include "expression/partiql/keywords.h"

namespace hashrange::partiql {
namespace {

constexpr std::string_view kExpectedDml = "Expected data manipulation";

class StatementParser : public ExpressionParser {
 public:
  explicit StatementParser(std::string_view text) : ExpressionParser(text) {}

  ParsedStatement Parse() {
    // A text that has something other than tokens is malformed, without a detail.
    const bool well_formed = Tokenize(text_, &tokens_) && ParseBody() && ParseEnd();
    out_.is_malformed = !well_formed;
    out_.detail = std::move(detail_);
    out_.text = text_;
    out_.tree = std::move(tree_);
    for (const Token& each : tokens_) {
      out_.parameter_count += each.kind == TokenKind::kParameter;
    }
    return std::move(out_);
  }

 private:
  bool ParseBody() {
    if (OnlyEndFollows()) return Fail("Unexpected term");
    if (Accept(Word::kSelect)) return ParseSelect();
    if (Accept(Word::kUpdate)) return ParseUpdate();
    if (Accept(Word::kDelete)) return ParseDelete();
    if (Accept(Word::kFrom)) return ParseFromFirst();
    if (token().word == Word::kInsert) {
      Advance();
      return Accept(Word::kInto) ? ParseInsert() : Fail("Unexpected keyword");
    }
    const bool is_exists = token().word == Word::kExists && token(1).kind == TokenKind::kOpen &&
                           token(2).word == Word::kSelect;
    if (is_exists) return ParseExists();
    // A statement that only tests a type, `a IS STRING`, is well-formed but not supported.
    if (IsIdentifier() && token(1).word == Word::kIs && ParseExpression() && OnlyEndFollows()) {
      return Unsupported("IsType");
    }
    return Fail(kExpectedDml);
  }

  bool ParseEnd() {
    if (Accept(TokenKind::kSemicolon) && token().kind != TokenKind::kEnd) {
      return Fail("Unexpected token after semicolon. (Only one query is allowed.)");
    }
    return token().kind == TokenKind::kEnd || Fail("Unexpected token after expression");
  }

  // Stores that an operation is not supported. Returns true: the rest of the text is still parsed.
  bool Unsupported(std::string_view what) {
    if (out_.unsupported.empty()) out_.unsupported = "Unsupported operation: " + std::string(what);
    return true;
  }

  bool ParseSelect() {
    out_.kind = StatementKind::kSelect;
    if (Accept(Word::kDistinct)) Unsupported("Distinct");
    Accept(Word::kAll);
    if (!ParseColumns()) return false;
    if (!Accept(Word::kFrom)) return Fail("Expected FROM after SELECT list");
    if (!IsIdentifier()) {
      if (!ParseExpression()) return false;
      Unsupported("FromSource");
    } else {
      if (!ParsePath(false)) return false;
      out_.table = last_node();
      if (!ParseAlias()) return false;
    }
    if (!RefuseJoins() || !ParseWhere()) return false;
    if (token().word == Word::kOrder) return ParseOrderBy();
    return true;
  }

  bool ParseColumns() {
    bool has_star = false;
    std::size_t count = 0;
    do {
      ++count;
      if (Accept(TokenKind::kStar)) {
        has_star = true;
        continue;
      }
      if (!ParseExpression()) return false;
      out_.columns.push_back(last_node());
      if (!ParseAlias()) return false;
    } while (Accept(TokenKind::kComma));
    if (!has_star || count == 1) return true;
    return Fail(
        "Other expressions may not be present in the select list when '*' is used without dot "
        "notation.");
  }

  // The grammar of an alias: [AS] name, AT name, BY name.
  bool ParseAlias() {
    const bool is_marked = Accept(Word::kAs) || Accept(Word::kAt) || Accept(Word::kBy);
    if (!IsIdentifier()) return !is_marked || Fail("Expected identifier for alias");
    out_.has_alias = true;
    Advance();
    return true;
  }

  // Refuses a second table in FROM, which would be a join. The message is that of an INSERT into an
  // index; that a join has the same message is unverified.
  bool RefuseJoins() {
    return token().kind != TokenKind::kComma ||
           Fail("FROM clause may only contain a single table name");
  }

  bool ParseWhere() {
    if (!Accept(Word::kWhere)) return true;
    if (!ParseExpression()) return false;
    out_.where = last_node();
    return true;
  }

  bool ParseOrderBy() {
    Advance();
    if (!Accept(Word::kBy)) return Fail("Expected BY");
    do {
      if (!ParseExpression()) return false;
      ParsedStatement::SortKey key{last_node(), false};
      key.is_descending = token().word == Word::kDesc;
      if (!Accept(Word::kAsc)) Accept(Word::kDesc);
      out_.order_by.push_back(key);
    } while (Accept(TokenKind::kComma));
    return true;
  }

  bool ParseExists() {
    Advance(3);
    if (!ParseSelect()) return false;
    out_.kind = StatementKind::kExists;
    return Accept(TokenKind::kClose) || Fail("Expected RIGHT_PAREN");
  }

  bool ParseTarget() {
    if (!ParsePath(true)) return false;
    out_.table = last_node();
    return ParseAlias();
  }

  bool ParseInsert() {
    out_.kind = StatementKind::kInsert;
    if (!ParsePath(true)) return false;
    out_.table = last_node();
    // PartiQL has an INSERT without VALUE, which DynamoDB does not support. (VALUES is a keyword,
    // at which ParseExpression fails.)
    if (!Accept(Word::kValue)) return ParseExpression() && Unsupported("Insert");
    if (!ParseExpression()) return false;
    out_.item = last_node();
    return ParseReturning();
  }

  bool ParseUpdate() {
    out_.kind = StatementKind::kUpdate;
    return ParseTarget() && ParseAssignments() && ParseWhere() && ParseReturning();
  }

  // The other form of UPDATE: FROM table WHERE … SET ….
  bool ParseFromFirst() {
    out_.kind = StatementKind::kUpdate;
    if (!IsIdentifier()) return ParseExpression() && Fail(kExpectedDml);
    if (!ParsePath(false)) return false;
    out_.table = last_node();
    return ParseAlias() && ParseWhere() && ParseAssignments() && ParseReturning();
  }

  bool ParseDelete() {
    out_.kind = StatementKind::kDelete;
    if (!Accept(Word::kFrom)) return Fail("Expected FROM after DELETE");
    return ParseTarget() && ParseWhere() && ParseReturning();
  }

  // Reads one or more clauses `SET a = b, …` and `REMOVE c, …`, in any order.
  bool ParseAssignments() {
    for (;;) {
      const bool is_set = Accept(Word::kSet);
      if (!is_set && !Accept(Word::kRemove)) break;
      do {
        if (!ParsePath(true)) return false;
        Assignment assignment{last_node(), kNoNode};
        if (is_set) {
          if (token().word != Word::kEqual) return Fail("Expected '='");
          Advance();
          if (!ParseExpression()) return false;
          assignment.value = last_node();
        }
        out_.assignments.push_back(assignment);
      } while (Accept(TokenKind::kComma));
    }
    return !out_.assignments.empty() || Fail(kExpectedDml);
  }

  bool ParseReturning() {
    if (!Accept(Word::kReturning)) return true;
    const bool is_all = Accept(Word::kAll);
    const bool is_known = is_all || Accept(Word::kModified);
    const bool is_old = is_known && Accept(Word::kOld);
    if (!is_old && !(is_known && Accept(Word::kNew))) {
      return Fail("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
    }
    out_.returning = is_all ? (is_old ? Returning::kAllOld : Returning::kAllNew)
                            : (is_old ? Returning::kModifiedOld : Returning::kModifiedNew);
    if (Accept(TokenKind::kStar)) return true;
    return ParseExpression() && Unsupported("ReturningColumn");
  }

  ParsedStatement out_;
};

}  // namespace

ParsedStatement ParseClauses(std::string_view text) { return StatementParser(text).Parse(); }

}  // namespace hashrange::partiql
