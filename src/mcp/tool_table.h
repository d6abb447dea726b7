// The tools of `hashrange mcp`, in the order in which they are listed. Any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mcp/tool.h"
#include "wire/json_writer.h"

namespace hashrange {

// The tools of each group, each in the file of its name.
std::span<const Tool> RequestTools();
std::span<const Tool> ExplainTools();
std::span<const Tool> TableTools();
std::span<const Tool> ImportTools();
std::span<const Tool> LabTools();
std::span<const Tool> MeasurementTools();
std::span<const Tool> StateTools();

class ToolTable {
 public:
  // `is_read_only`: tools that change anything are left out.
  explicit ToolTable(bool is_read_only);

  const Tool* Find(std::string_view name) const;  // null: there is none
  // Returns a sentence about a tool that Find does not have.
  std::string UnknownToolSentence(std::string_view name) const;
  // Writes the list of all tools, as tools/list answers it: [{"name":…}].
  void WriteList(JsonWriter& writer) const;

 private:
  std::vector<const Tool*> tools_;
};

}  // namespace hashrange
