// The part of a Stripe that finds the pattern of a call.
#include <algorithm>
#include <string>

#include "expression/expression_text.h"
#include "measure/meter/stripe.h"

namespace hashrange {
namespace {

std::string_view KindOfAccess(const Access& access) {
  switch (access.kind) {
    case Access::Kind::kRead:
      return "get";
    case Access::Kind::kQuery:
      return "query";
    case Access::Kind::kScan:
      return "scan";
    case Access::Kind::kConditionCheck:
      return "check";
    case Access::Kind::kWrite:
      break;
  }
  if (access.write_kind == WriteKind::kPut) return "put";
  return access.write_kind == WriteKind::kUpdate ? "update" : "delete";
}

const KeySchema& KeyOfAccess(const Access& access) {
  return access.index ? access.index->schema.key : access.table->key;
}

const KeyClause* FindClause(const Access& access, const std::string& attribute) {
  const auto found = std::ranges::find(access.clauses, attribute, &KeyClause::attribute);
  return found == access.clauses.end() ? nullptr : &*found;
}

// What a statement demands of the stored item reads like the condition that would demand it.
std::string_view DemandOf(ItemExistence existence) {
  switch (existence) {
    case ItemExistence::kRequired:
      return "the item exists";
    case ItemExistence::kForbidden:
      return "the item does not exist";
    case ItemExistence::kAny:
    case ItemExistence::kConditionIfItemExists:
      break;
  }
  return "";
}

std::string ConditionText(const AccessTerms& terms) {
  std::string text(DemandOf(terms.existence));
  if (terms.condition.empty()) return text;
  if (!text.empty()) text += " AND ";
  AppendConditionText(terms.condition, &text);
  return text;
}

PatternMember DescribeMember(const MeteredAccess& metered) {
  const Access& access = metered.access;
  const AccessTerms& terms = metered.terms;
  PatternMember member;
  member.kind = KindOfAccess(access);
  member.table = access.table->name;
  if (access.index) member.index = access.index->schema.name;
  member.condition = ConditionText(terms);
  std::vector<std::string_view> names;
  ListConditionAttributes(terms.condition, &names);
  member.condition_attributes.assign(names.begin(), names.end());
  AppendProjectionText(terms.projection, &member.projection);
  ListProjectionAttributes(terms.projection, &names);
  member.projected_attributes.assign(names.begin(), names.end());
  AppendUpdateText(metered.update, &member.update);
  ListUpdatedAttributes(metered.update, &names);
  member.updated_attributes.assign(names.begin(), names.end());
  member.consistent = access.consistent;
  member.backward = !terms.forward;
  member.counts_only = terms.counts_only;
  member.limit = terms.limit;
  return member;
}

}  // namespace

void Stripe::Identify(const MeteredAccess& access, MemberIdentity* identity) {
  const Access& asked = access.access;
  const AccessTerms& terms = access.terms;
  identity->nodes.clear();
  identity->shape = 0;
  identity->resource = ResourceOf(*access.table, asked.index);
  if (!identity->is_counted()) return;
  ResourceCounters& resource = counters_.resources[identity->resource];
  const std::uint64_t merges = resource.merges();
  constexpr int kKindBit = 8, kWriteKindBit = 16;
  const std::uint64_t what = (asked.consistent ? 1 : 0) | (terms.forward ? 2 : 0) |
                             (terms.counts_only ? 4 : 0) |
                             static_cast<std::uint64_t>(asked.kind) << kKindBit |
                             static_cast<std::uint64_t>(asked.write_kind) << kWriteKindBit;
  // The number of the resource is another one in each stripe; pages are linked across stripes.
  const ResourceId& id = resource.id();
  std::uint64_t shape = MixHashes(MixHashes(MixHashes(1, id.table), id.index), what);
  if (terms.limit != 0) shape = MixHashes(shape, static_cast<std::uint64_t>(terms.limit));
  if (asked.kind == Access::Kind::kQuery) {
    const KeySchema& key = KeyOfAccess(asked);
    for (std::size_t i = 0; i < key.parts(); ++i) {
      const KeyClause* const clause = FindClause(asked, key.part(i).name);
      if (!clause) continue;
      shape = MixHashes(shape, i * 16 + static_cast<std::uint64_t>(clause->op));
      identity->nodes.push_back(resource.Insert(i, clause->value));
      if (clause->op != KeyOperator::kBetween) continue;
      identity->nodes.push_back(resource.Insert(i, clause->upper));
    }
  } else if (asked.kind != Access::Kind::kScan) {
    resource.InsertPosition(asked.key.bytes, &identity->nodes);
  }
  text_.clear();
  if (terms.existence != ItemExistence::kAny) text_ += DemandOf(terms.existence);
  if (!terms.condition.empty()) AppendConditionText(terms.condition, &text_);
  text_ += '\n';
  if (!terms.projection.paths().empty()) AppendProjectionText(terms.projection, &text_);
  text_ += '\n';
  if (!access.update.actions().empty()) AppendUpdateText(access.update, &text_);
  identity->shape = MixHashes(shape, text_.size() == 2 ? 0 : HashOfToken(text_));
  merges_ += resource.merges() - merges;
  const AccessShape* const known = ShapeOf(access, *identity);
  // Clients choose the texts, so they may find two that have one hash.
  const bool is_right =
      known && known->resource == id && known->node_count == identity->nodes.size();
  if (!is_right) identity->resource = kNoResource;
}

const AccessShape* Stripe::ShapeOf(const MeteredAccess& access, const MemberIdentity& identity) {
  const auto found = counters_.shapes.find(identity.shape);
  if (found != counters_.shapes.end()) return &found->second;
  if (counters_.shapes.size() >= StripeCounters::kMaxShapes || !shared_.has_room()) return nullptr;
  AccessShape& shape = counters_.shapes[identity.shape];
  shape.resource = ResourceIdOf(*access.table, access.access.index);
  shape.node_count = identity.nodes.size();
  Describe(access, &shape);
  return &shape;
}

void Stripe::Describe(const MeteredAccess& access, AccessShape* shape) {
  const Access& asked = access.access;
  shape->member = DescribeMember(access);
  if (asked.kind == Access::Kind::kScan) return;
  const KeySchema& key = KeyOfAccess(asked);
  for (std::size_t i = 0; i < key.parts(); ++i) {
    std::string_view op = "=";
    if (asked.kind == Access::Kind::kQuery) {
      const KeyClause* const clause = FindClause(asked, key.part(i).name);
      if (!clause) continue;
      op = KeyOperatorText(clause->op);
    }
    shape->member.key.push_back({key.part(i).name, std::string(op), {}, {}});
    shape->parts.push_back(i);
  }
}

PatternTable::Number Stripe::PatternOf(const MeteredCall& call) {
  const std::size_t count = call.accesses.size();
  if (members_.size() < count) members_.resize(count);
  const std::span<MemberIdentity> members(members_.data(), count);
  bool is_counted = false;
  for (std::size_t i = 0; i < count; ++i) {
    Identify(*call.accesses[i], &members[i]);
    is_counted |= members[i].is_counted();
  }
  if (!is_counted) return PatternTable::kOther;
  if (merges_ > 0) {
    MergePatterns();
    for (MemberIdentity& member : members) {
      if (member.is_counted()) FindNodes(&member);
    }
  }
  return counters_.patterns.NumberOf(call.call->operation, call.call->pattern.substr(0, 100),
                                     members, shared_.has_room());
}

void Stripe::FindNodes(MemberIdentity* member) const {
  const AccessShape& shape = counters_.shapes.find(member->shape)->second;
  const ResourceCounters& resource = counters_.resources[member->resource];
  std::size_t node = 0;
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const KeyTree& tree = resource.tree(shape.parts[i]);
    const std::size_t end = node + (shape.member.key[i].op == "BETWEEN" ? 2 : 1);
    for (; node < end; ++node) member->nodes[node] = tree.Find(member->nodes[node]);
  }
}

void Stripe::MergePatterns() {
  if (merges_ == 0) return;
  merges_ = 0;
  counters_.sequences.Renumber(
      counters_.patterns.Merge([this](MemberIdentity* member) { FindNodes(member); }));
  StripeCounters::MapByHash<EntityCounters> before;
  before.swap(counters_.entities);
  for (auto& [hash, entity] : before) {
    const ResourceCounters& resource = counters_.resources[entity.resource];
    for (std::size_t i = 0; i < entity.nodes.size(); ++i) {
      entity.nodes[i] = resource.tree(i).Find(entity.nodes[i]);
    }
    EntityCounters& there =
        counters_.entities[HashOfEntity(entity.resource, entity.nodes, entity.type)];
    if (there.nodes.empty()) {
      there = std::move(entity);
    } else {
      there.inserted += entity.inserted;
      there.changed += entity.changed;
      there.removed += entity.removed;
      there.units.Add(entity.units);
      there.watched = std::max(there.watched, entity.watched);
    }
  }
}

}  // namespace hashrange
