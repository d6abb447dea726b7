#include "control/content/entity_templates.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "measure/measurement.h"
#include "measure/meter/stripe.h"
#include "measure/meter/type_attribute.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxSampledKeys = 10'000;

KeyTokenKind KindOfWholeKey(AttributeType type) {
  return type == AttributeType::kN ? KeyTokenKind::kNumber : KeyTokenKind::kBinary;
}

}  // namespace

EntityTemplates::EntityTemplates(const TableVersion& table, const IndexVersion* index)
    : key_(index ? index->schema.key : table.key),
      is_of_index_(index != nullptr),
      excluded_(NamesOfNoPlaceholder(table, {})),
      trees_(key_.parts(), KeyTree(MeasurementSettings{}.separators)) {}

ValueView EntityTemplates::PartOf(ItemView item, std::size_t part) const {
  return is_of_index_ ? *item.Find(key_.part(part).name) : item.KeyValue(part);
}

void EntityTemplates::Learn(ItemView item) {
  Sampled sampled;
  for (std::size_t part = 0; part < key_.parts(); ++part) {
    const ValueView value = PartOf(item, part);
    KeyTree& tree = trees_[part];
    if (value.type == AttributeType::kS) {
      sampled.nodes[part] = tree.Insert(value.bytes());
      names_.Watch(item, {0, part, tree}, value.bytes(), sampled.nodes[part], excluded_);
    } else {
      sampled.nodes[part] = tree.InsertOther(KindOfWholeKey(value.type));
    }
  }
  if (const auto type = TypeOfItem(item, {})) sampled.type = HashOfToken(type->value);
  const auto found = sampled_.find(sampled);
  if (found != sampled_.end()) {
    ++found->second;
  } else if (sampled_.size() < kMaxSampledKeys) {
    sampled_.emplace(sampled, 1);
  }
}

void EntityTemplates::Settle() {
  names_.Apply([this](std::size_t, std::size_t part) -> KeyTree& { return trees_[part]; });
  for (bool has_merged = true; has_merged;) {
    has_merged = false;
    for (std::size_t part = 0; part < key_.parts(); ++part) has_merged |= MergeValues(part);
  }
}

// Tokens in one place are values when keys differ in nothing else and their items are of one type:
// then the tokens do not say what the item is. Items without a type attribute may differ by such a
// token in a RANGE part, as "ORDER#META" and "ORDER#NOTE" do, where many items have each of them.
bool EntityTemplates::MergeValues(std::size_t part) {
  // A place: the node above the token, its separator, and the rest of the key.
  using Place = std::tuple<KeyTree::NodeId, char, Nodes, std::uint64_t, std::string>;
  struct Literals {
    std::set<KeyTree::NodeId> nodes;
    std::uint64_t items = 0;
  };
  KeyTree& tree = trees_[part];
  std::map<Place, Literals> places;
  for (const auto& [sampled, items] : sampled_) {
    Nodes others = {};
    for (std::size_t other = 0; other < key_.parts(); ++other) {
      if (other != part) others[other] = trees_[other].Find(sampled.nodes[other]);
    }
    const std::vector<KeyTree::NodeId> path = tree.PathTo(sampled.nodes[part]);
    KeyTree::NodeId parent = KeyTree::kRoot;
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
      const KeyTree::Node& node = tree.nodes()[path[depth]];
      // The first token of several says what the item is.
      const bool may_be_value = depth > 0 || path.size() == 1;
      if (!node.is_placeholder && may_be_value) {
        std::string rest;
        for (std::size_t below = depth + 1; below < path.size(); ++below) {
          const KeyTree::Node& each = tree.nodes()[path[below]];
          rest += each.is_placeholder ? "{" + KeyTree::PlaceholderText(each) + "}" + each.separator
                                      : each.token;
        }
        Literals& literals =
            places[{parent, node.separator, others, sampled.type, std::move(rest)}];
        literals.nodes.insert(path[depth]);
        literals.items += items;
      }
      parent = path[depth];
    }
  }
  bool has_merged = false;
  for (const auto& [place, literals] : places) {
    const auto& [parent, separator, others, type, rest] = place;
    if (literals.nodes.size() < 2) continue;
    const bool is_hash = part < key_.hash.size();
    const bool is_whole_key = parent == KeyTree::kRoot;
    const bool is_rare = literals.items < 2 * literals.nodes.size();
    if (!is_hash && type == 0 && (is_whole_key || !is_rare)) continue;
    // What merged before may have made a placeholder of these.
    const bool is_merged = std::ranges::all_of(literals.nodes, [&](KeyTree::NodeId node) {
      return tree.nodes()[tree.Find(node)].is_placeholder;
    });
    if (is_merged) continue;
    tree.MakePlaceholder(tree.Find(parent), separator, {});
    has_merged = true;
  }
  return has_merged;
}

std::optional<KeyTree::NodeId> EntityTemplates::Match(ItemView item, std::size_t part) const {
  const ValueView value = PartOf(item, part);
  return value.type == AttributeType::kS ? trees_[part].Match(value.bytes())
                                         : trees_[part].MatchOther(KindOfWholeKey(value.type));
}

void EntityTemplates::SetCollection(ItemView item) {
  collection_ = {};
  is_known_ = true;
  for (std::size_t part = 0; part < key_.hash.size() && is_known_; ++part) {
    const auto node = Match(item, part);
    is_known_ = node.has_value();
    if (node) collection_[part] = *node;
  }
}

std::optional<std::uint32_t> EntityTemplates::EntityOf(ItemView item) {
  if (!is_known_) return std::nullopt;
  Nodes nodes = collection_;
  for (std::size_t part = key_.hash.size(); part < key_.parts(); ++part) {
    const auto node = Match(item, part);
    if (!node) return std::nullopt;
    nodes[part] = *node;
  }
  if (const auto found = numbers_.find(nodes); found != numbers_.end()) return found->second;
  if (entities_.size() >= kMaxEntities) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(entities_.size());
  entities_.push_back(nodes);
  numbers_.emplace(nodes, number);
  return number;
}

std::vector<std::string> EntityTemplates::TemplatesOf(std::uint32_t entity) const {
  std::vector<std::string> templates;
  for (std::size_t part = 0; part < key_.parts(); ++part) {
    templates.push_back(trees_[part].TemplateOf(entities_[entity][part]));
  }
  return templates;
}

}  // namespace hashrange
