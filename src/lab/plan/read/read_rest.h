// ReadRest: what a key condition leaves to do: filters, the attributes to ask for, and those that
// an index lacks. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plan/read/asked_interval.h"

namespace hashrange {

// A step of a path into an item. `hint` is what the step is called in an expression: #hint.
struct ItemPathStep {
  std::string hint = {};
  KeyText name = {};
};
using ItemPath = std::vector<ItemPathStep>;  // lines, or lines.‹sku›

ItemPath PathOfName(const std::string& name);
// Returns the place of the placeholder that writes all of the attribute's value, in a text of which
// the values can be told apart; nothing where there is none.
std::optional<std::size_t> PlaceOfWhole(const LabFile& file, const LabTemplate& text,
                                        LabAttributeRef attribute);
KeyText LiteralText(std::string_view literal);

struct FilterTerm {
  enum class Op : std::uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kAtMost,
    kGreater,
    kAtLeast,
    kIn,
    kBeginsWith,
    kExists,
  };
  ItemPath path = {};
  LabType type = LabType::kString;
  Op op = Op::kEqual;
  std::vector<KeyText> values = {};
  bool or_absent = false;  // items of another entity, which lack the attribute, pass
};

// An attribute that is asked for, and the attribute of a key of which it is a part.
struct ReadFromKey {
  std::string name = {};
  std::string key = {};
};

struct ReadRest {
  std::vector<FilterTerm> filters = {};
  std::vector<ClientFilter> client_filters = {};
  std::vector<std::string> filtered = {};  // names of what the filters compare
  bool filters_type = false;
  std::vector<ItemPath> projection = {};  // empty: whole items
  std::vector<std::string> lacking = {};  // names of what the index does not have
  std::vector<ReadFromKey> from_keys = {};
  std::vector<std::string> unheld = {};       // names that are asked for and no item holds
  std::optional<ReadObstacle> obstacle = {};  // why the items cannot be found so; nothing: they can
};

// Returns what is left of the question by a key condition, or by a Scan when `is_scan`; the
// interval then has no terms.
ReadRest RestOf(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                const AskedInterval& interval, bool is_scan);

}  // namespace hashrange
