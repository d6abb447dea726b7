#include "expression/binding.h"
#include "expression/path.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

// The piece of one value that a projection returns: the whole value, or parts of a map or a
// list. The tree of pieces is at most as deep as the value.
struct Piece {
  std::string_view name;    // the name of an entry of a map
  ValueView value;          // the value itself; with parts, the map or list that has them
  std::uint32_t parts = 0;  // 0: the piece is the whole value
  Piece* first_part = nullptr;
  Piece* next = nullptr;
};

Piece* SelectPiece(const PathNode& node, ValueView value, Arena& arena);

void AddPart(Piece* whole, Piece** last, Piece* part) {
  if (!part) return;
  (*last ? (*last)->next : whole->first_part) = part;
  *last = part;
  ++whole->parts;
}

// The children of a node and the entries of a map both ascend by name: one pass over each.
void SelectEntries(const PathNode* child, Piece* whole, Arena& arena) {
  Piece* last = nullptr;
  for (MapReader entries(whole->value); child && !entries.done();) {
    const Attribute entry = entries.Next();
    while (child && child->element.name < entry.name) child = child->next_sibling;
    if (!child || child->element.name != entry.name) continue;
    Piece* const part = SelectPiece(*child, entry.value, arena);
    if (part) part->name = entry.name;
    AddPart(whole, &last, part);
  }
}

void SelectElements(const PathNode* child, Piece* whole, Arena& arena) {
  Piece* last = nullptr;
  std::uint64_t index = 0;
  for (ListReader elements(whole->value); child && !elements.done(); ++index) {
    const ValueView element = elements.Next();
    if (child->element.index != index) continue;
    AddPart(whole, &last, SelectPiece(*child, element, arena));
    child = child->next_sibling;
  }
}

// Returns null when the value has nothing that the node asks for.
Piece* SelectPiece(const PathNode& node, ValueView value, Arena& arena) {
  Piece* const piece = arena.New<Piece>();
  piece->value = value;
  if (node.ends_path()) return piece;
  const bool asks_elements = node.first_child->element.is_index;
  if (value.type == AttributeType::kM && !asks_elements) {
    SelectEntries(node.first_child, piece, arena);
  } else if (value.type == AttributeType::kL && asks_elements) {
    SelectElements(node.first_child, piece, arena);
  }
  return piece->parts > 0 ? piece : nullptr;
}

void WritePiece(const Piece& piece, ValueWriter* writer) {
  if (piece.parts == 0) {
    writer->Value(piece.value);
    return;
  }
  const bool is_map = piece.value.type == AttributeType::kM;
  is_map ? writer->BeginMap(piece.parts) : writer->BeginList(piece.parts);
  for (const Piece* part = piece.first_part; part; part = part->next) {
    if (is_map) writer->Name(part->name);
    WritePiece(*part, writer);
  }
  writer->End();
}

}  // namespace

std::span<const Attribute> Projection::Apply(ItemView item, Arena& arena) const {
  if (!item.exists()) return {};
  if (!root_) return item.Attributes(arena);
  // Each path adds one attribute at most.
  const std::span<Attribute> attributes = arena.NewArray<Attribute>(paths_.size());
  std::size_t count = 0;
  for (const PathNode* node = root_->first_child; node; node = node->next_sibling) {
    const std::optional<ValueView> value = item.Find(node->element.name);
    if (!value) continue;
    if (node->ends_path()) {
      attributes[count++] = {node->element.name, *value};
    } else if (const Piece* const piece = SelectPiece(*node, *value, arena)) {
      ValueWriter writer(arena);
      WritePiece(*piece, &writer);
      attributes[count++] = {node->element.name, writer.Finish()};
    }
  }
  return attributes.first(count);
}

Result<Projection> BindProjection(std::string_view text, Placeholders& placeholders, Arena& arena) {
  HR_ASSIGN(const Ast* ast, ParseChecked(ExpressionKind::kProjection, text));
  const AstBinding from{ExpressionKind::kProjection, *ast, text, placeholders, arena};
  const std::span<Path> paths = arena.NewArray<Path>(ast->nodes.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    HR_ASSIGN(paths[i], BindPath(from, ast->nodes[i]));
  }
  HR_RETURN_IF_ERROR(CheckPathsDistinct(ExpressionKind::kProjection, paths, arena));
  return Projection(BuildPathTree(paths, arena), paths);
}

Projection ProjectAttributes(std::span<const std::string_view> names, Arena& arena) {
  const std::span<PathElement> elements = arena.NewArray<PathElement>(names.size());
  const std::span<Path> paths = arena.NewArray<Path>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    elements[i].name = names[i];
    paths[i] = elements.subspan(i, 1);
  }
  return Projection(BuildPathTree(paths, arena), paths);
}

}  // namespace hashrange
