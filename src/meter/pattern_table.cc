#include "meter/pattern_table.h"

namespace hashrange {
namespace {

template <typename Plain>
void AppendBytes(const Plain& value, std::string* key) {
  key->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

PatternTable::PatternTable() {
  patterns_.emplace_back();
  patterns_[kOther].identity.operation = "other";
}

void PatternTable::MakeKey(std::string_view operation, std::string_view name,
                           std::span<const MemberIdentity> members) {
  key_.clear();
  AppendBytes(operation.data(), &key_);
  for (const MemberIdentity& member : members) {
    AppendBytes(member.shape, &key_);
    AppendBytes(member.resource, &key_);
    for (const KeyTree::NodeId node : member.nodes) AppendBytes(node, &key_);
  }
  key_ += name;
}

PatternTable::Number PatternTable::NumberOf(std::string_view operation, std::string_view name,
                                            std::span<const MemberIdentity> members) {
  MakeKey(operation, name, members);
  const auto found = numbers_.find(key_);
  if (found != numbers_.end()) return found->second;
  if (patterns_.size() > kMaxPatterns) return kOther;
  const auto number = static_cast<Number>(patterns_.size());
  numbers_.emplace(key_, number);
  patterns_.push_back({{operation, std::string(name), {members.begin(), members.end()}}, {}});
  return number;
}

}  // namespace hashrange
