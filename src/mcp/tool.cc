#include "mcp/tool.h"

#include <algorithm>
#include <string>

#include "base/text/nearest_name.h"

namespace hashrange {
namespace {

std::vector<const Tool*> AllTools() {
  std::vector<const Tool*> tools;
  for (const std::span<const Tool> group : {RequestTools(), ExplainTools(), TableTools(),
                                            LabTools(), MeasurementTools(), StateTools()}) {
    for (const Tool& tool : group) tools.push_back(&tool);
  }
  return tools;
}

void WriteTool(const Tool& tool, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("name", tool.name);
  writer.StringMember("title", tool.title);
  writer.StringMember("description", tool.description);
  writer.Name("inputSchema");
  WriteArgumentSchema(tool.arguments, writer);
  if (!tool.output_schema.empty()) writer.RawMember("outputSchema", tool.output_schema);
  writer.BeginObject("annotations");
  writer.BoolMember("readOnlyHint", tool.effect == ToolEffect::kReads);
  writer.BoolMember("destructiveHint", tool.effect == ToolEffect::kDestroys);
  writer.BoolMember("idempotentHint", tool.is_idempotent);
  writer.BoolMember("openWorldHint", false);
  writer.EndObject();
  writer.EndObject();
}

}  // namespace

ToolTable::ToolTable(bool is_read_only) : tools_(AllTools()) {
  if (!is_read_only) return;
  std::erase_if(tools_, [](const Tool* tool) { return tool->effect != ToolEffect::kReads; });
}

const Tool* ToolTable::Find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tools_, [name](const Tool* tool) { return tool->name == name; });
  return found == tools_.end() ? nullptr : *found;
}

std::string ToolTable::UnknownToolSentence(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Tool* const tool : tools_) names.push_back(tool->name);
  for (const Tool* const tool : AllTools()) {
    if (tool->name == name) return std::string(name) + " is not offered: the server is read-only";
  }
  return UnknownNameSentence("tool", name, names);
}

void ToolTable::WriteList(JsonWriter& writer) const {
  writer.BeginArray();
  for (const Tool* const tool : tools_) WriteTool(*tool, writer);
  writer.EndArray();
}

}  // namespace hashrange
