#include "lab/plan/read/read_question.h"

#include <algorithm>

#include "lab/plan/request/lab_call.h"

namespace hashrange {
namespace {

// Returns the one value that the attribute has, as the caller knows; null: the caller does not.
const std::string* ConstantOf(const ReadQuestion& question, LabAttributeRef attribute) {
  for (const auto* const conditions : {&question.pattern.constants, &question.assumed}) {
    for (const LabCondition& one : *conditions) {
      const bool is_equal = one.op == LabCondition::Op::kEqual;
      if (is_equal && one.attribute == attribute) return &one.values.front();
    }
  }
  return nullptr;
}

// Returns the placeholder that the attribute's values are, and nothing else; null: they are more.
const LabTemplatePart* OnlyPlaceholder(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  const std::vector<LabTemplatePart>& parts = generator.text_template.parts;
  const bool is_one = generator.kind == LabGenerator::Kind::kTemplate && parts.size() == 1 &&
                      parts.front().literal.empty() && parts.front().attribute.entity != kLabNone;
  return is_one ? parts.data() : nullptr;
}

bool IsImplied(const ReadQuestion& question, const LabCondition& condition) {
  const std::string* const value = ConstantOf(question, condition.attribute);
  const LabType type = LabAttributeAt(question.file, condition.attribute).type;
  return value != nullptr && ConditionHolds(condition, type, *value);
}

// Returns whether the caller asks for one instance by an ULID that has the time.
bool TellsTime(const ReadQuestion& question, LabAttributeRef known, LabAttributeRef time) {
  return known.entity == question.role_entity && TimeOfUlid(question.file, known) == time;
}

}  // namespace

double ReadQuestion::Repeats() const {
  if (!IsForEach()) return std::max(1, pattern.batch);
  double mean = 0;
  for (const CountCase& one : repeats) mean += one.share * one.count.mean;
  return std::max(mean, 1e-9);
}

ReadQuestion ReadQuestion::Asking(const LabPattern& other) const {
  return {.model = model,
          .pattern = other,
          .subject = subject,
          .role = role,
          .role_entity = role_entity,
          .is_look_up = is_look_up,
          .assumed = assumed,
          .repeats = repeats};
}

std::vector<AskedHost> AskedHosts(const ReadQuestion& question) {
  std::vector<AskedHost> hosts;
  for (const int entity : question.pattern.entities) {
    const int host = HostOf(question.layout, entity);
    auto at = std::find_if(hosts.begin(), hosts.end(),
                           [&](const AskedHost& one) { return one.entity == host; });
    if (at == hosts.end()) at = hosts.insert(hosts.end(), {.entity = host});
    if (entity == host) {
      at->is_asked = true;
    } else {
      at->parts.push_back(entity);
    }
  }
  return hosts;
}

namespace {

// Returns what the pattern asks of the entity's items.
std::vector<LabAttributeRef> AskedOf(const ReadQuestion& question, int entity) {
  std::vector<LabAttributeRef> asked;
  const LabPattern& pattern = question.pattern;
  const int count = static_cast<int>(EntityAt(question.file, entity).attributes.size());
  for (int i = 0; i < count && pattern.returns.empty(); ++i) asked.push_back({entity, i});
  for (const LabAttributeRef ref : pattern.returns) {
    if (ref.entity == entity) asked.push_back(ref);
  }
  if (pattern.order.entity == entity) asked.push_back(pattern.order);
  std::erase_if(asked, [&](LabAttributeRef ref) {
    return KnownValue(question, {.attribute = ref}).has_value();
  });
  return asked;
}

// Returns whether the item has the attribute, or a key with its value.
bool HoldsValue(const ReadQuestion& question, const LabItem& item, LabAttributeRef ref) {
  const auto is_same = [&](LabAttributeRef one) { return IsSameValue(question.file, one, ref); };
  return std::ranges::any_of(HeldAttributes({question.file, question.layout}, item), is_same) ||
         std::ranges::any_of(item.keys, [&](const LabItemKey& key) {
           return std::ranges::any_of(key.text.parts, [&](const LabTemplatePart& part) {
             return part.attribute.entity != kLabNone && part.shards == 0 &&
                    part.form == LabTemplatePart::Form::kAsIs && is_same(part.attribute);
           });
         });
}

// Returns the items of the entity that hold together what is asked of it; empty: one item holds it
// alone, or not even all of them do.
std::vector<const LabItem*> ItemsForAll(const ReadQuestion& question, int entity) {
  const bool has_whole = std::ranges::any_of(question.layout.items, [&](const LabItem& item) {
    return item.entity == entity && !item.attributes;
  });
  if (has_whole) return {};
  std::vector<LabAttributeRef> missing = AskedOf(question, entity);
  const std::size_t asked = missing.size();
  std::vector<const LabItem*> items;
  while (!missing.empty()) {
    const LabItem* best = nullptr;
    std::size_t most = 0;
    for (const LabItem& item : question.layout.items) {
      if (item.entity != entity) continue;
      const auto held = static_cast<std::size_t>(std::ranges::count_if(
          missing, [&](LabAttributeRef ref) { return HoldsValue(question, item, ref); }));
      if (held > most) best = &item;
      most = std::max(most, held);
    }
    if (best == nullptr || most == asked) return {};
    std::erase_if(missing, [&](LabAttributeRef ref) { return HoldsValue(question, *best, ref); });
    items.push_back(best);
  }
  return items;
}

}  // namespace

std::optional<std::vector<AskedHost>> HostsByItem(const ReadQuestion& question,
                                                  const std::vector<AskedHost>& hosts) {
  if (question.IsRepeated()) return std::nullopt;
  std::vector<AskedHost> by_item;
  for (const AskedHost& host : hosts) {
    std::vector<const LabItem*> items;
    if (host.parts.empty()) items = ItemsForAll(question, host.entity);
    if (items.empty()) by_item.push_back(host);
    for (const LabItem* const item : items) {
      by_item.push_back(host);
      by_item.back().item = item;
    }
  }
  if (by_item.size() == hosts.size()) return std::nullopt;
  return by_item;
}

int OrderedEntity(const LabFile& file, const LabPattern& pattern) {
  if (pattern.order.entity == kLabNone) return kLabNone;
  const auto& entities = pattern.entities;
  if (std::ranges::count(entities, pattern.order.entity) > 0) return pattern.order.entity;
  const auto found = std::ranges::find_if(
      entities, [&](int entity) { return IsAncestorOrSelf(file, pattern.order.entity, entity); });
  return found == entities.end() ? entities.front() : *found;
}

bool IsPlaceholder(const LabFile& file, LabAttributeRef attribute, const LabTemplatePart& part) {
  const LabTemplatePart* const only = OnlyPlaceholder(file, attribute);
  return only != nullptr && IsSameValue(file, only->attribute, part.attribute) &&
         only->form == part.form && only->width == part.width && only->shards == part.shards;
}

std::optional<KeyPiece> KnownValue(const ReadQuestion& question, const LabTemplatePart& part) {
  if (const std::string* const constant = ConstantOf(question, part.attribute)) {
    KeyPiece piece;
    AppendFormed(part, *constant, piece.text);
    return piece;
  }
  const LabRange& range = question.pattern.range;
  const bool is_start = range.kind == LabRange::Kind::kPrefix &&
                        part.form == LabTemplatePart::Form::kPrefix && part.width <= range.prefix &&
                        part.shards == 0 &&
                        IsSameValue(question.file, range.attribute, part.attribute);
  if (is_start) {
    return KeyPiece{.kind = KeyPiece::Kind::kSlot,
                    .slot = {.source = RequestSlot::Source::kStart,
                             .role = question.role,
                             .part = {.attribute = range.attribute, .width = part.width}}};
  }
  for (const LabAttributeRef known : question.pattern.by) {
    KeyPiece piece = {.kind = KeyPiece::Kind::kSlot, .slot = {.role = question.role, .part = part}};
    if (TellsTime(question, known, part.attribute)) return piece;
    if (IsPlaceholder(question.file, known, part)) {
      piece.slot.part = {.attribute = part.attribute};
    } else if (!IsSameValue(question.file, known, part.attribute)) {
      continue;
    }
    piece.slot.part.literal.clear();
    const LabAttributeRef supplied = known == question.subject.referred_by
                                         ? LabAttributeAt(question.file, known).generator.other
                                         : AttributeFor(question.file, question.role_entity, known);
    piece.slot.part.attribute = supplied.entity == kLabNone ? part.attribute : supplied;
    return piece;
  }
  return std::nullopt;
}

KeyText ResolveTemplate(const ReadQuestion& question, const LabTemplate& text) {
  KeyText resolved;
  for (const LabTemplatePart& part : text.parts) {
    AppendLiteral(part.literal, resolved);
    if (part.attribute.entity == kLabNone) continue;
    std::optional<KeyPiece> known = KnownValue(question, part);
    AppendPiece(known ? std::move(*known)
                      : KeyPiece{.kind = KeyPiece::Kind::kUnknown, .slot = {.part = part}},
                resolved);
  }
  return resolved;
}

bool IsKnown(const KeyText& text) {
  return std::none_of(text.begin(), text.end(),
                      [](const KeyPiece& piece) { return piece.kind == KeyPiece::Kind::kUnknown; });
}

void AppendLiteral(std::string_view literal, KeyText& text) {
  AppendPiece({.text = std::string(literal)}, text);
}

void AppendPiece(KeyPiece piece, KeyText& text) {
  const bool is_literal = piece.kind == KeyPiece::Kind::kLiteral;
  if (is_literal && piece.text.empty()) return;
  if (is_literal && !text.empty() && text.back().kind == KeyPiece::Kind::kLiteral) {
    text.back().text += piece.text;
    return;
  }
  text.push_back(std::move(piece));
}

void AppendKeyText(const KeyText& text, RequestNodes& nodes) {
  for (const KeyPiece& piece : text) {
    if (piece.kind == KeyPiece::Kind::kSlot) {
      AppendSlot(piece.slot, nodes);
      continue;
    }
    std::string escaped;
    AppendEscaped(piece.text, escaped);
    AppendText(escaped, nodes);
  }
}

bool AreImplied(const ReadQuestion& question, const std::vector<LabCondition>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const LabCondition& one) { return IsImplied(question, one); });
}

}  // namespace hashrange
