#include "lab/language/lab_like.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/language/joined_names.h"
#include "lab/language/lab_names.h"

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

  // Returns the layout of the member, whole.
  LabNode Resolve(const LabNode::Member& layout);

 private:
  std::string CycleSentence(const std::string& name) const;

  const LabNode& layouts_;
  LabReading& reading_;
  std::vector<std::string> names_;
  std::vector<std::string> open_;  // the layouts that lead to the one that is resolved, and it
};

LabNode LikeResolver::Resolve(const LabNode::Member& layout) {
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
  open_.push_back(layout.name);
  if (std::ranges::find(open_, base->name) != open_.end()) {
    reading_.Fail(other.place, CycleSentence(base->name));
    return own;
  }
  const LabNode whole = Resolve(*base);
  open_.pop_back();
  own.members.erase(like);
  return Merged(whole, own);
}

// Returns the sentence about a layout that leads to itself: "the layout "a" would be like itself:
// "a" is like "b", and "b" is like "a"".
std::string LikeResolver::CycleSentence(const std::string& name) const {
  const auto first = std::ranges::find(open_, name);
  std::string sentence = "the layout \"" + name + "\" would be like itself";
  if (open_.end() - first == 1) return sentence;
  for (auto at = first; at != open_.end(); ++at) {
    const bool is_last = at + 1 == open_.end();
    sentence += at == first ? ": \"" : is_last ? ", and \"" : ", \"";
    sentence += *at + "\" is like \"" + (is_last ? name : *(at + 1)) + "\"";
  }
  return sentence;
}

}  // namespace

std::vector<LabNode::Member> ResolveLikes(const LabNode& layouts, LabReading& reading) {
  std::vector<LabNode::Member> resolved;
  LikeResolver resolver(layouts, reading);
  for (const LabNode::Member& layout : layouts.members) {
    resolved.push_back({layout.name, layout.place, resolver.Resolve(layout)});
    if (!reading.ok()) break;
  }
  return resolved;
}

}  // namespace hashrange
