#include "expression/placeholders.h"

#include <algorithm>
#include <string>
#include <vector>

namespace hashrange {
namespace {

// Up to this number of entries, each look-up compares one after the other. A request may have
// a million entries: comparing all of them for each word of an expression would take seconds.
constexpr std::size_t kMaxSearchedOneByOne = 16;

template <typename Entry>
void SortByPlaceholder(std::span<Entry> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].sent = static_cast<std::uint32_t>(i);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.placeholder < b.placeholder; });
}

template <typename Entry>
Entry* FindAndMarkUsed(std::span<Entry> entries, bool* sorted, std::string_view placeholder) {
  auto found = entries.end();
  if (entries.size() <= kMaxSearchedOneByOne) {
    found = std::find_if(entries.begin(), entries.end(),
                         [&](const Entry& entry) { return entry.placeholder == placeholder; });
  } else {
    if (!*sorted) SortByPlaceholder(entries);
    *sorted = true;
    found = std::lower_bound(
        entries.begin(), entries.end(), placeholder,
        [](const Entry& entry, std::string_view wanted) { return entry.placeholder < wanted; });
    if (found != entries.end() && found->placeholder != placeholder) found = entries.end();
  }
  if (found == entries.end()) return nullptr;
  found->used = true;
  return &*found;
}

// Returns "{#a, #b}", or an empty string when all are used.
template <typename Entry>
std::string ListUnused(std::span<const Entry> entries) {
  std::vector<const Entry*> unused;
  for (const Entry& entry : entries) {
    if (!entry.used) unused.push_back(&entry);
  }
  if (unused.empty()) return {};
  // Entries that were never sorted all have the same `sent`: a stable sort keeps their order.
  std::stable_sort(unused.begin(), unused.end(),
                   [](const Entry* a, const Entry* b) { return a->sent < b->sent; });
  std::string text = "{";
  for (const Entry* entry : unused) {
    if (text.size() > 1) text += ", ";
    text += entry->placeholder;
  }
  return text + '}';
}

}  // namespace

const std::string_view* Placeholders::UseName(std::string_view placeholder) {
  const NameEntry* const entry = FindAndMarkUsed(names_, &names_sorted_, placeholder);
  return entry ? &entry->name : nullptr;
}

const ValueView* Placeholders::UseValue(std::string_view placeholder) {
  const ValueEntry* const entry = FindAndMarkUsed(values_, &values_sorted_, placeholder);
  return entry ? &entry->value : nullptr;
}

Status Placeholders::CheckAllUsed() const {
  if (const std::string names = ListUnused<NameEntry>(names_); !names.empty()) {
    return ValidationError(
        "Value provided in ExpressionAttributeNames unused in expressions: keys: " + names);
  }
  if (const std::string values = ListUnused<ValueEntry>(values_); !values.empty()) {
    return ValidationError(
        "Value provided in ExpressionAttributeValues unused in expressions: keys: " + values);
  }
  return {};
}

}  // namespace hashrange
