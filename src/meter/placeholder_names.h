// PlaceholderNames finds the attribute whose value a token of a key repeats in every stored item:
// the "7" of "CUST#7" is the customer_id, so the template is "CUST#{customer_id}". Used by one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "meter/merged_keys.h"
#include "value/item.h"

namespace hashrange {

class PlaceholderNames {
 public:
  // `keys` gets the names.
  explicit PlaceholderNames(MergedKeys& keys) : keys_(keys) {}

  // Looks at the tokens of one key part of an item. `leaf` is the node of its value. Attributes in
  // `excluded` name no placeholder: keys, and the type attribute.
  void Watch(ItemView item, std::size_t resource, std::size_t part, std::string_view value,
             KeyTree::NodeId leaf, std::span<const std::string> excluded);
  // Gives the placeholders their names. Tokens that repeat an attribute become placeholders,
  // however few they are; but the first token of a key only if it is the whole key and differs from
  // item to item, as it says what the item is.
  void Apply();

 private:
  // The tokens behind one node of a tree, with one separator.
  struct Place {
    std::size_t depth = 0;
    std::size_t resource = 0;
    std::size_t part = 0;
    KeyTree::NodeId parent = 0;
    char separator = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Candidates {
    bool has_begun = false;
    bool has_two_values = false;
    std::uint64_t first_value = 0;
    std::vector<std::string> names;  // attributes that repeated every token so far
  };

  void WatchToken(ItemView item, const KeyToken& token, std::span<const std::string> excluded,
                  Candidates* candidates) const;

  MergedKeys& keys_;
  std::map<Place, Candidates> places_;
};

}  // namespace hashrange
