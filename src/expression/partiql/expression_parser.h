// ExpressionParser: a cursor over the tokens of a statement, and the parsing of paths and of
// expressions, with the precedence of operators that the public PartiQL grammar defines.
// Nothing recurses: nesting is a stack of frames in memory, at most as deep as the text is long.
// A parser reads one text, on one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/partiql/statement_token.h"
#include "expression/partiql/syntax_tree.h"

namespace hashrange::partiql {

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

}  // namespace hashrange::partiql
