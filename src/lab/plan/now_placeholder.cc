#include "lab/plan/now_placeholder.h"

#include "base/duration.h"
#include "lab/language/lab_templates.h"

namespace hashrange {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Sets the form of the time, which is a part of ISO 8601 or a number. Returns whether it is one.
bool SetForm(std::string_view name, RequestSlot& slot) {
  using TimeForm = LabGenerator::TimeForm;
  if (const auto part = TimeFormNamed(name)) {
    slot.part.form = *part;
    return true;
  }
  slot.now_form = name == "seconds"        ? TimeForm::kSeconds
                  : name == "milliseconds" ? TimeForm::kMilliseconds
                                           : TimeForm::kIso;
  return slot.now_form != TimeForm::kIso;
}

// Returns what stands for the text within the braces, such as `now - 7d:month`.
std::optional<RequestSlot> SlotOfNow(std::string_view inner) {
  constexpr std::string_view kNow = "now";
  if (!inner.starts_with(kNow)) return std::nullopt;
  RequestSlot slot = {.source = RequestSlot::Source::kNow};
  std::string_view offset = inner.substr(kNow.size());
  if (const std::size_t colon = offset.find(':'); colon != std::string_view::npos) {
    if (!SetForm(Trim(offset.substr(colon + 1)), slot)) return std::nullopt;
    offset = offset.substr(0, colon);
  }
  offset = Trim(offset);
  if (offset.empty()) return slot;
  const bool is_before = offset.front() == '-';
  if (!is_before && offset.front() != '+') return std::nullopt;
  const auto duration = ParseDuration(Trim(offset.substr(1)));
  if (!duration) return std::nullopt;
  slot.offset_ms = is_before ? -*duration : *duration;
  return slot;
}

}  // namespace

std::optional<NowPlaceholder> FindNowPlaceholder(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') continue;
    if (text.substr(at).starts_with("{{")) {
      ++at;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    std::optional<RequestSlot> slot = SlotOfNow(Trim(text.substr(at + 1, end - at - 1)));
    if (slot) return NowPlaceholder{at, end + 1, *slot};
    at = end;
  }
  return std::nullopt;
}

}  // namespace hashrange
