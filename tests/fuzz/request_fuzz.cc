// Any text as a request's body: it is parsed and bound to every operation's shape; when that
// passes, its attribute values are read and written, and must be JSON again.
#include <cstdint>
#include <string>

#include "base/memory/arena.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/json.h"

namespace {

using namespace hashrange;

// Reads only members that the operation declares: the binder has checked no others.
void ReadValues(const Shape& input, const JsonValue& body, ValidationLayer layer, Arena& arena) {
  for (const ShapeMember& member : input.members) {
    const Shape& shape = *member.shape;
    const JsonValue* map = body.Find(member.name);
    if (!map || shape.kind != ShapeKind::kMap) continue;
    if (shape.element->kind != ShapeKind::kAttributeValue) continue;
    const auto attributes = ReadAttributes(*map, layer, arena);
    if (!attributes.ok()) continue;
    OutputBuffer json;
    JsonWriter writer(json);
    WriteAttributes(*attributes, writer);
    std::string text(json.view());
    if (!ParseJson({text.data(), text.size()}, arena).ok()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  Arena arena;
  const auto body = ParseJson({text.data(), text.size()}, arena);
  if (!body.ok()) return 0;
  for (const OperationShape& operation : OperationShapes()) {
    ValidationLayer layer = operation.layer;
    if (BindRequest(operation, **body, &layer).ok()) {
      ReadValues(*operation.input, **body, layer, arena);
    }
  }
  return 0;
}
