#include "expression/partiql/statement_parser.h"

#include <utility>

#include "base/text/short_text.h"

namespace hashrange::partiql {
namespace {

// A cursor over the tokens of a statement, and the parsing of paths and of expressions, with the
// precedence of operators that the public PartiQL grammar defines. Nothing recurses: nesting is a
// stack of frames in memory, at most as deep as the text is long.
class ExpressionParser {
 public:
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

 protected:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  // A parsing step returns whether the text is still well-formed; when it is not, `detail_` says
  // why, in the words of docs/service/11-partiql.md, section 3. Fail returns false and stores
  // `detail`.
  bool Fail(std::string_view detail);

  // Returns the token that is `ahead` tokens after the cursor; kEnd where the text has ended.
  const Token& token(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  void Advance(std::size_t tokens = 1) { at_ += tokens; }
  // If the token at the cursor is of that kind, or is that keyword, moves the cursor past the token
  // and returns true.
  bool Accept(TokenKind kind);
  bool Accept(Word keyword);
  bool IsIdentifier(std::size_t ahead = 0) const;
  // Whether token(ahead) is the end of the text, or a semicolon that the end follows.
  bool OnlyEndFollows(std::size_t ahead = 0) const;

  // Reads an expression to the first token that cannot belong to it; its node is the last.
  bool ParseExpression();
  // Reads a path, which begins with an identifier; its node is the last. `is_simple`: the path is a
  // target of SET or REMOVE, or the table behind INSERT INTO, UPDATE or DELETE FROM. The grammar
  // has messages of its own for these paths.
  bool ParsePath(bool is_simple);

  std::uint16_t last_node() const { return static_cast<std::uint16_t>(tree_.nodes.size() - 1); }

  const std::string_view text_;
  std::vector<Token> tokens_;
  SyntaxTree tree_;
  std::string detail_;

 private:
  enum class FrameKind : std::uint8_t {
    kGroup,  // ( …
    kList,
    kBag,
    kStructKey,
    kStructValue,
    kCall,
    kInList,
    kNot,
    kSign,
    kInfix,
    kBetween,       // a BETWEEN …
    kBetweenUpper,  // a BETWEEN b AND …
  };
  // A construct that is open at the cursor.
  struct Frame {
    FrameKind kind = FrameKind::kGroup;
    int precedence = 0;    // 0: the frame is no kNot, kInfix, kBetween or kBetweenUpper
    Node node;             // the node that the frame becomes
    std::size_t base = 0;  // the number of terms below the frame on the stack of terms
  };
  // What the parser does after a step.
  enum class Step : std::uint8_t {
    kAgain,     // it looks again at what follows the last term
    kTermNext,  // it reads the next term
    kDone,      // it stops: the expression is complete
    kFailed,    // it stops: the text has a syntax error
  };
  // The infix operator at the cursor.
  struct Infix {
    Word op = Word::kOther;
    int precedence = 0;       // 0: the cursor is at no infix operator
    bool is_negated = false;  // NOT IN, NOT BETWEEN, NOT LIKE, IS NOT
    std::size_t tokens = 1;   // the number of tokens of the operator
  };

  bool ParseTerm();
  bool OpenTerm(bool* is_open);
  bool ParseIndex();
  bool OpenCall();
  void AddLeaf(NodeKind kind);
  // Opens a frame that takes the last `terms` terms.
  void OpenFrame(FrameKind kind, NodeKind node, std::size_t terms);
  Infix InfixAtCursor() const;
  Step AfterTerm();
  Step AfterLowerBound(const Infix& infix);
  Step OpenInfix(const Infix& infix);
  Step AddIs(const Infix& infix);
  Step AfterElement();
  Step CloseFrame(TokenKind closer, std::string_view name);
  void Reduce();
  Step FailStep(std::string_view detail);

  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  std::vector<std::uint16_t> terms_;
};

bool ExpressionParser::Fail(std::string_view detail) {
  detail_ = detail;
  return false;
}

ExpressionParser::Step ExpressionParser::FailStep(std::string_view detail) {
  Fail(detail);
  return Step::kFailed;
}

bool ExpressionParser::Accept(TokenKind kind) {
  if (token().kind != kind) return false;
  Advance();
  return true;
}

bool ExpressionParser::Accept(Word keyword) {
  if (token().kind != TokenKind::kKeyword || token().word != keyword) return false;
  Advance();
  return true;
}

bool ExpressionParser::IsIdentifier(std::size_t ahead) const {
  return token(ahead).kind == TokenKind::kIdentifier ||
         token(ahead).kind == TokenKind::kQuotedIdentifier;
}

bool ExpressionParser::OnlyEndFollows(std::size_t ahead) const {
  if (token(ahead).kind == TokenKind::kSemicolon) ++ahead;
  return token(ahead).kind == TokenKind::kEnd;
}

void ExpressionParser::OpenFrame(FrameKind kind, NodeKind node, std::size_t terms) {
  Frame frame;
  frame.kind = kind;
  frame.node.kind = node;
  frame.node.token = token();
  frame.base = terms_.size() - terms;
  frames_.push_back(frame);
}

void ExpressionParser::AddLeaf(NodeKind kind) {
  Node node;
  node.kind = kind;
  node.token = token();
  tree_.nodes.push_back(node);
  terms_.push_back(last_node());
  Advance();
}

// Reads an index and the bracket that closes it; the cursor is behind the open bracket.
bool ExpressionParser::ParseIndex() {
  PathStep step;
  step.is_index = true;
  for (; token().kind == TokenKind::kOperator; Advance()) {
    if (token().word != Word::kMinus && token().word != Word::kPlus) break;
    step.is_negative ^= token().word == Word::kMinus;
  }
  if (token().kind != TokenKind::kNumber) {
    return Fail(token().kind == TokenKind::kEnd ? "Unexpected term" : "Invalid path component");
  }
  step.token = token();
  tree_.steps.push_back(step);
  Advance();
  return Accept(TokenKind::kCloseBracket) || Fail("Expected RIGHT_BRACKET");
}

bool ExpressionParser::ParsePath(bool is_simple) {
  if (!IsIdentifier()) return Fail("Expected identifier for simple path");
  Node node;
  node.kind = NodeKind::kPath;
  node.token = token();
  node.first = static_cast<std::uint16_t>(tree_.steps.size());
  tree_.steps.push_back({token()});
  Advance();
  for (;;) {
    if (Accept(TokenKind::kDot)) {
      if (!IsIdentifier()) {
        const bool is_star = is_simple && token().kind == TokenKind::kStar;
        return Fail(is_star ? "Invalid path dot component for simple path"
                            : "Invalid path dot component");
      }
      tree_.steps.push_back({token()});
      Advance();
    } else if (Accept(TokenKind::kOpenBracket)) {
      if (!ParseIndex()) return false;
    } else {
      break;
    }
  }
  node.count = static_cast<std::uint16_t>(tree_.steps.size() - node.first);
  tree_.nodes.push_back(node);
  return true;
}

// Opens a call: the cursor is at a name in front of a parenthesis.
bool ExpressionParser::OpenCall() {
  OpenFrame(FrameKind::kCall, NodeKind::kCall, 0);
  Advance(2);
  if (token().kind == TokenKind::kStar) {
    const std::string name = LowerCase(frames_.back().node.token.In(text_));
    if (name != "count") return Fail(name + "(*) is not allowed");
    frames_.back().node.kind = NodeKind::kCount;
    Advance();
    if (token().kind != TokenKind::kClose) return Fail("Expected RIGHT_PAREN");
  }
  return true;
}

// Opens a frame when a prefix operator, a group or a collection begins at the cursor; otherwise
// `*is_open` is false.
bool ExpressionParser::OpenTerm(bool* is_open) {
  *is_open = true;
  switch (token().kind) {
    case TokenKind::kOperator:
      if (token().word == Word::kNot) {
        OpenFrame(FrameKind::kNot, NodeKind::kNot, 0);
        frames_.back().precedence = PrecedenceOf(Word::kNot, {});
      } else if (token().word == Word::kMinus || token().word == Word::kPlus) {
        OpenFrame(FrameKind::kSign, NodeKind::kSign, 0);
        frames_.back().node.op = token().word;
      } else {
        return Fail("Unexpected operator");
      }
      break;
    case TokenKind::kOpen:
      OpenFrame(FrameKind::kGroup, NodeKind::kList, 0);
      break;
    case TokenKind::kOpenBracket:
      OpenFrame(FrameKind::kList, NodeKind::kList, 0);
      break;
    case TokenKind::kOpenBag:
      OpenFrame(FrameKind::kBag, NodeKind::kBag, 0);
      break;
    case TokenKind::kOpenCurly:
      OpenFrame(FrameKind::kStructKey, NodeKind::kStruct, 0);
      break;
    default:
      *is_open = false;
      return true;
  }
  Advance();
  return true;
}

// Reads up to the end of the next whole term: a leaf, a path, an empty collection or call. Opens a
// frame for each prefix operator, group, collection or call that begins in front of the term.
bool ExpressionParser::ParseTerm() {
  for (;;) {
    bool is_open = false;
    if (!OpenTerm(&is_open)) return false;
    if (!is_open) {
      const bool is_name =
          IsIdentifier() || (token().kind == TokenKind::kKeyword &&
                             (token().word == Word::kFunction || token().word == Word::kExists));
      const bool is_call = is_name && token(1).kind == TokenKind::kOpen;
      if (!is_call) break;
      if (!OpenCall()) return false;
    }
    // An empty collection or call ends here: `[]`, `f()`.
    const TokenKind kind = token().kind;
    const FrameKind open = frames_.back().kind;
    if ((kind == TokenKind::kCloseBracket && open == FrameKind::kList) ||
        (kind == TokenKind::kCloseBag && open == FrameKind::kBag) ||
        (kind == TokenKind::kCloseCurly && open == FrameKind::kStructKey) ||
        (kind == TokenKind::kClose && open == FrameKind::kCall)) {
      Advance();
      Reduce();
      return true;
    }
  }
  if (IsIdentifier()) {
    if (!ParsePath(false)) return false;
    terms_.push_back(last_node());
    return true;
  }
  const TokenKind kind = token().kind;
  if (kind == TokenKind::kKeyword) return Fail("Unexpected keyword");
  if (kind < TokenKind::kString || kind > TokenKind::kParameter) return Fail("Unexpected term");
  static constexpr NodeKind kLeaves[] = {NodeKind::kString,   NodeKind::kNumber, NodeKind::kTrue,
                                         NodeKind::kFalse,    NodeKind::kNull,   NodeKind::kMissing,
                                         NodeKind::kParameter};
  AddLeaf(kLeaves[static_cast<int>(kind) - static_cast<int>(TokenKind::kString)]);
  return true;
}

bool ExpressionParser::ParseExpression() {
  for (;;) {
    if (!ParseTerm()) return false;
    Step step = Step::kAgain;
    while (step == Step::kAgain) step = AfterTerm();
    if (step == Step::kFailed) return false;
    if (step == Step::kDone) break;
  }
  terms_.clear();
  return true;
}

ExpressionParser::Infix ExpressionParser::InfixAtCursor() const {
  Infix infix;
  if (token().kind == TokenKind::kStar) {
    infix.precedence = PrecedenceOf(Word::kOther, "*");
    return infix;
  }
  if (token().kind != TokenKind::kOperator) return infix;
  infix.op = token().word;
  if (infix.op == Word::kNot) {
    infix.op = token(1).kind == TokenKind::kOperator ? token(1).word : Word::kOther;
    const bool is_pair =
        infix.op == Word::kIn || infix.op == Word::kBetween || infix.op == Word::kLike;
    infix.precedence = is_pair ? PrecedenceOf(infix.op, {}) : 0;
    infix.is_negated = true;
    infix.tokens = 2;
    return infix;
  }
  infix.precedence = PrecedenceOf(infix.op, token().In(text_));
  if (infix.op == Word::kIs && token(1).word == Word::kNot) {
    infix.is_negated = true;
    infix.tokens = 2;
  }
  return infix;
}

// The step after a whole term, which is the top of the stack of terms.
ExpressionParser::Step ExpressionParser::AfterTerm() {
  if (!frames_.empty() && frames_.back().kind == FrameKind::kSign) {
    Node& term = tree_.nodes[terms_.back()];
    if (term.kind != NodeKind::kNumber) {
      Reduce();
      return Step::kAgain;
    }
    term.is_negated ^= frames_.back().node.op == Word::kMinus;
    frames_.pop_back();
    return Step::kAgain;
  }
  const Infix infix = InfixAtCursor();
  // An open operator takes the term when it binds at least as tightly as the operator that
  // follows.
  if (!frames_.empty() && frames_.back().precedence > 0 &&
      frames_.back().precedence >= infix.precedence) {
    if (frames_.back().kind == FrameKind::kBetween) return AfterLowerBound(infix);
    Reduce();
    return Step::kAgain;
  }
  if (infix.precedence > 0) return OpenInfix(infix);
  return frames_.empty() ? Step::kDone : AfterElement();
}

// The step after the lower bound of BETWEEN.
ExpressionParser::Step ExpressionParser::AfterLowerBound(const Infix& infix) {
  if (infix.op != Word::kAnd) return FailStep("Expected AND keyword");
  if (OnlyEndFollows(1)) return FailStep("Expected expression after AND");
  frames_.back().kind = FrameKind::kBetweenUpper;
  Advance();
  return Step::kTermNext;
}

ExpressionParser::Step ExpressionParser::OpenInfix(const Infix& infix) {
  if (infix.op == Word::kIs) return AddIs(infix);
  const bool has_list = infix.op == Word::kIn && token(infix.tokens).kind == TokenKind::kOpen;
  if (!has_list && token(infix.tokens).kind == TokenKind::kEnd) {
    return FailStep("Missing right-hand side expression of infix operator");
  }
  const bool is_between = infix.op == Word::kBetween;
  OpenFrame(is_between ? FrameKind::kBetween : FrameKind::kInfix,
            is_between ? NodeKind::kBetween : NodeKind::kInfix, 1);
  Frame& frame = frames_.back();
  frame.precedence = infix.precedence;
  frame.node.op = infix.op;
  frame.node.is_negated = infix.is_negated;
  Advance(infix.tokens);
  if (has_list) {
    OpenFrame(FrameKind::kInList, NodeKind::kList, 0);
    Advance();
  }
  return Step::kTermNext;
}

// IS has the name of a type in place of a right-hand side.
ExpressionParser::Step ExpressionParser::AddIs(const Infix& infix) {
  Advance(infix.tokens);
  const std::string_view word = token().In(text_);
  std::size_t tokens = 1;
  const std::string two = std::string(word) + " " + std::string(token(1).In(text_));
  if (IsTypeName(two)) {
    tokens = 2;
  } else if (!IsTypeName(word)) {
    return FailStep("Expected type name");
  }
  Node node;
  node.kind = NodeKind::kIs;
  node.is_negated = infix.is_negated;
  node.token = token();
  node.first = static_cast<std::uint16_t>(tree_.children.size());
  node.count = 1;
  tree_.children.push_back(terms_.back());
  tree_.nodes.push_back(node);
  terms_.back() = last_node();
  Advance(tokens);
  return Step::kAgain;
}

// The step after an element of the innermost open group, collection or call.
ExpressionParser::Step ExpressionParser::AfterElement() {
  Frame& frame = frames_.back();
  if (frame.kind == FrameKind::kStructKey) {
    if (!Accept(TokenKind::kColon)) return FailStep("Expected COLON");
    frame.kind = FrameKind::kStructValue;
    return Step::kTermNext;
  }
  if (token().kind == TokenKind::kComma && frame.node.kind != NodeKind::kCount) {
    if (frame.kind == FrameKind::kStructValue) frame.kind = FrameKind::kStructKey;
    Advance();
    return Step::kTermNext;
  }
  switch (frame.kind) {
    case FrameKind::kList:
      return CloseFrame(TokenKind::kCloseBracket, "RIGHT_BRACKET");
    case FrameKind::kBag:
      return CloseFrame(TokenKind::kCloseBag, "RIGHT_DOUBLE_ANGLE_BRACKET");
    case FrameKind::kStructValue:
      return CloseFrame(TokenKind::kCloseCurly, "RIGHT_CURLY");
    default:
      return CloseFrame(TokenKind::kClose, "RIGHT_PAREN");
  }
}

ExpressionParser::Step ExpressionParser::CloseFrame(TokenKind closer, std::string_view name) {
  if (!Accept(closer)) return FailStep("Expected " + std::string(name));
  // Parentheses around one expression become no node.
  const Frame& frame = frames_.back();
  if (frame.kind == FrameKind::kGroup && terms_.size() == frame.base + 1) {
    frames_.pop_back();
  } else {
    Reduce();
  }
  return Step::kAgain;
}

// Closes the top frame: makes one node of the frame and the terms above its base.
void ExpressionParser::Reduce() {
  const Frame& frame = frames_.back();
  Node node = frame.node;
  node.first = static_cast<std::uint16_t>(tree_.children.size());
  node.count = static_cast<std::uint16_t>(terms_.size() - frame.base);
  tree_.children.insert(tree_.children.end(),
                        terms_.begin() + static_cast<std::ptrdiff_t>(frame.base), terms_.end());
  terms_.resize(frame.base);
  frames_.pop_back();
  tree_.nodes.push_back(node);
  terms_.push_back(last_node());
}

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

  // Refuses a second table in FROM, which would be a join. An INSERT into an index has the
  // same message; whether a join has it, too, is unverified.
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
