#include <string>

#include "expression/parser.h"

namespace hashrange {
namespace {

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

Ast ParseUpdate(std::string_view text) { return UpdateParser(text).Parse(); }

}  // namespace hashrange
