#include "lab/run/open_writes.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace hashrange {
namespace {

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

double NumberIn(const std::optional<std::string>& text) {
  double number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
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
  const LabAttributeRef ref = {.entity = place.id.entity, .attribute = place.attribute};
  if (!population_.Has(place.id, ref)) return std::nullopt;
  return population_.Value(place.id, ref);
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
  const auto own = std::find_if(place.open.begin(), place.open.end(),
                                [&](const OpenWrite& one) { return one.call == call; });
  place.open.erase(own);
  std::optional<std::string> value = place.stored;
  for (const OpenWrite& one : place.open) WriteTo(one.value, one.added, value);
  if (value != PresentValue(found->first)) SetValue(found->first, value);
  if (place.open.empty()) places_.erase(found);
}

}  // namespace hashrange
