#include "expression/path.h"

namespace hashrange {

std::optional<ValueView> Descend(Path path, ValueView from) {
  for (const PathElement& element : path) {
    std::optional<ValueView> child;
    if (element.is_index) {
      if (from.type == AttributeType::kL) child = FindElement(from, element.index);
    } else {
      if (from.type == AttributeType::kM) child = FindEntry(from, element.name);
    }
    if (!child) return std::nullopt;
    from = *child;
  }
  return from;
}

std::optional<ValueView> Resolve(Path path, ItemView item) {
  const std::optional<ValueView> attribute = item.Find(path.front().name);
  if (!attribute) return std::nullopt;
  return Descend(path.subspan(1), *attribute);
}

std::string PrintPath(Path path) {
  std::string text = "[";
  for (const PathElement& element : path) {
    if (text.size() > 1) text += ", ";
    if (element.is_index) {
      text += '[' + std::to_string(element.index) + ']';
    } else {
      text += element.name;
    }
  }
  return text + ']';
}

}  // namespace hashrange
