// The units that the gets and writes of one call take, computed from the sizes of the
// items that the call reads and writes. It knows nothing of the engine, so that what a plan says
// and what a database charges can be held against each other. Pure functions; the population is
// read by one thread at a time.
//
//   sizes   docs/service/02-types-and-sizes.md, section 7
//   units   docs/service/08-capacity.md, section 2; docs/service/10-transactions.md, section 8
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/request_template.h"
#include "wire/json.h"

namespace hashrange {

struct CallUnits {
  double read_units = 0;
  double write_units = 0;
  double vector_write_bytes = 0;
};

// Returns the units of all requests of the call, look-ups included, if the population has not been
// changed by the call yet, but for what the call creates. Writes whose `if` does not hold count as
// refused. Nothing where the figures depend on other items: for a query, a scan, a fetch of what an
// index lacks, or an item that the call does not say.
std::optional<CallUnits> UnitsOfCall(const PlannerInput& input, const LayoutPlan& layout,
                                     const PatternPlan& plan, const Population& population,
                                     const LabCall& call);

// An item's JSON, as templates render it, with DynamoDB's sizes. Used by one thread at a time.
class RenderedItem {
 public:
  // An item that is not there.
  RenderedItem() = default;
  // `json`: an object of attributes, which outlives the item.
  explicit RenderedItem(const JsonValue& json) : json_(&json) {}

  bool exists() const { return json_ != nullptr; }
  // Returns the attribute's value, {"S":"…"}; null when the item lacks it.
  const JsonValue* Find(std::string_view attribute) const;
  bool HasAll(const std::vector<std::string>& attributes) const;

  // Returns the item's size in bytes; 0 of one that is not there
  // (docs/service/02-types-and-sizes.md, section 7).
  std::size_t SizeBytes() const;
  // Returns the size of an attribute with its name; 0 where the item lacks it.
  std::size_t SizeBytesOf(const std::string& attribute) const;
  // Returns the size of an item with some of the attributes only.
  std::size_t SizeBytesOf(const std::vector<std::string>& attributes) const;
  // Returns whether both have the same values in some attributes, or in all of them.
  bool HasSame(const RenderedItem& other, const std::vector<std::string>& attributes) const;
  bool HasSame(const RenderedItem& other) const;

 private:
  const JsonValue* json_ = nullptr;
};

}  // namespace hashrange
