// ItemExpression: the expressions of one action that writes an item: what it changes, what has to
// hold, and the names and values of both. Used by one thread at a time.
//
//   "UpdateExpression":"SET #n0 = :v0 REMOVE #n1","ConditionExpression":"attribute_exists(#n2)",
//   "ExpressionAttributeNames":{…},"ExpressionAttributeValues":{…}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plan/request_template.h"

namespace hashrange {

class ItemExpression {
 public:
  // Returns the placeholder of a name. The same name has the same placeholder.
  std::string Name(std::string_view attribute);
  // The same for a name that each call has another of: the key of a map.
  std::string Name(std::vector<RequestPiece> name);
  // Returns the placeholder of a value, which is JSON in DynamoDB's form. With `only_when`, a piece
  // of kWhen or kUnless, the expressions that use it are there only then.
  std::string Value(std::vector<RequestPiece> json, std::optional<RequestPiece> only_when = {});

  void Set(std::string clause, std::optional<RequestPiece> only_when = {});
  void Remove(std::string path, std::optional<RequestPiece> only_when = {});
  // Adds a condition to those that have to hold. The same condition counts once.
  void Require(std::string_view condition, std::optional<RequestPiece> only_when = {});

  bool HasUpdate() const { return !sets_.empty() || !removes_.empty(); }
  bool HasCondition() const { return !conditions_.empty(); }
  // Appends the members of a request, each with a comma before it.
  void AppendMembers(std::vector<RequestPiece>& pieces) const;

 private:
  struct Clause {
    std::vector<RequestPiece> pieces = {};
    std::optional<RequestPiece> only_when = {};
  };

  static void AppendClauses(const std::vector<Clause>& clauses, RequestPiece head,
                            std::vector<RequestPiece>& pieces);

  std::vector<std::string> plain_names_ = {};  // empty: the name is made of pieces
  std::vector<Clause> names_ = {};
  std::vector<Clause> values_ = {};
  std::vector<Clause> sets_ = {};
  std::vector<Clause> removes_ = {};
  std::vector<Clause> conditions_ = {};
};

}  // namespace hashrange
