#include "value/attribute_value.h"

#include <algorithm>
#include <cassert>

#include "value/number.h"

namespace hashrange {
namespace {

std::string_view ReadSized(const char*& at) {
  const std::uint32_t size = ReadVarint(at);
  const std::string_view bytes(at, size);
  at += size;
  return bytes;
}

std::size_t SizeBytesAt(ValueView value, int depth) {
  assert(depth <= kMaxValueDepth);
  std::size_t size = 0;
  switch (value.type) {
    case AttributeType::kS:
    case AttributeType::kB:
      return value.size;
    case AttributeType::kN:
      return static_cast<std::size_t>(NumberSizeBytes(value.bytes()));
    case AttributeType::kBool:
    case AttributeType::kNull:
      return 1;
    case AttributeType::kSS:
    case AttributeType::kBS:
      for (SetReader members(value); !members.done();) size += members.Next().size();
      return size;
    case AttributeType::kNS:
      for (SetReader members(value); !members.done();) {
        size += static_cast<std::size_t>(NumberSizeBytes(members.Next()));
      }
      return size;
    case AttributeType::kL:
      for (ListReader elements(value); !elements.done();) {
        size += 1 + SizeBytesAt(elements.Next(), depth + 1);
      }
      return 3 + size;
    case AttributeType::kM:
      for (MapReader entries(value); !entries.done();) {
        const Attribute entry = entries.Next();
        size += 1 + entry.name.size() + SizeBytesAt(entry.value, depth + 1);
      }
      return 3 + size;
  }
  return 0;
}

int DepthAt(ValueView value, int depth) {
  assert(depth <= kMaxValueDepth);
  int deepest = depth;
  if (value.type == AttributeType::kL) {
    for (ListReader elements(value); !elements.done();) {
      deepest = std::max(deepest, DepthAt(elements.Next(), depth + 1));
    }
  } else if (value.type == AttributeType::kM) {
    for (MapReader entries(value); !entries.done();) {
      deepest = std::max(deepest, DepthAt(entries.Next().value, depth + 1));
    }
  }
  return deepest;
}

}  // namespace

std::uint32_t MemberCount(ValueView collection) {
  const char* at = collection.data;
  return ReadVarint(at);
}

CollectionReader::CollectionReader(ValueView collection)
    : at_(collection.data), left_(ReadVarint(at_)) {}

std::string_view SetReader::Next() {
  --left_;
  return ReadSized(at_);
}

ValueView ListReader::Next() {
  --left_;
  return ReadPacked(at_);
}

Attribute MapReader::Next() {
  --left_;
  const std::string_view name = ReadSized(at_);
  return {name, ReadPacked(at_)};
}

std::optional<ValueView> FindEntry(ValueView map, std::string_view name) {
  for (MapReader entries(map); !entries.done();) {
    const Attribute entry = entries.Next();
    const int order = entry.name.compare(name);
    if (order == 0) return entry.value;
    if (order > 0) break;
  }
  return std::nullopt;
}

std::optional<ValueView> FindElement(ValueView list, std::uint64_t index) {
  if (index >= MemberCount(list)) return std::nullopt;
  ListReader elements(list);
  for (; index > 0; --index) elements.Next();
  return elements.Next();
}

bool SetContains(ValueView set, std::string_view member) {
  for (SetReader members(set); !members.done();) {
    const int order = members.Next().compare(member);
    if (order >= 0) return order == 0;
  }
  return false;
}

int Compare(ValueView a, ValueView b) {
  const int order = a.bytes().compare(b.bytes());
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

std::size_t SizeBytes(ValueView value) { return SizeBytesAt(value, 1); }

int NestingDepth(ValueView value) { return DepthAt(value, 1); }

}  // namespace hashrange
