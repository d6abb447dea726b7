#include "expression/parser.h"

namespace hashrange {
namespace {

class ConditionParser : public OperandParser {
 public:
  explicit ConditionParser(std::string_view text) : OperandParser(Grammar::kCondition, text) {}

  Ast Parse() { return Finish(ParseExpression() && NoteOperatorCount()); }
};

}  // namespace

Ast ParseCondition(std::string_view text) { return ConditionParser(text).Parse(); }

}  // namespace hashrange
