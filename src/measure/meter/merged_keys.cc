#include "measure/meter/merged_keys.h"

#include <algorithm>
#include <set>
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
  const auto [place, is_new] = numbers_.try_emplace(name.identity, resources_.size());
  if (is_new) {
    Resource& made = resources_.emplace_back(Resource{name, false, {}, {}, {}});
    for (std::size_t part = 0; part < name.key.parts(); ++part) {
      made.trees.emplace_back(separators_);
    }
  }
  return place->second;
}

namespace {

// Numbers what has the same name, in the order in which it is asked for.
class Namesakes {
 public:
  // Returns " (2)" for the second identity of the name, and nothing for the first.
  std::string SuffixOf(const std::string& name, const std::string& identity) {
    std::vector<std::string>& known = identities_[name];
    auto at = std::ranges::find(known, identity);
    if (at == known.end()) at = known.insert(known.end(), identity);
    if (at == known.begin()) return {};
    return " (" + std::to_string(at - known.begin() + 1) + ")";
  }

 private:
  std::map<std::string, std::vector<std::string>> identities_;
};

// What precedes the names of tables.
std::string PrefixOf(const ResourceName& name, bool has_accounts, bool has_regions) {
  std::string prefix;
  if (has_accounts) prefix += name.account + " ";
  if (has_regions) prefix += name.region + " ";
  return prefix;
}

}  // namespace

void MergedKeys::NameTables() {
  std::set<std::string> accounts, regions;
  std::vector<Resource*> stored_first;
  for (Resource& resource : resources_) {
    accounts.insert(resource.name.account);
    regions.insert(resource.name.region);
    stored_first.push_back(&resource);
  }
  std::ranges::stable_partition(stored_first, [](const Resource* each) { return each->is_stored; });
  Namesakes tables, indexes;
  for (Resource* const resource : stored_first) {
    ResourceName& name = resource->name;
    name.table = PrefixOf(name, accounts.size() > 1, regions.size() > 1) + name.table;
    name.table += tables.SuffixOf(name.table, name.table_identity);
    if (name.index.empty()) continue;
    name.index += indexes.SuffixOf(name.table_identity + "\n" + name.index, name.identity);
  }
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
