#include "lab/file/lab_like.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/file/lab_names.h"

namespace hashrange {
namespace {

bool IsMergeable(const LabNode& node) {
  return node.kind == LabNode::Kind::kMap && !node.Find("embed");
}

// Returns `over` on top of `base`, both of which are maps.
LabNode Merged(const LabNode& base, const LabNode& over) {
  LabNode result = over;
  result.members = base.members;
  for (const LabNode::Member& member : over.members) {
    const auto found = std::ranges::find(result.members, member.name, &LabNode::Member::name);
    if (found == result.members.end()) {
      result.members.push_back(member);
    } else if (member.value.IsNull()) {
      result.members.erase(found);
    } else if (IsMergeable(found->value) && IsMergeable(member.value)) {
      *found = {member.name, member.place, Merged(found->value, member.value)};
    } else {
      *found = member;
    }
  }
  return result;
}

class LikeResolver {
 public:
  LikeResolver(const LabNode& layouts, LabReading& reading) : layouts_(layouts), reading_(reading) {
    for (const LabNode::Member& layout : layouts.members) names_.push_back(layout.name);
  }

  // Returns the layout of the member, whole. `depth` counts the layouts that lead to it.
  LabNode Resolve(const LabNode::Member& layout, std::size_t depth);

 private:
  const LabNode& layouts_;
  LabReading& reading_;
  std::vector<std::string> names_;
};

LabNode LikeResolver::Resolve(const LabNode::Member& layout, std::size_t depth) {
  LabNode own = layout.value;
  const auto like = std::ranges::find(own.members, "like", &LabNode::Member::name);
  if (like == own.members.end()) return own;
  const LabName other = NameIn(like->value);
  const auto base = std::ranges::find(layouts_.members, other.text, &LabNode::Member::name);
  if (base == layouts_.members.end()) {
    reading_.Fail(other.place, "there is no layout \"" + std::string(other.text) + "\"" +
                                   KnownNames(other.text, names_));
    return own;
  }
  if (depth > layouts_.members.size()) {
    reading_.Fail(other.place, "the layout \"" + layout.name + "\" would be like itself");
    return own;
  }
  const LabNode whole = Resolve(*base, depth + 1);
  own.members.erase(like);
  return Merged(whole, own);
}

}  // namespace

std::vector<LabNode::Member> ResolveLikes(const LabNode& layouts, LabReading& reading) {
  std::vector<LabNode::Member> resolved;
  LikeResolver resolver(layouts, reading);
  for (const LabNode::Member& layout : layouts.members) {
    resolved.push_back({layout.name, layout.place, resolver.Resolve(layout, 1)});
    if (!reading.ok()) break;
  }
  return resolved;
}

}  // namespace hashrange
