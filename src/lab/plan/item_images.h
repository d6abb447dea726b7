// ItemImages: the items of the instances that one call is about, as they are before and after it.
// They are rendered from what the layout stores, and not from the call's requests. Used by one
// thread.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/planner.h"
#include "lab/plan/rendered_item.h"
#include "lab/plan/request_template.h"

namespace hashrange {

struct ItemImage {
  RenderedItem before = {};
  RenderedItem after = {};
};

class ItemImages {
 public:
  // All outlive the object.
  ItemImages(const PlannerInput& input, const LayoutPlan& layout, int pattern,
             const Population& population, const LabCall& call);

  // Returns the images of the item that has the key; null when the call is not about it. `key` may
  // have other attributes than the key's.
  const ItemImage* Find(const LabTable& table, const RenderedItem& key) const;

  // Returns the JSON of a text that the object keeps; null: it is none.
  const JsonValue* Parse(std::string text);
  // Returns the table of that name; null when there is none.
  const LabTable* TableNamed(std::string_view name) const;

 private:
  void AddInstance(InstanceId id);
  void AddImage(const StoredItem& stored, InstanceId id, bool is_after);
  std::string AddressOf(const LabTable& table, const RenderedItem& key) const;

  const PlannerInput& input_;
  const LayoutPlan& layout_;
  const Population& population_;
  const LabCall& call_;
  std::vector<InstanceId> created_ = {};
  std::vector<InstanceId> deleted_ = {};
  std::vector<InstanceId> added_ = {};
  std::map<std::string, ItemImage> images_ = {};
  std::deque<std::string> texts_ = {};
  Arena arena_;
};

}  // namespace hashrange
