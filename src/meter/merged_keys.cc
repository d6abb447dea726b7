#include "meter/merged_keys.h"

#include <algorithm>
#include <utility>

namespace hashrange {

MergedKeys::MergedKeys(std::string separators, const std::vector<StripeCounters>& stripes)
    : separators_(std::move(separators)) {
  for (const StripeCounters& stripe : stripes) {
    std::vector<Moved>& moved = moved_.emplace_back();
    for (const ResourceCounters& counters : stripe.resources) {
      Moved& of_resource = moved.emplace_back();
      of_resource.number = NumberOf(counters.name());
      Resource& resource = resources_[of_resource.number];
      resource.counters.push_back(&counters);
      if (std::ranges::find(resource.ids, counters.id()) == resource.ids.end()) {
        resource.ids.push_back(counters.id());
      }
      for (std::size_t part = 0; part < resource.trees.size(); ++part) {
        of_resource.nodes.push_back(resource.trees[part].Add(counters.tree(part)));
      }
    }
  }
}

std::size_t MergedKeys::NumberOf(const ResourceName& name) {
  const auto [place, is_new] = numbers_.try_emplace(
      Name(name.account, name.region, name.table, name.index), resources_.size());
  if (is_new) {
    Resource& made = resources_.emplace_back(Resource{name, {}, {}, {}});
    for (std::size_t part = 0; part < name.key.parts(); ++part) {
      made.trees.emplace_back(separators_);
    }
  }
  return place->second;
}

KeyTree::NodeId MergedKeys::NodeOf(std::size_t stripe, std::uint32_t resource, std::size_t part,
                                   KeyTree::NodeId node) const {
  const Moved& moved = moved_[stripe][resource];
  if (part >= moved.nodes.size()) return KeyTree::kRoot;
  return resources_[moved.number].trees[part].Find(moved.nodes[part][node]);
}

std::string MergedKeys::KeyTemplate(std::size_t number,
                                    const std::vector<KeyTree::NodeId>& nodes) const {
  const Resource& resource = resources_[number];
  std::string text;
  for (std::size_t i = 0; i < nodes.size() && i < resource.trees.size(); ++i) {
    text.append(text.empty() ? "" : ", ").append(resource.name.key.part(i).name).append("=");
    text += resource.trees[i].TemplateOf(nodes[i]);
  }
  return text;
}

std::string MergedKeys::KeyTemplate(std::size_t number, const std::vector<std::string>& values) {
  Resource& resource = resources_[number];
  std::vector<KeyTree::NodeId> nodes;
  for (std::size_t i = 0; i < values.size() && i < resource.trees.size(); ++i) {
    const AttributeType type = resource.name.key.part(i).type;
    nodes.push_back(resource.trees[i].Find(
        type == AttributeType::kS   ? resource.trees[i].Insert(values[i])
        : type == AttributeType::kN ? resource.trees[i].InsertOther(KeyTokenKind::kNumber)
                                    : resource.trees[i].InsertOther(KeyTokenKind::kBinary)));
  }
  return KeyTemplate(number, nodes);
}

}  // namespace hashrange
