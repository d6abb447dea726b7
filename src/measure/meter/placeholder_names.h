// PlaceholderNames finds the attribute whose value a token of a key repeats in every item: the "7"
// of "CUST#7" is the customer_id, so the template is "CUST#{customer_id}". It learns from the items
// that are stored and, in the stripes, from the first items of each entity that are written, so
// that the templates of a table that is dropped have names, too. Used by one thread, or guarded by
// the lock of its stripe.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "measure/key_templates.h"
#include "value/item.h"

namespace hashrange {

class PlaceholderNames {
 public:
  static constexpr std::size_t kMaxPlaces = 4096;

  // A key part of a resource, and its tree.
  struct Part {
    std::size_t resource = 0;  // a number of the caller's
    std::size_t part = 0;
    const KeyTree& tree;
  };

  // Looks at the tokens of one key part of an item. `leaf` is the node of its value. Attributes in
  // `excluded` name no placeholder: keys, and the type attribute.
  void Watch(ItemView item, const Part& part, std::string_view value, KeyTree::NodeId leaf,
             std::span<const std::string> excluded);

  // The tokens behind one node of a tree, with one separator.
  struct Place {
    std::size_t depth = 0;
    std::size_t resource = 0;
    std::size_t part = 0;
    KeyTree::NodeId parent = 0;
    char separator = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  // Adds what another object learned. `move` changes the resource and the parent of a place there
  // to those here.
  void Add(const PlaceholderNames& other, absl::FunctionRef<void(Place*)> move);
  // Gives the placeholders their names. Tokens that repeat an attribute become placeholders,
  // however few they are; but the first token of a key only if it is the whole key and differs from
  // item to item, as it says what the item is.
  void Apply(absl::FunctionRef<KeyTree&(std::size_t resource, std::size_t part)> tree_of);

 private:
  struct Candidates {
    bool has_begun = false;
    bool has_two_values = false;
    std::uint64_t first_value = 0;
    std::vector<std::string> names;  // attributes that repeated every token so far
  };

  static void WatchToken(ItemView item, const KeyToken& token,
                         std::span<const std::string> excluded, Candidates* candidates);
  static void Unite(const Candidates& other, Candidates* candidates);

  std::map<Place, Candidates> places_;
};

}  // namespace hashrange
