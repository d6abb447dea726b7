#include "expression/parser.h"

#include <string>
#include <utility>
#include <vector>

#include "expression/expression.h"
#include "expression/functions.h"
#include "expression/token.h"

namespace hashrange {
namespace {

// The base of the parser of each grammar: a cursor over the tokens, paths, and the errors that no
// names and values can avoid. A parsing step returns whether the text is still well-formed; when
// it is not, `ast_.error` says why.
class Parser {
 public:
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

 protected:
  // The problems of a well-formed text. When there are several, the first in this order is
  // reported. A syntax error wins over all of them.
  enum class Problem : std::uint8_t {
    kNone,
    kReservedWordOfUpdate,  // an update reports reserved words before its functions
    kParentheses,
    kFunctionName,
    kFunctionPlace,
    kSection,  // an update has the same section, such as SET, twice
    kReservedWord,
    kListIndex,
    kOperatorCount,
    kInOperandCount,
  };

  Parser(Grammar grammar, std::string_view text);

  const Token& token() const { return tokens_[at_]; }
  const Token& next_token() const { return tokens_[at_ + 1]; }
  void Advance() { ++at_; }
  bool Accept(TokenKind kind);
  // Returns whether the token is a keyword of this grammar.
  bool IsGrammarKeyword(const Token& token) const;

  // Returns false, and stores the error that the token at the cursor is not allowed there.
  bool SyntaxError();
  // Notes a problem of a text whose syntax is right so far. Of all noted problems, Finish reports
  // the one that is first in the order of `Problem`; of several of that kind, the one that was
  // noted first.
  void NoteProblem(Problem problem, std::string message);

  // Reads a path and adds its node.
  bool ParsePath();
  // Reads the `.name` and `[n]` that follow, and adds them to the last node, which is a path.
  bool ExtendPath();
  // Adds a node for the value placeholder at the cursor.
  void AddValueNode();

  // Returns the Ast once the whole text is read or an error was found.
  Ast Finish(bool well_formed);

  const Grammar grammar_;
  const std::string_view text_;
  Ast ast_;

 private:
  bool AddNameElement();
  bool AddIndexElement();

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Problem worst_ = Problem::kNone;
  std::string worst_message_;
};

Parser::Parser(Grammar grammar, std::string_view text) : grammar_(grammar), text_(text) {
  Tokenize(text, &tokens_);
}

bool Parser::Accept(TokenKind kind) {
  if (token().kind != kind) return false;
  Advance();
  return true;
}

bool Parser::IsGrammarKeyword(const Token& token) const {
  if (token.keyword == Keyword::kNone) return false;
  switch (grammar_) {
    case Grammar::kCondition:
      return token.keyword < Keyword::kSet;
    case Grammar::kUpdate:
      return token.keyword >= Keyword::kSet;
    case Grammar::kProjection:
      return false;
  }
  return false;
}

bool Parser::SyntaxError() {
  const bool at_end = token().kind == TokenKind::kEnd;
  const TextSlice last = at_end && at_ > 0 ? tokens_[at_ - 1].slice : token().slice;
  // The message quotes a window of the text: at the end of the text the last token alone,
  // elsewhere the token and its two neighbours, where they exist.
  std::uint16_t begin = last.offset;
  std::uint16_t end = last.end();
  if (!at_end) {
    if (at_ > 0) begin = tokens_[at_ - 1].slice.offset;
    if (next_token().kind != TokenKind::kEnd) end = next_token().slice.end();
  }
  ast_.error = "Syntax error; token: \"";
  ast_.error += at_end ? std::string_view("<EOF>") : last.In(text_);
  ast_.error += "\", near: \"";
  ast_.error += text_.substr(begin, end - begin);
  ast_.error += '"';
  return false;
}

void Parser::NoteProblem(Problem problem, std::string message) {
  if (worst_ != Problem::kNone && problem >= worst_) return;
  worst_ = problem;
  worst_message_ = std::move(message);
}

bool Parser::AddNameElement() {
  const Token& word = token();
  AstPathElement element;
  element.text = word.slice;
  if (word.kind == TokenKind::kNamePlaceholder) {
    element.kind = AstPathElement::Kind::kPlaceholder;
  } else if (word.kind != TokenKind::kIdentifier || IsGrammarKeyword(word)) {
    return SyntaxError();
  } else if (const std::string_view name = word.slice.In(text_); IsReservedWord(name)) {
    NoteProblem(
        grammar_ == Grammar::kUpdate ? Problem::kReservedWordOfUpdate : Problem::kReservedWord,
        "Attribute name is a reserved keyword; reserved keyword: " + std::string(name));
  }
  ast_.elements.push_back(element);
  Advance();
  return true;
}

bool Parser::AddIndexElement() {
  if (token().kind != TokenKind::kDigits) return SyntaxError();
  AstPathElement element;
  element.kind = AstPathElement::Kind::kIndex;
  element.text = token().slice;
  const std::string_view digits = element.text.In(text_);
  std::uint64_t index = 0;
  for (const char digit : digits) {
    if (index <= kMaxListIndex) index = index * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  if (index > kMaxListIndex) {
    NoteProblem(Problem::kListIndex, "List index is not within the allowable range; index: [" +
                                         std::string(digits) + "]");
  }
  element.index = static_cast<std::uint32_t>(index);
  ast_.elements.push_back(element);
  Advance();
  return Accept(TokenKind::kCloseBracket) || SyntaxError();
}

bool Parser::ParsePath() {
  AstNode node;
  node.kind = AstNode::Kind::kPath;
  node.first = static_cast<std::uint16_t>(ast_.elements.size());
  node.count = 1;
  if (!AddNameElement()) return false;
  ast_.nodes.push_back(node);
  return ExtendPath();
}

bool Parser::ExtendPath() {
  for (;;) {
    if (Accept(TokenKind::kDot)) {
      if (!AddNameElement()) return false;
    } else if (Accept(TokenKind::kOpenBracket)) {
      if (!AddIndexElement()) return false;
    } else {
      return true;
    }
    ++ast_.nodes.back().count;
  }
}

void Parser::AddValueNode() {
  AstNode node;
  node.kind = AstNode::Kind::kValue;
  node.text = token().slice;
  ast_.nodes.push_back(node);
  Advance();
}

Ast Parser::Finish(bool well_formed) {
  if (well_formed) ast_.error = std::move(worst_message_);
  if (!ast_.error.empty()) {
    std::string error = std::move(ast_.error);
    ast_ = Ast();
    ast_.error = std::move(error);
  }
  return std::move(ast_);
}

// The grammar of a projection: path ( ',' path )*
class ProjectionParser : public Parser {
 public:
  explicit ProjectionParser(std::string_view text) : Parser(Grammar::kProjection, text) {}

  Ast Parse() { return Finish(ParsePaths()); }

 private:
  bool ParsePaths() {
    do {
      if (!ParsePath()) return false;
    } while (Accept(TokenKind::kComma));
    return token().kind == TokenKind::kEnd || SyntaxError();
  }
};

// The parser of conditions and of the values of SET: operands, calls, groups and operators. It
// works by shift and reduce: a finished piece is a Term, an open construct is a Frame; when a
// frame has all its terms, the terms become one node, which is a new term.
class OperandParser : public Parser {
 protected:
  using Parser::Parser;

  // Reads one condition (to the end of the text) or one value of SET (to the first token that
  // cannot belong to it); its node is the last.
  bool ParseExpression();
  // Notes a problem when the text has more than kMaxOperators operators and calls. Called when the
  // whole text is read; always returns true.
  bool NoteOperatorCount();

 private:
  enum class FrameKind : std::uint8_t {
    kGroup,  // ( …
    kCall,   // name( …
    kInList,
    kCompare,       // a = …
    kBetween,       // a BETWEEN …
    kBetweenUpper,  // a BETWEEN b AND …
    kArithmetic,    // a + …
    kNot,
    kAnd,
    kOr,
  };
  // A construct that is open at the cursor.
  struct Frame {
    FrameKind kind = FrameKind::kGroup;
    Operator op = Operator::kEqual;
    bool operand_only = false;  // kGroup: the group may hold no condition and no sum
    std::size_t base = 0;       // the number of terms below the frame on the stack of terms
    TextSlice name;             // kCall: the function
  };
  enum class Shape : std::uint8_t {
    kPath,
    kValue,
    kCall,      // may be an operand or a condition
    kComplete,  // a condition or a sum: not an operand
  };
  // A finished piece; the token behind it decides which frame takes it.
  struct Term {
    std::uint16_t node;
    Shape shape;
    bool is_group = false;  // the whole term is in parentheses
  };
  // What the parser does after a step.
  enum class Step : std::uint8_t {
    kAgain,        // it looks again at what follows the last term
    kOperandNext,  // it reads the next operand
    kDone,         // it stops: the expression is complete
    kFailed,       // it stops: the text has a syntax error
  };

  // Whether only an operand may follow: no condition and no sum.
  bool OperandOnly() const;
  bool ParsePrefix();
  // Opens a frame that takes the last `terms` terms.
  void OpenFrame(FrameKind kind, Operator op, std::size_t terms);
  Step AfterTerm();
  // Calls SyntaxError.
  Step FailStep() {
    SyntaxError();
    return Step::kFailed;
  }
  Step AfterOperandOf(Frame& frame);
  Step AfterListElement(Frame& frame);
  Step AfterCondition();
  bool IsInfix(Operator* op) const;
  Step OpenInfix(Operator op);
  Step CloseGroup();
  Step OpenLogic(FrameKind kind, Operator op);
  // Closes the top frame: makes one node of the frame and the terms above its base.
  Step Reduce(Operator op, Shape shape);
  void ReduceCall();
  std::uint16_t AddNode(AstNode node, std::size_t base);
  void CheckUseAsOperand(const Term& term) { CheckUse(term, FunctionPlace::kCondition); }
  void CheckUseAsCondition(const Term& term) { CheckUse(term, FunctionPlace::kConditionOperand); }
  void CheckUse(const Term& term, FunctionPlace not_allowed);

  std::vector<Frame> frames_;
  std::vector<Term> terms_;
  int operators_ = 0;
};

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
  return FailStep();
}

// The step after an argument of a call or an operand of IN.
OperandParser::Step OperandParser::AfterListElement(Frame& frame) {
  if (Accept(TokenKind::kComma)) return Step::kOperandNext;
  if (token().kind != TokenKind::kClose) return FailStep();
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
    if (!Accept(TokenKind::kOpen)) return FailStep();
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
    return FailStep();
  }
  if (shape != Shape::kCall && shape != Shape::kComplete) return FailStep();
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
  return FailStep();
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
    const std::string where = grammar_ == Grammar::kUpdate ? "an update" : "a condition";
    NoteProblem(Problem::kFunctionName, "The function is not allowed in " + where +
                                            " expression; function: " + std::string(name));
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
void OperandParser::CheckUse(const Term& term, FunctionPlace not_allowed) {
  const FunctionRow* const function = ast_.nodes[term.node].function;
  if (!function || function->place != not_allowed) return;
  NoteProblem(Problem::kFunctionPlace,
              "The function is not allowed to be used this way in an expression; function: " +
                  std::string(function->name));
}

// The grammar of a condition is one expression.
class ConditionParser : public OperandParser {
 public:
  explicit ConditionParser(std::string_view text) : OperandParser(Grammar::kCondition, text) {}

  Ast Parse() { return Finish(ParseExpression() && NoteOperatorCount()); }
};

constexpr std::string_view kSectionNames[] = {"SET", "REMOVE", "ADD", "DELETE"};

// The grammar of an update: section+ (docs/service/04-expressions.md, section 8).
class UpdateParser : public OperandParser {
 public:
  explicit UpdateParser(std::string_view text) : OperandParser(Grammar::kUpdate, text) {}

  Ast Parse() { return Finish(ParseSections() && NoteOperatorCount()); }

 private:
  bool ParseSections() {
    do {
      if (!ParseSection()) return false;
    } while (token().kind != TokenKind::kEnd);
    return true;
  }

  bool ParseSection() {
    if (!IsGrammarKeyword(token())) return SyntaxError();
    const auto verb = static_cast<UpdateVerb>(static_cast<int>(token().keyword) -
                                              static_cast<int>(Keyword::kSet));
    bool& seen = seen_[static_cast<int>(verb)];
    if (seen) {
      NoteProblem(Problem::kSection,
                  "The \"" + std::string(kSectionNames[static_cast<int>(verb)]) +
                      "\" section can only be used once in an update expression;");
    }
    seen = true;
    Advance();
    do {
      if (!ParseAction(verb)) return false;
    } while (Accept(TokenKind::kComma));
    return true;
  }

  bool ParseAction(UpdateVerb verb) {
    if (!ParsePath()) return false;
    AstAction action;
    action.verb = verb;
    action.target = LastNode();
    if (verb == UpdateVerb::kSet) {
      if (!Accept(TokenKind::kEqual)) return SyntaxError();
      if (!ParseExpression()) return false;
    } else if (verb != UpdateVerb::kRemove) {
      if (token().kind != TokenKind::kValuePlaceholder) return SyntaxError();
      AddValueNode();
    }
    action.operand = LastNode();
    ast_.actions.push_back(action);
    return true;
  }

  std::uint16_t LastNode() const { return static_cast<std::uint16_t>(ast_.nodes.size() - 1); }

  bool seen_[4] = {};
};

}  // namespace

std::string_view OperatorName(Operator op) {
  static constexpr std::string_view kNames[] = {"=",  "<>",  "<",  "<=",  ">", ">=", "BETWEEN",
                                                "IN", "AND", "OR", "NOT", "+", "-"};
  return kNames[static_cast<int>(op)];
}

Ast ParseText(Grammar grammar, std::string_view text) {
  switch (grammar) {
    case Grammar::kCondition:
      return ConditionParser(text).Parse();
    case Grammar::kUpdate:
      return UpdateParser(text).Parse();
    case Grammar::kProjection:
      break;
  }
  return ProjectionParser(text).Parse();
}

}  // namespace hashrange
