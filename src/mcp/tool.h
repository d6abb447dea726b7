// Tool is what an agent can ask for: its name, the text by which a model chooses it, its arguments,
// what it may change, and its function. The tables of tools are constant data.
//
//   tools/call → CheckArguments → function(ToolCall) → ToolResult, or an error, which is a result
//   that says what to do otherwise
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/agent_target.h"
#include "mcp/report_folder.h"
#include "mcp/tool_arguments.h"
#include "wire/json_writer.h"
#include "wire/object_reader.h"

namespace hashrange {

// What the tools work with. It outlives all calls.
struct ToolPlace {
  AgentTarget& target;
  ReportFolder& reports;
};

// One call of a tool, on one thread.
struct ToolCall {
  ObjectReader& arguments;  // checked
  ToolPlace& place;
  // Becomes true when the client cancels the call or the server ends: the work ends soon.
  std::atomic<bool>& stop;
  // Tells the client how much is done, 0 to 1; may be called often, by any thread.
  const std::function<void(double done)>& progress;
};

struct ToolResult {
  std::string text = {};
  // The same as data: a small JSON object that says all that matters, as some clients show a model
  // nothing else where there is one. Empty: none.
  std::string structured = {};
};

using ToolFunction = Result<ToolResult> (*)(ToolCall& call);

// What a call may change in the tables or in what is measured.
enum class ToolEffect : std::uint8_t {
  kReads,    // nothing
  kAdds,     // it adds something, and removes and replaces nothing
  kDestroys  // it may remove or replace what is there
};

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::span<const ToolArgument> arguments = {};
  // The JSON Schema of ToolResult::structured, which each result has then. Empty: none is promised.
  std::string_view output_schema = {};
  ToolEffect effect = ToolEffect::kReads;
  bool is_idempotent = true;  // a second call with the same arguments changes nothing more
  bool takes_long = false;    // it runs beside the tools that work on tables
  bool needs_tables = true;   // it may call the target, which may be slow to answer
  ToolFunction function = nullptr;
};

// The tools of each group, each in the file of its name.
std::span<const Tool> RequestTools();
std::span<const Tool> ExplainTools();
std::span<const Tool> TableTools();
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
