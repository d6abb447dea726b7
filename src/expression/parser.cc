#include "expression/parser.h"

#include <utility>

#include "expression/expression.h"

namespace hashrange {

std::string_view OperatorName(Operator op) {
  static constexpr std::string_view kNames[] = {"=",  "<>",  "<",  "<=",  ">", ">=", "BETWEEN",
                                                "IN", "AND", "OR", "NOT", "+", "-"};
  return kNames[static_cast<int>(op)];
}

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

namespace {

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

}  // namespace

Ast ParseProjection(std::string_view text) { return ProjectionParser(text).Parse(); }

}  // namespace hashrange
