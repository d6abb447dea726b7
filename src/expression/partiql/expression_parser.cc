#include "expression/partiql/expression_parser.h"

#include "base/lower_case.h"
#include "expression/partiql/keywords.h"

namespace hashrange::partiql {

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

}  // namespace hashrange::partiql
