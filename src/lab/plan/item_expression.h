// The expressions of one action that writes an item: what it changes, what has to hold, and the
// names and values of both; and what a pattern's write puts into them. Used by one thread at a
// time.
//
//   "UpdateExpression":"SET #n0 = :v0 REMOVE #n1","ConditionExpression":"attribute_exists(#n2)",
//   "ExpressionAttributeNames":{…},"ExpressionAttributeValues":{…}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/lab_call.h"
#include "lab/plan/request/request_template.h"

namespace hashrange {

class ItemExpression {
 public:
  // Returns the placeholder of a name. The same name has the same placeholder.
  std::string Name(std::string_view attribute);
  // The same for a name that each call has another of: the key of a map.
  std::string Name(RequestNodes name);
  // Returns the placeholder of a value, which is JSON in DynamoDB's form. With `only_when`, the
  // value is there only for these instances, as are the expressions that use it.
  std::string Value(RequestNodes json, const RoleCondition& only_when = {});

  void Set(const std::string& clause, const RoleCondition& only_when = {});
  void Remove(const std::string& path, const RoleCondition& only_when = {});
  // Adds a condition to those that have to hold. The same condition counts once.
  void Require(const std::string& condition, const RoleCondition& only_when = {});

  bool HasUpdate() const { return !sets_.empty() || !removes_.empty(); }
  bool HasCondition() const { return !conditions_.empty(); }
  // Appends the members of a request, each with a comma before it.
  void AppendMembers(RequestNodes& nodes) const;

 private:
  struct Clause {
    std::string text = {};  // of an expression; of a name the attribute, or nothing
    RequestNodes nodes = {};
    RoleCondition only_when = {};
  };

  static RequestNodes MembersOf(const std::vector<Clause>& clauses);

  std::vector<Clause> names_ = {};
  std::vector<Clause> values_ = {};
  std::vector<Clause> sets_ = {};
  std::vector<Clause> removes_ = {};
  std::vector<Clause> conditions_ = {};
};

// A write of a pattern, and the role of the instances that it is about.
struct RoleWrite {
  const LabWrite& declared;
  int role = 0;
};

// Returns what the write gives to the attribute; null: nothing.
const LabChange* ChangeOf(const LabWrite& write, LabAttributeRef attribute);

// Requires conditions of an item. `path` is what stands before the names of attributes: "#n0.#n1.",
// or nothing.
void RequireConditions(const LabFile& file, const std::vector<LabCondition>& conditions,
                       const std::string& path, ItemExpression& expression);
// Requires that the attribute of the written item still is what was read.
void RequireUnchanged(const LabFile& file, LabAttributeRef attribute, const RoleWrite& write,
                      ItemExpression& expression);

// What a write is about, for the value that one of its changes adds.
struct ChangedAttribute {
  const LabFile& file;
  const CallShape& shape;
  const RoleWrite& write;
};
// Changes an attribute behind the path.
void AddChange(const ChangedAttribute& of, const LabChange& change, const std::string& path,
               ItemExpression& expression);

// What an update does to a key attribute of an item.
struct KeyEffect {
  enum class Kind : std::uint8_t {
    kUntouched,
    kSet,
    kRemoved,
    kSometimes,  // set where the condition holds, and removed elsewhere
  };
  Kind kind = Kind::kUntouched;
  RoleCondition condition = {};
  std::vector<std::string> causes = {};  // the attributes that are changed
};
KeyEffect EffectOn(const PlannerInput& input, const LabItemKey& key, const RoleWrite& write);
// Returns the other attribute of the index's key that the update removes, so that the item leaves
// the index whatever becomes of `key`, which the update changes; null: there is none.
const LabItemKey* RemovedBeside(const PlannerInput& input, const LabIndex& index,
                                const LabItem& item, const LabItemKey& key, const RoleWrite& write);
// Returns whether each update of the file that puts `removed` back writes `key`, too.
bool ComesBackWith(const PlannerInput& input, const LabItemKey& removed, const LabItemKey& key,
                   const RoleWrite& write);
// Takes out of the condition what holds for each call of the write; returns false where the
// condition never holds.
bool ResolveCondition(const LabFile& file, const LabWrite& write, RoleCondition& condition);

// Returns whether the key attribute is nothing but the attribute of that name.
bool IsPlainAttribute(const LabFile& file, const LabItemKey& key);
// Sets or removes a key attribute that is a template.
void AddKeyChange(const PlannerInput& input, const LabItem& item, const LabItemKey& key,
                  const RoleWrite& write, ItemExpression& expression);

}  // namespace hashrange
