#include "lab/plan/request_template.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

#include "base/time_text.h"
#include "lab/language/data/placeholder_form.h"
#include "lab/language/data/value_text.h"
#include "lab/plan/call_values.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/read_question.h"
#include "wire/json_text.h"

namespace hashrange {
namespace {

using Kind = RequestPiece::Kind;
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
  std::from_chars(out.data() + from, out.data() + out.size(), number);
  out.resize(from);
  constexpr int kDecimals = 10;  // of the product; more would show how doubles are rounded
  AppendDecimal(number * factor, kDecimals, out);
}

// The instance for which a role stands within a piece of kEach or kChildren.
struct BoundRole {
  int role = kLabNone;
  std::size_t place = 0;
  InstanceId id = {};
  const BoundRole* outer = nullptr;
};

class RequestRenderer {
 public:
  RequestRenderer(const Population& population, const LabCall& call, std::string& out)
      : population_(population), call_(call), values_(population, call), out_(out) {}

  void RenderAll(std::span<const RequestPiece> pieces, const BoundRole* bound) {
    for (std::size_t i = 0; i < pieces.size(); i += 1 + pieces[i].length) {
      RenderPiece(pieces.subspan(i, 1 + pieces[i].length), bound);
    }
  }

 private:
  // Renders the first piece, whose own pieces are the others.
  void RenderPiece(std::span<const RequestPiece> pieces, const BoundRole* bound) {
    const RequestPiece& head = pieces.front();
    switch (head.kind) {
      case Kind::kText:
        out_ += head.text;
        return;
      case Kind::kSlot:
        RenderSlot(head.slot, bound);
        return;
      case Kind::kWhen:
      case Kind::kUnless:
        if (Applies(head, bound)) RenderAll(pieces.subspan(1), bound);
        return;
      case Kind::kEach:
        RenderEach(head, pieces.subspan(1), bound);
        return;
      case Kind::kJoined:
        RenderJoined(head, pieces.subspan(1), bound);
        return;
      case Kind::kChildren:
        RenderChildren(head, pieces.subspan(1), bound);
        return;
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

  bool Applies(const RequestPiece& head, const BoundRole* bound) const {
    const InstanceId id = InstanceOf(head.role, bound);
    if (id.entity == kLabNone) return false;
    const bool after = !head.is_before;
    const auto has = [&](LabAttributeRef one) { return values_.Has(id, one, after); };
    const auto changes = [&](LabAttributeRef one) { return values_.Changes(id, one); };
    const bool holds =
        std::all_of(head.has.begin(), head.has.end(), has) &&
        values_.Matches(id, head.when, after) &&
        (head.changed.empty() || std::any_of(head.changed.begin(), head.changed.end(), changes)) &&
        std::none_of(head.unchanged.begin(), head.unchanged.end(), changes);
    return holds == (head.kind == Kind::kWhen);
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

  void RenderEach(const RequestPiece& head, std::span<const RequestPiece> body,
                  const BoundRole* bound) {
    const auto instances = Instances(head.role);
    const LabCallWindow& window = call_.window;
    const bool is_limited =
        window.role != kLabNone &&
        (window.role == head.role ||
         std::find(head.beside.begin(), head.beside.end(), window.role) != head.beside.end());
    const std::size_t first = is_limited ? window.from : 0;
    const std::size_t last = is_limited ? std::min(window.to, instances.size()) : instances.size();
    bool is_first = true;
    for (std::size_t place = first; place < last; ++place) {
      if (!IsOfBound(instances[place], bound)) continue;
      const auto begin = instances.begin() + static_cast<std::ptrdiff_t>(first);
      const auto here = instances.begin() + static_cast<std::ptrdiff_t>(place);
      if (!head.beside.empty() && std::find(begin, here, *here) != here) continue;
      const std::size_t before = out_.size();
      if (!is_first) out_ += head.text;
      const std::size_t start = out_.size();
      RenderBeside(head.beside, {head.role, place, instances[place], bound}, body);
      if (out_.size() == start) {
        out_.resize(before);
      } else {
        is_first = false;
      }
    }
  }

  void RenderBeside(std::span<const int> beside, const BoundRole& bound,
                    std::span<const RequestPiece> body) {
    if (beside.empty()) return RenderAll(body, &bound);
    const auto instances = Instances(beside.front());
    const InstanceId id = bound.place < instances.size() ? instances[bound.place] : InstanceId();
    RenderBeside(beside.subspan(1), {beside.front(), bound.place, id, &bound}, body);
  }

  void RenderChildren(const RequestPiece& head, std::span<const RequestPiece> body,
                      const BoundRole* bound) {
    const InstanceId id = InstanceOf(head.of_role, bound);
    if (id.entity == kLabNone) return;
    const int parent =
        population_.file().entities[static_cast<std::size_t>(head.child_entity)].parent;
    // The list is shared by all levels, each of which takes off what it put there.
    const std::size_t begin = children_.size();
    population_.AppendChildren(population_.AncestorOf(id, parent), head.child_entity, children_);
    const std::size_t end = children_.size();
    const auto excepted = Instances(head.except);
    bool is_first = true;
    for (std::size_t i = begin; i < end; ++i) {
      const InstanceId child = children_[i];
      if (std::find(excepted.begin(), excepted.end(), child) != excepted.end()) continue;
      if (!is_first) out_ += head.text;
      is_first = false;
      const BoundRole bound_child = {head.role, i, child, bound};
      RenderAll(body, &bound_child);
    }
    children_.resize(begin);
  }

  void RenderJoined(const RequestPiece& head, std::span<const RequestPiece> body,
                    const BoundRole* bound) {
    const std::size_t begin = out_.size();
    out_ += head.before;
    bool is_first = true;
    for (std::size_t i = 0; i < body.size(); i += 1 + body[i].length) {
      const std::size_t before = out_.size();
      if (!is_first) out_ += head.text;
      const std::size_t start = out_.size();
      RenderPiece(body.subspan(i, 1 + body[i].length), bound);
      if (out_.size() == start) {
        out_.resize(before);
      } else {
        is_first = false;
      }
    }
    if (is_first) {
      out_.resize(begin);
    } else {
      out_ += head.after;
    }
  }

  void RenderSlot(const RequestSlot& slot, const BoundRole* bound) {
    if (slot.source == Source::kShard) return AppendInteger(call_.shard, out_);
    const std::size_t start = out_.size();
    if (slot.source == Source::kNow) {
      AppendNow(slot);
    } else if (slot.source == Source::kBucket) {
      AppendIsoTime(
          TimeInBucket(slot.buckets, call_.now_epoch_ms, static_cast<std::size_t>(call_.shard)),
          out_);
    } else {
      AppendSlotValue(slot, bound);
    }
    if (out_.size() == start) return;
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

// Returns how many shards, or periods, the call asks.
std::size_t CountShards(const PlanStep& step, const LabCall& call) {
  return step.buckets ? CountBuckets(*step.buckets, call.now_epoch_ms)
                      : static_cast<std::size_t>(step.shards);
}

}  // namespace

void RenderRequest(const RequestTemplate& request, const Population& population,
                   const LabCall& call, std::string& out) {
  RequestRenderer(population, call, out).RenderAll(request.pieces, nullptr);
}

void AppendEscaped(std::string_view text, std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + QuotedRoom(text));
  const char* const end = PutQuoted(text, out.data() + start);
  out.resize(static_cast<std::size_t>(end - out.data()) - 1);  // without the quotes
  out.erase(start, 1);
}

void AppendText(std::string_view json, std::vector<RequestPiece>& pieces) {
  if (json.empty()) return;
  // The last piece is at the outermost level when walking from group to group meets it.
  std::size_t last = 0;
  for (std::size_t i = 0; i < pieces.size(); i += 1 + pieces[i].length) last = i;
  if (!pieces.empty() && last + 1 == pieces.size() && pieces.back().kind == Kind::kText) {
    pieces.back().text += json;
    return;
  }
  pieces.push_back({.kind = Kind::kText, .text = std::string(json)});
}

void AppendSlot(RequestSlot slot, std::vector<RequestPiece>& pieces) {
  slot.part.literal.clear();
  pieces.push_back({.kind = Kind::kSlot, .slot = std::move(slot)});
}

void AppendPieces(std::vector<RequestPiece> more, std::vector<RequestPiece>& pieces) {
  for (std::size_t i = 0; i < more.size();) {
    if (more[i].kind == Kind::kText) {
      AppendText(more[i].text, pieces);
      ++i;
      continue;
    }
    for (const std::size_t end = i + 1 + more[i].length; i < end; ++i) {
      pieces.push_back(std::move(more[i]));
    }
  }
}

void AppendKeyTemplate(const LabTemplate& text, int role, RequestSlot::Source source,
                       std::vector<RequestPiece>& pieces) {
  for (const LabTemplatePart& part : text.parts) {
    std::string literal;
    AppendEscaped(part.literal, literal);
    AppendText(literal, pieces);
    if (part.attribute.entity == kLabNone) continue;
    AppendSlot({.source = source, .role = role, .part = part}, pieces);
  }
}

void AppendGroup(RequestPiece head, std::vector<RequestPiece> body,
                 std::vector<RequestPiece>& pieces) {
  head.length = body.size();
  pieces.push_back(std::move(head));
  std::move(body.begin(), body.end(), std::back_inserter(pieces));
}

std::size_t CountRequests(const PlanStep& step, const LabCall& call) {
  const std::size_t shards = CountShards(step, call);
  if (step.each == kLabNone || step.each_once) return shards;
  const std::size_t instances = call.roles[static_cast<std::size_t>(step.each)].size();
  if (instances <= step.each_from) return 0;
  return shards * ((instances - step.each_from + step.each_count - 1) / step.each_count);
}

void SelectRequest(const PlanStep& step, std::size_t number, LabCall& call) {
  const std::size_t shards = CountShards(step, call);
  call.shard = static_cast<int>(number % shards);
  call.window = {};
  if (step.each == kLabNone) return;
  const std::size_t from = step.each_from + number / shards * step.each_count;
  call.window = {.role = step.each, .from = from, .to = from + step.each_count};
}

}  // namespace hashrange
