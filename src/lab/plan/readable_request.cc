// ReadableRequest: a template's JSON for readers, without a call.
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include "lab/plan/request_template.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;
using Kind = RequestPiece::Kind;
using Source = RequestSlot::Source;

std::string FormText(const LabTemplatePart& part) {
  switch (part.form) {
    case Form::kAsIs:
      return {};
    case Form::kPadded:
      return ":0" + std::to_string(part.width);
    case Form::kDescend:
      return ":desc" + std::to_string(part.width);
    case Form::kYear:
      return ":year";
    case Form::kMonth:
      return ":month";
    case Form::kDay:
      return ":day";
    case Form::kHour:
      return ":hour";
    case Form::kMinute:
      return ":minute";
    case Form::kLower:
      return ":lower";
    case Form::kUpper:
      return ":upper";
    case Form::kPrefix:
      return ":prefix" + std::to_string(part.width);
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
       {Unit{86'400'000, "d"}, Unit{3'600'000, "h"}, Unit{60'000, "m"}, Unit{1'000, "s"}}) {
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

class ReadableRenderer {
 public:
  ReadableRenderer(const LabFile& file, std::string& out) : file_(file), out_(out) {}

  // Renders pieces that stand behind one another, with `between` between those that render
  // something. Returns whether any did.
  bool RenderAll(std::span<const RequestPiece> pieces, const std::string& between) {
    bool is_first = true;
    for (std::size_t i = 0; i < pieces.size(); i += 1 + pieces[i].length) {
      const std::size_t before = out_.size();
      if (!is_first) out_ += between;
      const std::size_t start = out_.size();
      RenderPiece(pieces.subspan(i, 1 + pieces[i].length));
      if (out_.size() == start) {
        out_.resize(before);
      } else {
        is_first = false;
      }
    }
    return !is_first;
  }

 private:
  void RenderPiece(std::span<const RequestPiece> pieces) {
    const RequestPiece& head = pieces.front();
    const auto body = pieces.subspan(1);
    const std::size_t start = out_.size();
    switch (head.kind) {
      case Kind::kText:
        out_ += head.text;
        return;
      case Kind::kSlot:
        out_ += SlotText(file_, head.slot);
        return;
      case Kind::kWhen:
        if (head.unchanged.empty()) RenderAll(body, {});
        return;
      case Kind::kUnless:
        return;
      case Kind::kEach:
      case Kind::kChildren:
        if (RenderAll(body, {})) out_ += head.text + "…";
        return;
      case Kind::kJoined:
        out_ += head.before;
        if (RenderAll(body, head.text)) {
          out_ += head.after;
        } else {
          out_.resize(start);
        }
        return;
    }
  }

  const LabFile& file_;
  std::string& out_;
};

}  // namespace

std::string ReadableRequest(const LabFile& file, const RequestTemplate& request) {
  std::string out;
  ReadableRenderer(file, out).RenderAll(request.pieces, {});
  return out;
}

}  // namespace hashrange
