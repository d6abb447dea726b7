#include "measure/meter/placeholder_names.h"

#include <algorithm>
#include <utility>

#include "base/text/short_text.h"
#include "value/number.h"

namespace hashrange {
namespace {

// Returns whether the token is the text of the value. Digits may have leading zeros, which a number
// has not.
bool Repeats(std::string_view token, ValueView value) {
  if (value.type == AttributeType::kS) return value.bytes() == token;
  if (value.type != AttributeType::kN || token.empty()) return false;
  const std::size_t first = std::min(token.find_first_not_of('0'), token.size() - 1);
  return Number::FromStored(value.bytes()).ToText() == token.substr(first);
}

// Prefers a name that has the word of the literal before the token in it: "customerId" behind
// "CUSTOMER#"; then the shortest.
const std::string& BestName(const std::vector<std::string>& names, std::string_view literal) {
  const std::string word = LowerCase(literal.substr(0, literal.size() - (literal.empty() ? 0 : 1)));
  const auto rank = [&](const std::string& name) {
    const bool fits = !word.empty() && LowerCase(name).find(word) != std::string::npos;
    return std::pair(fits ? 0 : 1, name.size());
  };
  return *std::ranges::min_element(names, {}, rank);
}

}  // namespace

void PlaceholderNames::WatchToken(ItemView item, const KeyToken& token,
                                  std::span<const std::string> excluded, Candidates* candidates) {
  const std::string_view body = token.body();
  const std::uint64_t hash = HashOfToken(body);
  if (!candidates->has_begun) {
    candidates->has_begun = true;
    candidates->first_value = hash;
    item.ForEach([&](const Attribute& attribute) {
      const bool is_excluded = std::ranges::find(excluded, attribute.name) != excluded.end();
      if (!is_excluded && Repeats(body, attribute.value)) {
        candidates->names.emplace_back(attribute.name);
      }
    });
    return;
  }
  if (candidates->names.empty()) return;
  candidates->has_two_values |= hash != candidates->first_value;
  std::erase_if(candidates->names, [&](const std::string& name) {
    const auto value = item.Find(name);
    return !value || !Repeats(body, *value);
  });
}

void PlaceholderNames::Watch(ItemView item, const Part& part, std::string_view value,
                             KeyTree::NodeId leaf, std::span<const std::string> excluded) {
  KeyTree::NodeId parent = KeyTree::kRoot;
  const std::vector<KeyTree::NodeId> path = part.tree.PathTo(leaf);
  for (std::size_t depth = 0; !value.empty() && depth < path.size(); ++depth) {
    const KeyToken token = FirstToken(value, part.tree.separators());
    const bool says_what_it_is = depth == 0 && token.separator != 0;
    if (!says_what_it_is && !token.body().empty()) {
      const Place place{depth, part.resource, part.part, parent, token.separator};
      const auto found = places_.find(place);
      if (found != places_.end() || places_.size() < kMaxPlaces) {
        WatchToken(item, token, excluded, &places_[place]);
      }
    }
    parent = path[depth];
    value.remove_prefix(token.text.size());
  }
}

// A name stays a candidate if both have it.
void PlaceholderNames::Unite(const Candidates& other, Candidates* candidates) {
  if (!candidates->has_begun) {
    *candidates = other;
    return;
  }
  candidates->has_two_values |=
      other.has_two_values || other.first_value != candidates->first_value;
  std::erase_if(candidates->names, [&](const std::string& name) {
    return std::ranges::find(other.names, name) == other.names.end();
  });
}

void PlaceholderNames::Add(const PlaceholderNames& other, absl::FunctionRef<void(Place*)> move) {
  for (const auto& [place, candidates] : other.places_) {
    Place here = place;
    move(&here);
    Unite(candidates, &places_[here]);
  }
}

// The places of one depth are named before those below them, whose parents may merge by that.
void PlaceholderNames::Apply(
    absl::FunctionRef<KeyTree&(std::size_t resource, std::size_t part)> tree_of) {
  for (auto at = places_.begin(); at != places_.end();) {
    const std::size_t depth = at->first.depth;
    std::map<Place, Candidates> settled;
    for (; at != places_.end() && at->first.depth == depth; ++at) {
      Place place = at->first;
      place.parent = tree_of(place.resource, place.part).Find(place.parent);
      Unite(at->second, &settled[place]);
    }
    for (const auto& [place, candidates] : settled) {
      if (candidates.names.empty() || (depth == 0 && !candidates.has_two_values)) continue;
      KeyTree& tree = tree_of(place.resource, place.part);
      const KeyTree::NodeId parent = tree.Find(place.parent);
      tree.MakePlaceholder(parent, place.separator,
                           BestName(candidates.names, tree.nodes()[parent].token));
    }
  }
}

}  // namespace hashrange
