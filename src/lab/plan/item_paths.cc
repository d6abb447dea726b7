#include "lab/plan/item_paths.h"

#include "lab/plan/name_list.h"

namespace hashrange {

KeyText LiteralText(std::string_view literal) { return {KeyPiece{.text = std::string(literal)}}; }

ItemPath PathOfName(const std::string& name) { return {{name, LiteralText(name)}}; }

LabAttributeRef ItemPaths::HeldAs(const LabItem& item, LabAttributeRef ref) const {
  const std::vector<LabAttributeRef> held = HeldAttributes(input(), item);
  for (const LabAttributeRef one : held) {
    if (one == ref) return one;
  }
  for (const LabAttributeRef one : held) {
    if (IsSameValue(file(), one, ref)) return one;
  }
  return {};
}

bool ItemPaths::IsInKey(const std::string& name) const {
  const LabIndex* index = IndexOf(question_.layout, key_);
  if (index == nullptr || index->projection == LabIndex::Projection::kAll) return true;
  const LabTable& table = TableOf(question_.layout, key_);
  return HasName(index->included, name) || HasName(table.hash, name) ||
         HasName(table.range, name) || HasName(index->hash, name) || HasName(index->range, name);
}

bool ItemPaths::IsDirect(const LabEmbedding& embedding) const {
  return EmbeddingOf(question_.layout, embedding.parent) == nullptr;
}

ItemPath ItemPaths::PathOfPart(const LabEmbedding& embedding) const {
  if (!IsDirect(embedding)) {
    return PathOfPart(*EmbeddingOf(question_.layout, embedding.parent));
  }
  ItemPath path = PathOfName(embedding.attribute);
  if (embedding.map_by == kLabNone) return path;
  const LabAttributeRef key = {embedding.entity, embedding.map_by};
  std::optional<KeyPiece> known = KnownValue(question_, {.attribute = key});
  if (known) {
    path.push_back({.hint = LabAttributeAt(file(), key).name, .name = KeyText{std::move(*known)}});
  }
  return path;
}

}  // namespace hashrange
