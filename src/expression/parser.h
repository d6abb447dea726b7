// The parsers: text → Ast. Each grammar has its parser; all share the class Parser: a cursor
// over the tokens, paths, and the errors that no names and values can avoid. No parser
// recurses: nesting is a stack of frames in memory, at most as deep as the text is long.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/ast.h"
#include "expression/token.h"

namespace hashrange {

// The limits of docs/service/04-expressions.md, section 3. Calls of functions count as operators.
inline constexpr int kMaxOperators = 300;
inline constexpr int kMaxInOperands = 100;
inline constexpr std::uint64_t kMaxListIndex = 2147483647;

// Each returns the Ast of `text`, which has at most kMaxExpressionBytes and not only blanks. An
// error is in Ast::error.
Ast ParseCondition(std::string_view text);
Ast ParseUpdate(std::string_view text);
Ast ParseProjection(std::string_view text);

// The base of all parsers. A parsing step returns whether the text is still well-formed; when
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
  void CheckUseAsOperand(const Term& term);
  void CheckUseAsCondition(const Term& term);

  std::vector<Frame> frames_;
  std::vector<Term> terms_;
  int operators_ = 0;
};

}  // namespace hashrange
