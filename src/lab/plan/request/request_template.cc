#include "lab/plan/request/request_template.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <span>
#include <utility>

#include "base/library_gaps.h"
#include "base/text/time_text.h"
#include "lab/language/data/draws.h"
#include "lab/language/data/placeholder_form.h"
#include "lab/language/data/value_text.h"
#include "lab/language/lab_facts.h"
#include "wire/json_text.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;
using Source = RequestSlot::Source;

// Replaces what stands behind `from` by the same with JSON's escapes. Most values need none.
void EscapeFrom(std::size_t from, std::string& out) {
  const auto needs_escape = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
  };
  if (std::none_of(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), needs_escape)) {
    return;
  }
  const std::string plain = out.substr(from);
  out.resize(from);
  AppendEscaped(plain, out);
}

void AppendInteger(std::int64_t number, std::string& out) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, number);
  out.append(text, end.ptr);
}

// Replaces the number behind `from` by its product. A change of the sign alone keeps all digits.
void Multiply(std::size_t from, double factor, std::string& out) {
  if (factor == -1) {
    if (out[from] == '-') {
      out.erase(from, 1);
    } else if (out.compare(from, std::string::npos, "0") != 0) {
      out.insert(from, 1, '-');
    }
    return;
  }
  double number = 0;
  FromChars(out.data() + from, out.data() + out.size(), number);
  out.resize(from);
  constexpr int kDecimals = 10;  // of the product; more would show how doubles are rounded
  AppendDecimal(number * factor, kDecimals, out);
}

// Calls `render`, which appends the text of one member to `out`, and puts `between` before that
// text unless the member is the first one. Adds nothing when `render` appends nothing.
template <typename Render>
void RenderMember(const std::string& between, bool& is_first, std::string& out,
                  const Render& render) {
  const std::size_t before = out.size();
  if (!is_first) out += between;
  const std::size_t start = out.size();
  render();
  if (out.size() == start) {
    out.resize(before);
  } else {
    is_first = false;
  }
}

// The instance for which a role stands within RequestEach or RequestChildren.
struct BoundRole {
  int role = kLabNone;
  std::size_t place = 0;
  InstanceId id = {};
  const BoundRole* outer = nullptr;
};

// --- For a call ---

class RequestRenderer {
 public:
  RequestRenderer(const Population& population, const LabCall& call, std::string& out)
      : population_(population), call_(call), values_(population, call), out_(out) {}

  void RenderAll(const RequestNodes& nodes, const BoundRole* bound) {
    for (const RequestNode& node : nodes) Render(node, bound);
  }

 private:
  void Render(const RequestNode& node, const BoundRole* bound) {
    if (const auto* const text = std::get_if<RequestText>(&node.value)) {
      out_ += text->text;
    } else if (const auto* const slot = std::get_if<RequestSlot>(&node.value)) {
      RenderSlot(*slot, bound);
    } else if (const auto* const when = std::get_if<RequestWhen>(&node.value)) {
      if (Holds(when->condition, bound)) RenderAll(when->body, bound);
    } else if (const auto* const list = std::get_if<RequestJoined>(&node.value)) {
      RenderJoined(*list, bound);
    } else if (const auto* const each = std::get_if<RequestEach>(&node.value)) {
      RenderEach(*each, bound);
    } else {
      RenderChildren(std::get<RequestChildren>(node.value), bound);
    }
  }

  std::span<const InstanceId> Instances(int role) const {
    const auto at = static_cast<std::size_t>(role);  // kLabNone becomes a number beyond all roles
    return at < call_.roles.size() ? std::span<const InstanceId>(call_.roles[at])
                                   : std::span<const InstanceId>();
  }

  // Returns the instance that the role stands for; of no entity when there is none.
  InstanceId InstanceOf(int role, const BoundRole* bound) const {
    for (; bound != nullptr; bound = bound->outer) {
      if (bound->role == role) return bound->id;
    }
    const std::size_t place = role == call_.window.role ? call_.window.from : 0;
    const auto instances = Instances(role);
    return place < instances.size() ? instances[place] : InstanceId();
  }

  bool Holds(const RoleCondition& condition, const BoundRole* bound) const {
    const InstanceId id = InstanceOf(condition.role, bound);
    if (id.entity == kLabNone) return false;
    const bool after = !condition.is_before;
    const auto has = [&](LabAttributeRef one) { return values_.Has(id, one, after); };
    const auto changes = [&](LabAttributeRef one) { return values_.Changes(id, one); };
    const bool holds =
        std::ranges::all_of(condition.has, has) && values_.Matches(id, condition.when, after) &&
        (condition.changed.empty() || std::ranges::any_of(condition.changed, changes)) &&
        std::ranges::none_of(condition.unchanged, changes);
    return holds != condition.is_negated;
  }

  bool IsOfBound(InstanceId id, const BoundRole* bound) const {
    for (; bound != nullptr; bound = bound->outer) {
      const InstanceId other = bound->id;
      if (IsAncestor(other.entity, id.entity) &&
          population_.AncestorOf(id, other.entity) != other) {
        return false;
      }
    }
    return true;
  }

  bool IsAncestor(int ancestor, int entity) const {
    const auto& entities = population_.file().entities;
    do {
      entity = entities[static_cast<std::size_t>(entity)].parent;
    } while (entity != kLabNone && entity != ancestor);
    return entity != kLabNone;
  }

  void RenderEach(const RequestEach& each, const BoundRole* bound) {
    const auto instances = Instances(each.role);
    const LabCallWindow& window = call_.window;
    const bool is_limited = window.role != kLabNone &&
                            (window.role == each.role ||
                             std::ranges::find(each.beside, window.role) != each.beside.end());
    const std::size_t first = is_limited ? window.from : 0;
    const std::size_t last = is_limited ? std::min(window.to, instances.size()) : instances.size();
    bool is_first = true;
    for (std::size_t place = first; place < last; ++place) {
      const bool is_missing = instances[place].entity == kLabNone;
      if (is_missing || !IsOfBound(instances[place], bound)) continue;
      const auto begin = instances.begin() + static_cast<std::ptrdiff_t>(first);
      const auto here = instances.begin() + static_cast<std::ptrdiff_t>(place);
      if (!each.beside.empty() && std::find(begin, here, *here) != here) continue;
      RenderMember(each.between, is_first, out_, [&] {
        RenderBeside(each.beside, {each.role, place, instances[place], bound}, each.body);
      });
    }
  }

  void RenderBeside(std::span<const int> beside, const BoundRole& bound, const RequestNodes& body) {
    if (beside.empty()) return RenderAll(body, &bound);
    const auto instances = Instances(beside.front());
    const InstanceId id = bound.place < instances.size() ? instances[bound.place] : InstanceId();
    RenderBeside(beside.subspan(1), {beside.front(), bound.place, id, &bound}, body);
  }

  void RenderChildren(const RequestChildren& children, const BoundRole* bound) {
    const InstanceId id = InstanceOf(children.of_role, bound);
    if (id.entity == kLabNone) return;
    const int parent = EntityAt(population_.file(), children.child_entity).parent;
    // The list is shared by all levels, each of which takes off what it put there.
    const std::size_t begin = children_.size();
    population_.AppendChildren(population_.AncestorOf(id, parent), children.child_entity,
                               children_);
    const std::size_t end = children_.size();
    const auto excepted = Instances(children.except);
    bool is_first = true;
    for (std::size_t i = begin; i < end; ++i) {
      const InstanceId child = children_[i];
      if (std::ranges::find(excepted, child) != excepted.end()) continue;
      if (!is_first) out_ += children.between;
      is_first = false;
      const BoundRole bound_child = {children.role, i, child, bound};
      RenderAll(children.body, &bound_child);
    }
    children_.resize(begin);
  }

  void RenderJoined(const RequestJoined& list, const BoundRole* bound) {
    const std::size_t begin = out_.size();
    out_ += list.before;
    bool is_first = true;
    for (const RequestNode& member : list.members) {
      RenderMember(list.between, is_first, out_, [&] { Render(member, bound); });
    }
    if (is_first) {
      out_.resize(begin);
    } else {
      out_ += list.after;
    }
  }

  void RenderSlot(const RequestSlot& slot, const BoundRole* bound) {
    if (slot.source == Source::kShard) return AppendInteger(call_.shard, out_);
    if (slot.source == Source::kMissing) return AppendInteger(call_.missing, out_);
    if (slot.source == Source::kSearchVector) return AppendSearchVector(slot);
    const std::size_t start = out_.size();
    if (slot.source == Source::kNow) {
      AppendNow(slot);
    } else if (slot.source == Source::kBucket) {
      AppendIsoTime(TimeInBucket(slot.buckets, call_.now_epoch_ms, call_.period), out_);
    } else {
      AppendSlotValue(slot, bound);
    }
    if (out_.size() == start || slot.is_json) return;
    if (slot.source == Source::kStart) {
      LabTemplatePart beginning;
      beginning.form = LabTemplatePart::Form::kPrefix;
      beginning.width = slot.part.width;
      FormPlaceholder(beginning, start, out_);
    } else {
      FormPlaceholder(slot.part, start, out_);
    }
    if (slot.factor != 1) Multiply(start, slot.factor, out_);
    EscapeFrom(start, out_);
  }

  void AppendNow(const RequestSlot& slot) {
    const std::int64_t epoch_ms =
        std::clamp<std::int64_t>(call_.now_epoch_ms + slot.offset_ms, 0, kLastEpochMs);
    using TimeForm = LabGenerator::TimeForm;
    const LabAttributeRef attribute = slot.part.attribute;
    const TimeForm form = attribute.entity == kLabNone
                              ? slot.now_form
                              : LabAttributeAt(population_.file(), attribute).generator.time_form;
    if (form == TimeForm::kIso) return AppendIsoTime(epoch_ms, out_);
    AppendInteger(form == TimeForm::kSeconds ? epoch_ms / 1000 : epoch_ms, out_);
  }

  // Calls of another time, or about another instance, search for another vector.
  void AppendSearchVector(const RequestSlot& slot) {
    const LabFile& file = population_.file();
    const InstanceId id = InstanceOf(slot.role, nullptr);
    const LabAttributeRef attribute = slot.part.attribute;
    DrawSequence draws(MixedHash({file.seed, static_cast<std::uint64_t>(attribute.entity),
                                  static_cast<std::uint64_t>(attribute.attribute), id.number,
                                  static_cast<std::uint64_t>(call_.now_epoch_ms)}));
    AppendVector(DimensionsOf(file, attribute), draws, out_);
  }

  void AppendSlotValue(const RequestSlot& slot, const BoundRole* bound) {
    const InstanceId id = InstanceOf(slot.role, bound);
    if (id.entity == kLabNone) return;
    values_.AppendValue(id, slot.part.attribute, slot.source == Source::kNewValue, out_);
  }

  const Population& population_;
  const LabCall& call_;
  const CallValues values_;
  std::string& out_;
  // Kept for the next request, so that no memory is allocated.
  static thread_local std::vector<InstanceId> children_;
};

thread_local std::vector<InstanceId> RequestRenderer::children_;

// --- For readers ---

std::string FormText(const LabTemplatePart& part) {
  struct Row {
    Form form;
    const char* text;
    bool has_width = false;
  };
  static constexpr Row kForms[] = {{Form::kPadded, ":0", true}, {Form::kDescend, ":desc", true},
                                   {Form::kYear, ":year"},      {Form::kMonth, ":month"},
                                   {Form::kDay, ":day"},        {Form::kHour, ":hour"},
                                   {Form::kMinute, ":minute"},  {Form::kLower, ":lower"},
                                   {Form::kUpper, ":upper"},    {Form::kPrefix, ":prefix", true},
                                   {Form::kUlidTime, ":ulid"}};
  for (const Row& row : kForms) {
    if (row.form == part.form) return row.text + (row.has_width ? std::to_string(part.width) : "");
  }
  return {};
}

std::string NowFormText(LabGenerator::TimeForm form) {
  switch (form) {
    case LabGenerator::TimeForm::kIso:
      return {};
    case LabGenerator::TimeForm::kSeconds:
      return ":seconds";
    case LabGenerator::TimeForm::kMilliseconds:
      return ":milliseconds";
  }
  return {};
}

// Returns "7d" of as many milliseconds, in the greatest unit that gives a whole number.
std::string DurationText(std::int64_t ms) {
  struct Unit {
    std::int64_t ms;
    const char* name;
  };
  for (const Unit unit :
       {Unit{kDayMs, "d"}, Unit{kHourMs, "h"}, Unit{kMinuteMs, "m"}, Unit{kSecondMs, "s"}}) {
    if (ms % unit.ms == 0) return std::to_string(ms / unit.ms) + unit.name;
  }
  return std::to_string(ms) + "ms";
}

std::string FactorText(double factor) {
  if (factor == 1) return {};
  if (factor == -1) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.15g × ", factor);
  return text;
}

std::string SlotText(const LabFile& file, const RequestSlot& slot) {
  if (slot.source == Source::kShard) return "{shard}";
  if (slot.source == Source::kMissing) return std::to_string(slot.count);
  if (slot.source == Source::kNow) {
    const std::string form = FormText(slot.part) + NowFormText(slot.now_form);
    if (slot.offset_ms == 0) return "{now" + form + "}";
    return (slot.offset_ms < 0 ? "{now - " : "{now + ") +
           DurationText(slot.offset_ms < 0 ? -slot.offset_ms : slot.offset_ms) + form + "}";
  }
  const LabTemplatePart& part = slot.part;
  const std::string& name = file.entities[static_cast<std::size_t>(part.attribute.entity)]
                                .attributes[static_cast<std::size_t>(part.attribute.attribute)]
                                .name;
  if (part.shards > 0) return "{shard(" + name + ", " + std::to_string(part.shards) + ")}";
  if (slot.source == Source::kStart)
    return "{" + name + ":prefix" + std::to_string(part.width) + "}";
  return FactorText(slot.factor) + (slot.is_old ? "{old " : "{") + name + FormText(part) + "}";
}

// Renders nodes for readers.
class ReadableRenderer {
 public:
  ReadableRenderer(const LabFile& file, std::string& out) : file_(file), out_(out) {}

  // Renders the nodes, with `between` between those that render something. Returns whether any did.
  bool RenderAll(const RequestNodes& nodes, const std::string& between = {}) {
    bool is_first = true;
    for (const RequestNode& node : nodes) {
      RenderMember(between, is_first, out_,
                   [&] { std::visit([this](const auto& one) { Render(one); }, node.value); });
    }
    return !is_first;
  }

 private:
  void Render(const RequestText& text) { out_ += text.text; }
  void Render(const RequestSlot& slot) { out_ += SlotText(file_, slot); }
  void Render(const RequestWhen& when) {
    if (!when.condition.is_negated && when.condition.unchanged.empty()) RenderAll(when.body);
  }
  void Render(const RequestEach& each) {
    if (RenderAll(each.body)) out_ += each.between + "…";
  }
  void Render(const RequestChildren& children) {
    if (RenderAll(children.body)) out_ += children.between + "…";
  }
  void Render(const RequestJoined& list) {
    const std::size_t start = out_.size();
    out_ += list.before;
    if (RenderAll(list.members, list.between)) {
      out_ += list.after;
    } else {
      out_.resize(start);
    }
  }

  const LabFile& file_;
  std::string& out_;
};

}  // namespace

void RenderRequest(const RequestTemplate& request, const Population& population,
                   const LabCall& call, std::string& out) {
  RequestRenderer(population, call, out).RenderAll(request.nodes, nullptr);
}

std::string ReadableRequest(const LabFile& file, const RequestTemplate& request) {
  std::string out;
  ReadableRenderer(file, out).RenderAll(request.nodes);
  return out;
}

void AppendEscaped(std::string_view text, std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + QuotedRoom(text));
  const char* const end = PutQuoted(text, out.data() + start);
  out.resize(static_cast<std::size_t>(end - out.data()) - 1);  // without the quotes
  out.erase(start, 1);
}

std::string QuotedJson(std::string_view text) {
  std::string json = "\"";
  AppendEscaped(text, json);
  return json + '"';
}

void AppendText(std::string_view json, RequestNodes& nodes) {
  if (json.empty()) return;
  auto* const last = nodes.empty() ? nullptr : std::get_if<RequestText>(&nodes.back().value);
  if (last != nullptr) {
    last->text += json;
  } else {
    nodes.push_back({RequestText{std::string(json)}});
  }
}

void AppendNodes(RequestNodes more, RequestNodes& nodes) {
  for (RequestNode& node : more) {
    if (const auto* const text = std::get_if<RequestText>(&node.value)) {
      AppendText(text->text, nodes);
    } else {
      nodes.push_back(std::move(node));
    }
  }
}

void AppendSlot(RequestSlot slot, RequestNodes& nodes) {
  slot.part.literal.clear();
  nodes.push_back({std::move(slot)});
}

void AppendKeyTemplate(const LabTemplate& text, int role, RequestSlot::Source source,
                       RequestNodes& nodes) {
  for (const LabTemplatePart& part : text.parts) {
    std::string literal;
    AppendEscaped(part.literal, literal);
    AppendText(literal, nodes);
    if (part.attribute.entity == kLabNone) continue;
    AppendSlot({.source = source, .role = role, .part = part}, nodes);
  }
}

void AppendWhere(RoleCondition condition, RequestNodes body, RequestNodes& nodes) {
  if (condition.IsForAll()) {
    nodes.push_back({RequestJoined{.members = std::move(body)}});
  } else {
    nodes.push_back({RequestWhen{std::move(condition), std::move(body)}});
  }
}

}  // namespace hashrange
