#include "lab/run/lab_call_maker.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <utility>

#include "base/library_gaps.h"
#include "lab/language/data/draws.h"
#include "lab/language/data/placeholder_form.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {

namespace {

using Source = CallRole::Source;

// Returns the pattern in the form in which its calls ask.
const LabPattern& FormOf(const LabFile& file, const CallOrder& order) {
  return PatternForm(file, order.form == kLabNone ? order.pattern : order.form);
}

constexpr int kDrawsForAnother = 16;  // of an instance that a batch does not have yet

// Returns the text of a template as of after the call; nothing where the instance lacks a part.
std::optional<std::string> TextAfter(const LabTemplate& text, InstanceId id,
                                     const CallValues& values) {
  std::string made;
  const auto append_value = [&](LabAttributeRef attribute, std::string& out) {
    if (!values.Has(id, attribute, true)) return false;
    values.AppendValue(id, attribute, true, out);
    return true;
  };
  return AppendTemplateText(text, append_value, made) ? std::optional(made) : std::nullopt;
}

std::optional<std::string> ValueOf(const Population& population, InstanceId id, int attribute) {
  const LabAttributeRef ref = {.entity = id.entity, .attribute = attribute};
  return population.Has(id, ref) ? std::optional(population.Value(id, ref)) : std::nullopt;
}

std::pair<int, std::uint64_t> InstanceOrder(InstanceId id) { return {id.entity, id.number}; }

// Makes the value be what it is after a write.
void WriteTo(const std::optional<std::string>& value, const std::optional<double>& added,
             std::optional<std::string>& written) {
  if (!added) {
    written = value;
  } else if (*added != 0) {
    written = SumText(written, *added);
  }
}

}  // namespace

LabCallMaker::LabCallMaker(const LabFile& file, Population& population,
                           const std::atomic<bool>* stop)
    : file_(file),
      population_(population),
      picker_(file, population, stop),
      open_(population, picker_) {}

bool LabCallMaker::Make(const CallOrder& order, MadeCall& made) {
  LabCall& call = made.call;
  call.now_epoch_ms = order.now_epoch_ms;
  call.new_values.clear();
  call.shard = 0;
  call.window = {};
  made.number = calls_++;
  made.writes.clear();
  made.by_instance.clear();
  call.roles.resize(order.shape.roles.size());
  for (auto& role : call.roles) role.clear();
  for (std::size_t role = 0; role < call.roles.size(); ++role) {
    if (FillRole(order, role, call)) continue;
    Discard(order.shape, call);
    return false;
  }
  const LabPattern& pattern = FormOf(file_, order);
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
    if (!FillDerived(described, from, call.roles[role])) return false;
    const LabPattern& pattern = FormOf(file_, order);
    // What is read of others has no place beside them.
    const auto is_missing = [](InstanceId id) { return id.entity == kLabNone; };
    if (pattern.kind != LabPattern::Kind::kWrite) std::erase_if(call.roles[role], is_missing);
    for (const int other : RolesWrittenBefore(order.shape, static_cast<int>(role))) {
      for (InstanceId& id : call.roles[role]) {
        const auto& written = call.roles[static_cast<std::size_t>(other)];
        if (std::ranges::find(written, id) != written.end()) id = {};
      }
    }
    const bool is_found =
        pattern.each && static_cast<int>(role) == FirstQueryRole(pattern, order.shape);
    if (is_found) {
      std::erase_if(call.roles[role], [&](InstanceId id) {
        return !population_.Matches(id, pattern.each->constants);
      });
    }
    if (role + 1 == call.roles.size()) LeaveDifferent(order.shape.asked_by, call.roles[role]);
    return true;
  }
  for (const InstanceId parent : from) {
    if (parent.entity == kLabNone) continue;
    population_.CreateChildren(parent, described.entity, order.now_epoch_ms, call.roles[role]);
  }
  return true;
}

bool LabCallMaker::FillPicked(const CallOrder& order, std::size_t role, LabCall& call) {
  const CallRole& described = order.shape.roles[role];
  // The pattern says how the first role is picked.
  static const LabPick kUniform;
  const LabPick& pick = role == 0 ? FormOf(file_, order).pick : kUniform;
  auto& picked = call.roles[role];
  absl::flat_hash_set<std::uint64_t> known;
  const int most_draws = described.count == 1 ? 1 : described.count * kDrawsForAnother;
  for (int draw = 0; draw < most_draws && static_cast<int>(picked.size()) < described.count;
       ++draw) {
    const std::uint64_t number =
        role == 0 && draw == 0 ? order.number
                               : MixedHash({order.number, role, static_cast<std::uint64_t>(draw)});
    const auto id = picker_.Pick(described.entity, pick, static_cast<std::uint64_t>(order.pattern),
                                 number, order.hot);
    if (!id) break;
    if (described.count == 1 || known.insert(id->number).second) picked.push_back(*id);
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
    if (from.entity == kLabNone) {
      call.roles[role].resize(call.roles[role].size() + static_cast<std::size_t>(described.count));
      continue;
    }
    create(parent_entity == kLabNone ? InstanceId() : population_.AncestorOf(from, parent_entity));
  }
  return true;
}

bool LabCallMaker::FillDerived(const CallRole& role, const std::vector<InstanceId>& from,
                               std::vector<InstanceId>& out) {
  for (const InstanceId id : from) {
    const bool is_missing = id.entity == kLabNone;
    switch (role.source) {
      case Source::kChildren:
        if (!is_missing) population_.AppendChildren(id, role.entity, out);
        break;
      case Source::kReferring:
        if (!is_missing) population_.AppendReferring(id, {role.entity, role.via}, out);
        break;
      case Source::kReferred:
        out.push_back(is_missing ? InstanceId() : population_.ReferredBy(id, role.via));
        break;
      default: {
        const InstanceId derived = is_missing ? id : population_.AncestorOf(id, role.entity);
        if (!is_missing && derived.entity == kLabNone) return false;
        out.push_back(derived);
      }
    }
  }
  return true;
}

void LabCallMaker::LeaveDifferent(const std::vector<LabAttributeRef>& attributes,
                                  std::vector<InstanceId>& ids) const {
  if (attributes.empty() || ids.size() < 2) return;
  absl::flat_hash_set<std::string> known;
  std::erase_if(ids, [&](InstanceId id) {
    std::string values;
    for (const LabAttributeRef attribute : attributes) {
      if (population_.Has(id, attribute)) population_.AppendValue(id, attribute, values);
      values += '\0';
    }
    return !known.insert(std::move(values)).second;
  });
}

void LabCallMaker::Discard(const CallShape& shape, const LabCall& call) {
  for (std::size_t role = 0; role < call.roles.size(); ++role) {
    const Source source = shape.roles[role].source;
    if (source != Source::kCreated && source != Source::kCreatedChildren) continue;
    for (const InstanceId id : call.roles[role]) {
      if (id.entity != kLabNone) population_.Delete(id);
    }
  }
}

std::optional<std::string> LabCallMaker::CopiedValue(const CallOrder& order,
                                                     const LabChange& change,
                                                     const LabCall& call) const {
  const auto role = static_cast<std::size_t>(order.shape.writes.front().role);
  const CallValues values(population_, call);
  if (call.roles[role].empty()) return std::nullopt;
  const InstanceId first = call.roles[role].front();
  if (!values.Has(first, change.by_attribute, true)) return std::nullopt;
  std::string value;
  values.AppendValue(first, change.by_attribute, true, value);
  return value;
}

InstanceWrite LabCallMaker::WriteOf(const CallOrder& order, const LabChange& change, InstanceId id,
                                    InstanceId source, const LabCall& call) const {
  InstanceWrite write = {.id = id, .attribute = change.attribute};
  switch (change.kind) {
    case LabChange::Kind::kRemove:
      break;
    case LabChange::Kind::kSet: {
      if (change.by_attribute.entity != kLabNone) {
        write.value = CopiedValue(order, change, call);
        break;
      }
      const std::uint64_t draw =
          MixedHash({static_cast<std::uint64_t>(order.pattern), order.number});
      population_.AppendGenerated(id, change.attribute, change.generator, draw, order.now_epoch_ms,
                                  write.value.emplace());
      break;
    }
    case LabChange::Kind::kAdd: {
      double factor = 1;
      if (change.by_attribute.entity != kLabNone) {
        const bool has_factor = population_.Has(source, change.by_attribute);
        factor = has_factor ? NumberIn(population_.Value(source, change.by_attribute)) : 0;
      }
      write.added = change.amount * factor;
      break;
    }
  }
  return write;
}

void LabCallMaker::SetInCreated(const CallOrder& order, const LabWrite& write, int role,
                                const LabCall& call) {
  for (const InstanceId id : call.roles[static_cast<std::size_t>(role)]) {
    if (id.entity == kLabNone) continue;
    for (const LabChange& change : write.changes) {
      const InstanceWrite set = WriteOf(order, change, id, id, call);
      if (set.value) {
        population_.Change(id, change.attribute, *set.value);
      } else {
        population_.Remove(id, change.attribute);
      }
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
  const CallValues values(population_, made.call);  // with the new values as they are added
  absl::flat_hash_set<std::uint64_t> seen;
  for (std::size_t place = 0; place < ids.size(); ++place) {
    if (ids[place].entity == kLabNone) continue;
    // A request writes an instance once, even if the role has it twice.
    if (ids.size() > 1 && !seen.insert(ids[place].number).second) continue;
    for (const LabChange& change : write.changes) {
      InstanceWrite& update = made.writes.emplace_back(
          IsSetToTemplate(change) ? InstanceWrite{.id = ids[place],
                                                  .attribute = change.attribute,
                                                  .value = TextAfter(change.generator.text_template,
                                                                     ids[place], values)}
                                  : WriteOf(order, change, ids[place], sources[place], made.call));
      std::optional<std::string> value = update.value;
      if (update.added) {
        value = ValueOf(population_, ids[place], change.attribute);
        if (*update.added != 0) value = SumText(value, *update.added);
      }
      made.call.new_values.insert_or_assign({ids[place], change.attribute}, std::move(value));
    }
  }
}

template <typename Visit>
void LabCallMaker::VisitWritten(int pattern, const CallShape& shape, const LabCall& call,
                                LabWrite::Kind kind, Visit visit) {
  const auto& writes = PatternForm(file_, pattern).writes;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].kind != kind) continue;
    std::vector<int> roles = shape.writes[i].with;
    roles.insert(roles.begin(), shape.writes[i].role);
    for (const int role : roles) {
      for (const InstanceId id : call.roles[static_cast<std::size_t>(role)]) {
        if (id.entity != kLabNone) visit(id);
      }
    }
  }
}

void LabCallMaker::Apply(int pattern, const CallShape& shape, MadeCall& made) {
  VisitWritten(pattern, shape, made.call, LabWrite::Kind::kCreate,
               [&](InstanceId id) { made.writes.push_back({.id = id, .value = ""}); });
  VisitWritten(pattern, shape, made.call, LabWrite::Kind::kDelete,
               [&](InstanceId id) { made.writes.push_back({.id = id}); });
  for (const InstanceWrite& write : made.writes) open_.Begin(made.number, write);
  made.by_instance.resize(made.writes.size());
  std::iota(made.by_instance.begin(), made.by_instance.end(), 0U);
  std::ranges::sort(made.by_instance, {}, [&](std::uint32_t place) {
    return std::pair(InstanceOrder(made.writes[place].id), place);
  });
}

void LabCallMaker::Confirm(const std::vector<InstanceId>& written, MadeCall& made) {
  const auto order = [&](std::uint32_t place) { return InstanceOrder(made.writes[place].id); };
  for (const InstanceId id : written) {
    const auto found =
        std::ranges::equal_range(made.by_instance, InstanceOrder(id), std::ranges::less(), order);
    for (const std::uint32_t place : found) {
      InstanceWrite& write = made.writes[place];
      if (std::exchange(write.is_open, false)) open_.End(made.number, write, true);
    }
  }
}

void LabCallMaker::Close(bool is_written, MadeCall& made) {
  for (const InstanceWrite& write : made.writes) {
    if (write.is_open) open_.End(made.number, write, is_written);
  }
  made.writes.clear();
}

// --- Open writes ---

double NumberIn(const std::optional<std::string>& text) {
  double number = 0;
  if (text) FromChars(text->data(), text->data() + text->size(), number);
  return number;
}

std::string SumText(const std::optional<std::string>& value, double added) {
  constexpr int kDigits = 15;                        // what a double keeps of a decimal number
  const double sum = NumberIn(value) + added + 0.0;  // 0.0 makes −0 a 0
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, sum, std::chars_format::general, kDigits);
  return std::string(text, end.ptr);
}

std::optional<std::string> OpenWrites::PresentValue(const Place& place) const {
  if (place.attribute == kLabNone) {
    return population_.Exists(place.id) ? std::optional<std::string>("") : std::nullopt;
  }
  return ValueOf(population_, place.id, place.attribute);
}

void OpenWrites::SetValue(const Place& place, const std::optional<std::string>& value) {
  if (place.attribute == kLabNone) {
    value ? population_.Restore(place.id) : population_.Delete(place.id);
  } else if (value) {
    population_.Change(place.id, place.attribute, *value);
  } else {
    population_.Remove(place.id, place.attribute);
  }
  picker_.NoteChange(place.id);
}

void OpenWrites::Begin(std::uint64_t call, const InstanceWrite& write) {
  const Place place = {write.id, write.attribute};
  const bool creates = write.attribute == kLabNone && write.value;
  std::optional<std::string> value = PresentValue(place);
  const auto [found, is_new] = places_.try_emplace(place);
  if (is_new && !creates) found->second.stored = value;
  found->second.open.push_back({call, write.value, write.added});
  WriteTo(write.value, write.added, value);
  SetValue(place, value);
}

void OpenWrites::End(std::uint64_t call, const InstanceWrite& write, bool is_written) {
  const auto found = places_.find({write.id, write.attribute});
  OpenPlace& place = found->second;
  if (is_written) WriteTo(write.value, write.added, place.stored);
  const auto own =
      std::ranges::find_if(place.open, [&](const OpenWrite& one) { return one.call == call; });
  place.open.erase(own);
  std::optional<std::string> value = place.stored;
  for (const OpenWrite& one : place.open) WriteTo(one.value, one.added, value);
  if (value != PresentValue(found->first)) SetValue(found->first, value);
  if (place.open.empty()) places_.erase(found);
}

}  // namespace hashrange
