// ItemPaths: where the attributes that a question is about lie in the items of one key. Pure
// functions of their arguments; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/plan/asked_interval.h"

namespace hashrange {

// A step of a path into an item. `hint` is what the step is called in an expression: #hint.
struct ItemPathStep {
  std::string hint = {};
  KeyText name = {};
};
using ItemPath = std::vector<ItemPathStep>;  // lines, or lines.‹sku›

ItemPath PathOfName(const std::string& name);
KeyText LiteralText(std::string_view literal);

class ItemPaths {
 public:
  // Both outlive the object.
  ItemPaths(const ReadQuestion& question, LabKey key) : question_(question), key_(key) {}

  const LabFile& file() const { return question_.file; }
  PlannerInput input() const { return {question_.file, question_.layout}; }

  // Returns the attribute of the item that has the value; entity kLabNone: there is none.
  LabAttributeRef HeldAs(const LabItem& item, LabAttributeRef ref) const;
  // Returns whether the key has the attribute: the table's has all, an index has its projection. A
  // filter cannot compare what an index lacks, even where a local index reads it from the table.
  bool IsInKey(const std::string& name) const;
  // Returns whether the entity is embedded in an entity that has items of its own.
  bool IsDirect(const LabEmbedding& embedding) const;
  // Returns the path of what is embedded: down to the one element whose key the caller knows, or
  // the list or map as a whole.
  ItemPath PathOfPart(const LabEmbedding& embedding) const;

 private:
  const ReadQuestion& question_;
  LabKey key_;
};

}  // namespace hashrange
