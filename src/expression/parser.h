// The parsers: text → Ast. One a grammar, on common ground: a cursor over the tokens,
// paths, and what can be wrong with an expression whatever its names and values are.
// None of them recurses: nesting is a stack of frames in memory, as deep as the text is
// long at most.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/ast.h"
#include "expression/token.h"

namespace hashrange {

inline constexpr int kMaxOperators = 300;
inline constexpr int kMaxInOperands = 100;
inline constexpr std::uint64_t kMaxListIndex = 2147483647;

// Parses `text`: at most kMaxExpressionBytes, and not only blanks.
Ast ParseCondition(std::string_view text);
Ast ParseUpdate(std::string_view text);
Ast ParseProjection(std::string_view text);

// The common ground. A parsing step returns whether the text is still well-formed; when
// it is not, `ast_.error` says why.
class Parser {
 public:
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

 protected:
  // Problems in the order in which they win over each other. A syntax error wins over all.
  enum class Problem : std::uint8_t {
    kNone,
    kReservedWordOfUpdate,  // an update says this before it looks at functions
    kParentheses,
    kFunctionName,
    kFunctionPlace,
    kSection,
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
  // Whether the identifier at the cursor is a word of this grammar.
  bool IsGrammarKeyword(const Token& token) const;

  // Says that the token at the cursor cannot stand there. Returns false.
  bool SyntaxError();
  // Notes a problem; the first of the lowest kind is told when the syntax is right.
  void NoteProblem(Problem problem, std::string message);

  // Reads a path and adds its node.
  bool ParsePath();
  // Reads `.name` and `[n]` behind the last node, a path.
  bool ExtendPath();
  void AddValueNode();

  // Closes the Ast once the whole text is read or an error was found.
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

// Reads conditions and the operands of SET: operands, calls, groups and operators.
class OperandParser : public Parser {
 protected:
  using Parser::Parser;

  // Reads one condition (to the end of the text), or one value of SET (to the first
  // token that cannot belong to it), and leaves its node last.
  bool ParseExpression();
  // The last step: the expression's operators and functions are all counted.
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
  // What is open at the cursor.
  struct Frame {
    FrameKind kind = FrameKind::kGroup;
    Operator op = Operator::kEqual;
    bool operand_only = false;  // of a group: a condition or a sum may not stand in it
    std::size_t base = 0;       // the terms below it on the stack
    TextSlice name;             // of a call
  };
  enum class Shape : std::uint8_t {
    kPath,
    kValue,
    kCall,      // an operand, and a condition as well
    kComplete,  // a condition, or a sum: no operand any more
  };
  // A finished piece that waits for what follows it.
  struct Term {
    std::uint16_t node;
    Shape shape;
    bool is_group = false;  // the whole of it stands in parentheses
  };
  enum class Step : std::uint8_t { kAgain, kOperandNext, kDone, kFailed };

  bool OperandOnly() const;
  bool ParsePrefix();
  void OpenFrame(FrameKind kind, Operator op, std::size_t terms);
  Step AfterTerm();
  Step AfterOperandOf(Frame& frame);
  Step AfterListElement(Frame& frame);
  Step AfterCondition();
  bool IsInfix(Operator* op) const;
  Step OpenInfix(Operator op);
  Step CloseGroup();
  Step OpenLogic(FrameKind kind, Operator op);
  // Makes one node of the top frame and the terms above its base.
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
