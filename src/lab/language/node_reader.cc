#include "lab/language/node_reader.h"

#include <algorithm>

namespace hashrange {

NodeReader::NodeReader(const LabNode& node, std::string_view what, LabReading& reading)
    : node_(node), what_(what), reading_(reading) {
  if (node.kind == LabNode::Kind::kMap) return;
  reading.Fail(node.place, what_ + " has to be a map, such as {a: 1}");
}

const LabNode* NodeReader::Member(std::string_view name) {
  known_.emplace_back(name);
  const LabNode* const member = node_.Find(name);
  return member && !member->IsNull() ? member : nullptr;
}

const LabNode* NodeReader::Require(std::string_view name) {
  const LabNode* const member = Member(name);
  if (!member) reading_.Fail(node_.place, what_ + " needs `" + std::string(name) + "`");
  return member;
}

int NodeReader::FindOne(const std::vector<std::string>& names) {
  int found = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    known_.push_back(names[i]);
    const LabNode* const member = node_.Find(names[i]);
    if (!member) continue;
    if (found >= 0) {
      reading_.Fail(member->place, what_ + " has both `" + names[static_cast<std::size_t>(found)] +
                                       "` and `" + names[i] + "`; only one of them is allowed");
      return -1;
    }
    found = static_cast<int>(i);
  }
  if (found >= 0) return found;
  const std::string given = node_.members.empty() ? "" : node_.members.front().name;
  reading_.Fail(node_.place,
                what_ + " has none of the members that say what it is" + KnownNames(given, names));
  return -1;
}

void NodeReader::Finish() {
  for (const LabNode::Member& member : node_.members) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    reading_.Fail(member.place, "`" + member.name + "` is not a member of " + what_ +
                                    KnownNames(member.name, known_));
  }
}

}  // namespace hashrange
