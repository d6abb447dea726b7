#include "expression/parser.h"

namespace hashrange {
namespace {

// path ( ',' path )*
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

}  // namespace

Ast ParseProjection(std::string_view text) { return ProjectionParser(text).Parse(); }

}  // namespace hashrange
