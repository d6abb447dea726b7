#include "lab/run/lab_call_maker.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "lab/data/draws.h"

namespace hashrange {
namespace {

using Source = CallRole::Source;

constexpr int kDrawsForAnother = 16;  // of an instance that a batch does not have yet

double NumberIn(const std::optional<std::string>& text) {
  double number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

std::string TextOfNumber(double number) {
  constexpr int kDigits = 15;  // what a double keeps of a decimal number
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, number + 0.0, std::chars_format::general, kDigits);
  return std::string(text, end.ptr);
}

const LabPattern& PatternAt(const LabFile& file, int pattern) {
  return file.patterns[static_cast<std::size_t>(pattern)];
}

bool Contains(const std::vector<InstanceId>& ids, InstanceId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

LabCallMaker::LabCallMaker(const LabFile& file, Population& population)
    : file_(file), population_(population), picker_(file, population) {}

bool LabCallMaker::Make(const CallOrder& order, MadeCall& made) {
  LabCall& call = made.call;
  call.now_epoch_ms = order.now_epoch_ms;
  call.new_values.clear();
  call.shard = 0;
  call.window = {};
  made.old_values.clear();
  call.roles.resize(order.shape.roles.size());
  for (auto& role : call.roles) role.clear();
  for (std::size_t role = 0; role < call.roles.size(); ++role) {
    if (FillRole(order, role, call)) continue;
    Discard(order.shape, call);
    return false;
  }
  const LabPattern& pattern = PatternAt(file_, order.pattern);
  for (std::size_t i = 0; i < pattern.writes.size(); ++i) {
    const LabWrite& write = pattern.writes[i];
    const int role = order.shape.writes[i].role;
    if (write.kind == LabWrite::Kind::kCreate) SetInCreated(order, write, role, call);
    if (write.kind == LabWrite::Kind::kUpdate) AddNewValues(order, write, role, made);
  }
  return true;
}

bool LabCallMaker::FillRole(const CallOrder& order, std::size_t role, LabCall& call) {
  const CallRole& described = order.shape.roles[role];
  if (described.source == Source::kPicked) return FillPicked(order, role, call);
  if (described.source == Source::kCreated) return FillCreated(order, role, call);
  const auto& from = call.roles[static_cast<std::size_t>(described.of_role)];
  if (described.source != Source::kCreatedChildren) {
    return FillDerived(described, from, call.roles[role]);
  }
  for (const InstanceId parent : from) {
    population_.CreateChildren(parent, described.entity, order.now_epoch_ms, call.roles[role]);
  }
  return true;
}

bool LabCallMaker::FillPicked(const CallOrder& order, std::size_t role, LabCall& call) {
  const CallRole& described = order.shape.roles[role];
  // The pattern says how the first role is picked.
  static const LabPick kUniform;
  const LabPick& pick = role == 0 ? PatternAt(file_, order.pattern).pick : kUniform;
  auto& picked = call.roles[role];
  const int most_draws = described.count == 1 ? 1 : described.count * kDrawsForAnother;
  for (int draw = 0; draw < most_draws && static_cast<int>(picked.size()) < described.count;
       ++draw) {
    const std::uint64_t number =
        role == 0 && draw == 0 ? order.number
                               : MixedHash({order.number, role, static_cast<std::uint64_t>(draw)});
    const auto id = picker_.Pick(described.entity, pick, static_cast<std::uint64_t>(order.pattern),
                                 number, order.hot);
    if (!id) break;
    if (!Contains(picked, *id)) picked.push_back(*id);
  }
  return !picked.empty();
}

bool LabCallMaker::FillCreated(const CallOrder& order, std::size_t role, LabCall& call) {
  const CallRole& described = order.shape.roles[role];
  const int parent_entity = file_.entities[static_cast<std::size_t>(described.entity)].parent;
  const auto create = [&](InstanceId parent) {
    for (int i = 0; i < described.count; ++i) {
      call.roles[role].push_back(population_.Create(described.entity, parent, order.now_epoch_ms));
    }
  };
  if (described.of_role == kLabNone) {
    create({});
    return true;
  }
  for (const InstanceId from : call.roles[static_cast<std::size_t>(described.of_role)]) {
    create(parent_entity == kLabNone ? InstanceId() : population_.AncestorOf(from, parent_entity));
  }
  return true;
}

bool LabCallMaker::FillDerived(const CallRole& role, const std::vector<InstanceId>& from,
                               std::vector<InstanceId>& out) {
  for (const InstanceId id : from) {
    if (role.source == Source::kChildren) {
      population_.AppendChildren(id, role.entity, out);
      continue;
    }
    const InstanceId derived = role.source == Source::kReferred
                                   ? population_.ReferredBy(id, role.via)
                                   : population_.AncestorOf(id, role.entity);
    if (derived.entity == kLabNone) return false;
    out.push_back(derived);
  }
  return true;
}

void LabCallMaker::Discard(const CallShape& shape, const LabCall& call) {
  for (std::size_t role = 0; role < call.roles.size(); ++role) {
    const Source source = shape.roles[role].source;
    if (source != Source::kCreated && source != Source::kCreatedChildren) continue;
    for (const InstanceId id : call.roles[role]) population_.Delete(id);
  }
}

std::optional<std::string> LabCallMaker::ValueOf(InstanceId id, int attribute) const {
  const LabAttributeRef ref = {.entity = id.entity, .attribute = attribute};
  if (!population_.Has(id, ref)) return std::nullopt;
  return population_.Value(id, ref);
}

std::optional<std::string> LabCallMaker::ChangedValue(const CallOrder& order,
                                                      const LabChange& change, InstanceId id,
                                                      InstanceId source) const {
  if (change.kind == LabChange::Kind::kRemove) return std::nullopt;
  if (change.kind == LabChange::Kind::kSet) {
    std::string value;
    const std::uint64_t draw = MixedHash({static_cast<std::uint64_t>(order.pattern), order.number});
    population_.AppendGenerated(id, change.attribute, change.generator, draw, order.now_epoch_ms,
                                value);
    return value;
  }
  double amount = change.amount;
  if (change.by_attribute.entity != kLabNone) {
    if (!population_.Has(source, change.by_attribute)) return ValueOf(id, change.attribute);
    amount *= NumberIn(population_.Value(source, change.by_attribute));
  }
  return TextOfNumber(NumberIn(ValueOf(id, change.attribute)) + amount);
}

void LabCallMaker::SetInCreated(const CallOrder& order, const LabWrite& write, int role,
                                const LabCall& call) {
  for (const InstanceId id : call.roles[static_cast<std::size_t>(role)]) {
    for (const LabChange& change : write.changes) {
      WriteValue(id, change.attribute, ChangedValue(order, change, id, id));
    }
  }
}

void LabCallMaker::AddNewValues(const CallOrder& order, const LabWrite& write, int role,
                                MadeCall& made) {
  const CallRole& described = order.shape.roles[static_cast<std::size_t>(role)];
  const bool is_derived =
      described.source == Source::kReferred || described.source == Source::kAncestor;
  const auto& ids = made.call.roles[static_cast<std::size_t>(role)];
  const auto& sources =
      is_derived ? made.call.roles[static_cast<std::size_t>(described.of_role)] : ids;
  for (std::size_t place = 0; place < ids.size(); ++place) {
    // A request writes an instance once, even if the role has it twice.
    const auto here = ids.begin() + static_cast<std::ptrdiff_t>(place);
    if (std::find(ids.begin(), here, ids[place]) != here) continue;
    for (const LabChange& change : write.changes) {
      made.call.new_values.push_back(
          {.role = role,
           .place = place,
           .attribute = change.attribute,
           .value = ChangedValue(order, change, ids[place], sources[place])});
      made.old_values.push_back({.value = ValueOf(ids[place], change.attribute),
                                 .is_of_sum = change.kind == LabChange::Kind::kAdd});
    }
  }
}

void LabCallMaker::WriteValue(InstanceId id, int attribute,
                              const std::optional<std::string>& value) {
  if (value) {
    population_.Change(id, attribute, *value);
  } else {
    population_.Remove(id, attribute);
  }
}

template <typename Visit>
void LabCallMaker::VisitWritten(int pattern, const CallShape& shape, const LabCall& call,
                                LabWrite::Kind kind, Visit visit) {
  const auto& writes = PatternAt(file_, pattern).writes;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].kind != kind) continue;
    const CallShape::WriteRoles& roles = shape.writes[i];
    for (const InstanceId id : call.roles[static_cast<std::size_t>(roles.role)]) visit(id);
    for (const int with : roles.with) {
      for (const InstanceId id : call.roles[static_cast<std::size_t>(with)]) visit(id);
    }
  }
}

void LabCallMaker::Apply(int pattern, const CallShape& shape, const MadeCall& made) {
  const LabCall& call = made.call;
  for (const LabNewValue& value : call.new_values) {
    const InstanceId id = call.roles[static_cast<std::size_t>(value.role)][value.place];
    WriteValue(id, value.attribute, value.value);
    picker_.NoteChange(id);
  }
  VisitWritten(pattern, shape, call, LabWrite::Kind::kCreate,
               [&](InstanceId id) { picker_.NoteChange(id); });
  VisitWritten(pattern, shape, call, LabWrite::Kind::kDelete, [&](InstanceId id) {
    population_.Delete(id);
    picker_.NoteChange(id);
  });
}

void LabCallMaker::Undo(int pattern, const CallShape& shape, const MadeCall& made) {
  const LabCall& call = made.call;
  for (std::size_t i = 0; i < call.new_values.size(); ++i) {
    const LabNewValue& written = call.new_values[i];
    const InstanceId id = call.roles[static_cast<std::size_t>(written.role)][written.place];
    const std::optional<std::string> present = ValueOf(id, written.attribute);
    const MadeCall::OldValue& old = made.old_values[i];
    if (present == written.value) {
      WriteValue(id, written.attribute, old.value);
    } else if (old.is_of_sum) {
      const double added = NumberIn(written.value) - NumberIn(old.value);
      WriteValue(id, written.attribute, TextOfNumber(NumberIn(present) - added));
    } else {
      continue;  // another call has written it since
    }
    picker_.NoteChange(id);
  }
  VisitWritten(pattern, shape, call, LabWrite::Kind::kCreate, [&](InstanceId id) {
    population_.Discard(id);
    picker_.NoteChange(id);
  });
  VisitWritten(pattern, shape, call, LabWrite::Kind::kDelete, [&](InstanceId id) {
    population_.Restore(id);
    picker_.NoteChange(id);
  });
}

}  // namespace hashrange
