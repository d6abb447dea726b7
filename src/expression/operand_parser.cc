#include <string>
#include <utility>

#include "expression/functions.h"
#include "expression/parser.h"

namespace hashrange {

bool OperandParser::OperandOnly() const {
  if (frames_.empty()) return false;
  switch (frames_.back().kind) {
    case FrameKind::kNot:
    case FrameKind::kAnd:
    case FrameKind::kOr:
      return false;
    case FrameKind::kGroup:
      return frames_.back().operand_only;
    default:
      return true;
  }
}

void OperandParser::OpenFrame(FrameKind kind, Operator op, std::size_t terms) {
  Frame frame;
  frame.kind = kind;
  frame.op = op;
  frame.base = terms_.size() - terms;
  frames_.push_back(frame);
}

// Reads up to the end of the next path or value, and opens a frame for all that precedes it.
bool OperandParser::ParsePrefix() {
  for (;;) {
    const Token& current = token();
    if (current.kind == TokenKind::kOpen) {
      const bool operand_only = OperandOnly();
      OpenFrame(FrameKind::kGroup, Operator::kEqual, 0);
      frames_.back().operand_only = operand_only;
      Advance();
    } else if (current.kind == TokenKind::kValuePlaceholder) {
      AddValueNode();
      terms_.push_back({static_cast<std::uint16_t>(ast_.nodes.size() - 1), Shape::kValue});
      return true;
    } else if (IsGrammarKeyword(current)) {
      if (current.keyword != Keyword::kNot || OperandOnly()) return SyntaxError();
      OpenFrame(FrameKind::kNot, Operator::kNot, 0);
      Advance();
    } else if (current.kind == TokenKind::kIdentifier && next_token().kind == TokenKind::kOpen) {
      OpenFrame(FrameKind::kCall, Operator::kEqual, 0);
      frames_.back().name = current.slice;
      Advance();
      Advance();
    } else {
      if (!ParsePath()) return false;
      terms_.push_back({static_cast<std::uint16_t>(ast_.nodes.size() - 1), Shape::kPath});
      return true;
    }
  }
}

bool OperandParser::ParseExpression() {
  for (;;) {
    if (!ParsePrefix()) return false;
    Step step = Step::kAgain;
    while (step == Step::kAgain) step = AfterTerm();
    if (step == Step::kFailed) return false;
    if (step == Step::kDone) break;
  }
  terms_.clear();
  return true;
}

bool OperandParser::NoteOperatorCount() {
  if (operators_ > kMaxOperators) {
    NoteProblem(Problem::kOperatorCount,
                "The expression contains too many operators; operator count: " +
                    std::to_string(operators_));
  }
  return true;
}

OperandParser::Step OperandParser::AfterTerm() {
  Term& term = terms_.back();
  const bool extends = token().kind == TokenKind::kDot || token().kind == TokenKind::kOpenBracket;
  // The grammar of conditions accepts a path that continues behind its parentheses: `(a).b`.
  if (extends && term.is_group && term.shape == Shape::kPath && grammar_ == Grammar::kCondition) {
    term.is_group = false;
    return ExtendPath() ? Step::kAgain : Step::kFailed;
  }
  if (OperandOnly()) return AfterOperandOf(frames_.back());
  Operator op;
  if (term.shape != Shape::kComplete && IsInfix(&op)) return OpenInfix(op);
  return AfterCondition();
}

// The step after an operand of a frame that takes only operands.
OperandParser::Step OperandParser::AfterOperandOf(Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kCompare:
    case FrameKind::kBetweenUpper:
    case FrameKind::kArithmetic:
      return Reduce(frame.op, Shape::kComplete);
    case FrameKind::kBetween:
      if (token().keyword != Keyword::kAnd) break;
      frame.kind = FrameKind::kBetweenUpper;
      Advance();
      return Step::kOperandNext;
    case FrameKind::kGroup:
      if (token().kind == TokenKind::kClose) return CloseGroup();
      break;
    default:
      return AfterListElement(frame);
  }
  SyntaxError();
  return Step::kFailed;
}

// The step after an argument of a call or an operand of IN.
OperandParser::Step OperandParser::AfterListElement(Frame& frame) {
  if (Accept(TokenKind::kComma)) return Step::kOperandNext;
  if (token().kind != TokenKind::kClose) {
    SyntaxError();
    return Step::kFailed;
  }
  Advance();
  if (frame.kind == FrameKind::kInList) {
    const std::size_t listed = terms_.size() - frame.base - 1;
    if (listed > kMaxInOperands) {
      NoteProblem(Problem::kInOperandCount,
                  "The IN operator is provided with too many operands; number of operands: " +
                      std::to_string(listed));
    }
    return Reduce(Operator::kIn, Shape::kComplete);
  }
  ReduceCall();
  return Step::kAgain;
}

// Returns whether the cursor is at a comparator or arithmetic operator of this grammar; sets
// `*op`.
bool OperandParser::IsInfix(Operator* op) const {
  if (grammar_ == Grammar::kUpdate) {
    *op = token().kind == TokenKind::kPlus ? Operator::kPlus : Operator::kMinus;
    return token().kind == TokenKind::kPlus || token().kind == TokenKind::kMinus;
  }
  if (token().kind >= TokenKind::kEqual && token().kind <= TokenKind::kGreaterOrEqual) {
    *op =
        static_cast<Operator>(static_cast<int>(token().kind) - static_cast<int>(TokenKind::kEqual));
    return true;
  }
  *op = token().keyword == Keyword::kIn ? Operator::kIn : Operator::kBetween;
  return token().keyword == Keyword::kIn || token().keyword == Keyword::kBetween;
}

OperandParser::Step OperandParser::OpenInfix(Operator op) {
  Advance();
  if (op == Operator::kBetween) {
    OpenFrame(FrameKind::kBetween, op, 1);
  } else if (op == Operator::kIn) {
    if (!Accept(TokenKind::kOpen)) {
      SyntaxError();
      return Step::kFailed;
    }
    OpenFrame(FrameKind::kInList, op, 1);
  } else {
    OpenFrame(grammar_ == Grammar::kUpdate ? FrameKind::kArithmetic : FrameKind::kCompare, op, 1);
  }
  return Step::kOperandNext;
}

// The step after a term that may be a whole condition or a whole value of SET.
OperandParser::Step OperandParser::AfterCondition() {
  const Shape shape = terms_.back().shape;
  const FrameKind* frame = frames_.empty() ? nullptr : &frames_.back().kind;
  if (frame && *frame == FrameKind::kGroup && token().kind == TokenKind::kClose) {
    return CloseGroup();
  }
  if (grammar_ == Grammar::kUpdate) {
    if (!frame) return Step::kDone;
    SyntaxError();
    return Step::kFailed;
  }
  if (shape != Shape::kCall && shape != Shape::kComplete) {
    SyntaxError();
    return Step::kFailed;
  }
  const bool is_and = token().keyword == Keyword::kAnd;
  const bool is_or = token().keyword == Keyword::kOr;
  if (frame && *frame == FrameKind::kNot) return Reduce(Operator::kNot, Shape::kComplete);
  if (frame && *frame == FrameKind::kAnd) return Reduce(Operator::kAnd, Shape::kComplete);
  if (is_and) return OpenLogic(FrameKind::kAnd, Operator::kAnd);
  if (frame && *frame == FrameKind::kOr) return Reduce(Operator::kOr, Shape::kComplete);
  if (is_or) return OpenLogic(FrameKind::kOr, Operator::kOr);
  if (!frame && token().kind == TokenKind::kEnd) {
    CheckUseAsCondition(terms_.back());
    return Step::kDone;
  }
  SyntaxError();
  return Step::kFailed;
}

OperandParser::Step OperandParser::OpenLogic(FrameKind kind, Operator op) {
  OpenFrame(kind, op, 1);
  Advance();
  return Step::kOperandNext;
}

OperandParser::Step OperandParser::CloseGroup() {
  Advance();
  frames_.pop_back();
  Term& term = terms_.back();
  // An update's grammar allows one group in another: `SET a = ((b))`.
  if (term.is_group && grammar_ == Grammar::kCondition) {
    NoteProblem(Problem::kParentheses, "The expression has redundant parentheses;");
  }
  term.is_group = true;
  return Step::kAgain;
}

OperandParser::Step OperandParser::Reduce(Operator op, Shape shape) {
  const std::size_t base = frames_.back().base;
  const bool is_logic = op == Operator::kAnd || op == Operator::kOr || op == Operator::kNot;
  for (std::size_t i = base; i < terms_.size(); ++i) {
    is_logic ? CheckUseAsCondition(terms_[i]) : CheckUseAsOperand(terms_[i]);
  }
  AstNode node;
  node.kind = AstNode::Kind::kOperator;
  node.op = op;
  const std::uint16_t index = AddNode(node, base);
  terms_.push_back({index, shape});
  return Step::kAgain;
}

void OperandParser::ReduceCall() {
  const Frame frame = frames_.back();
  for (std::size_t i = frame.base; i < terms_.size(); ++i) CheckUseAsOperand(terms_[i]);
  AstNode node;
  node.kind = AstNode::Kind::kCall;
  const std::string_view name = frame.name.In(text_);
  node.function = FindFunction(name);
  if (!node.function) {
    NoteProblem(Problem::kFunctionName, "Invalid function name; function: " + std::string(name));
  } else if ((node.function->place == FunctionPlace::kUpdateOperand) !=
             (grammar_ == Grammar::kUpdate)) {
    NoteProblem(
        Problem::kFunctionName,
        grammar_ == Grammar::kUpdate
            ? "The function is not allowed in an update expression; function: " + std::string(name)
            : "The function is not allowed in a condition expression; function: " +
                  std::string(name));
  }
  const std::uint16_t index = AddNode(node, frame.base);
  terms_.push_back({index, Shape::kCall});
}

std::uint16_t OperandParser::AddNode(AstNode node, std::size_t base) {
  ++operators_;
  node.first = static_cast<std::uint16_t>(ast_.children.size());
  node.count = static_cast<std::uint16_t>(terms_.size() - base);
  for (std::size_t i = base; i < terms_.size(); ++i) ast_.children.push_back(terms_[i].node);
  terms_.resize(base);
  frames_.pop_back();
  ast_.nodes.push_back(node);
  return static_cast<std::uint16_t>(ast_.nodes.size() - 1);
}

// A function that is a condition may not be an operand, and a function that is an operand may
// not be a condition.
void OperandParser::CheckUseAsOperand(const Term& term) {
  const FunctionRow* const function = ast_.nodes[term.node].function;
  if (function && function->place == FunctionPlace::kCondition) {
    NoteProblem(Problem::kFunctionPlace,
                "The function is not allowed to be used this way in an expression; function: " +
                    std::string(function->name));
  }
}

void OperandParser::CheckUseAsCondition(const Term& term) {
  const FunctionRow* const function = ast_.nodes[term.node].function;
  if (function && function->place == FunctionPlace::kConditionOperand) {
    NoteProblem(Problem::kFunctionPlace,
                "The function is not allowed to be used this way in an expression; function: " +
                    std::string(function->name));
  }
}

namespace {

// The grammar of a condition is one expression.
class ConditionParser : public OperandParser {
 public:
  explicit ConditionParser(std::string_view text) : OperandParser(Grammar::kCondition, text) {}

  Ast Parse() { return Finish(ParseExpression() && NoteOperatorCount()); }
};

}  // namespace

Ast ParseCondition(std::string_view text) { return ConditionParser(text).Parse(); }

}  // namespace hashrange
