// The tool that makes a lab file from models that people have already (docs/lab-import.md).
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/import/lab_import.h"
#include "mcp/lab_argument.h"
#include "mcp/tool_table.h"
#include "mcp/tool_text.h"

namespace hashrange {
namespace {

constexpr std::string_view kKindValues[] = {"schema",    "tables",   "measurement", "data-model",
                                            "workbench", "onetable", "electrodb"};

constexpr ToolArgument kImportArguments[] = {
    {.name = "paths",
     .type = ArgumentType::kTexts,
     .is_required = true,
     .description =
         "The files of one model, on this machine; of tables, definitions with the files "
         "of their items behind them, or folders; of ElectroDB, one or several entities"},
    {.name = "kind",
     .description = "What the files are; without it, their content shows it",
     .values = kKindValues}};

// The library names the option of the command line, where the tool has an argument.
Error WithArgumentName(Error error) {
  constexpr std::string_view kOption = "--as names";
  const std::size_t at = error.message.find(kOption);
  if (at != std::string::npos) error.message.replace(at, kOption.size(), "\"kind\" names");
  return error;
}

Result<ToolResult> ImportModel(ToolCall& call) {
  std::optional<ImportKind> kind;
  if (const auto name = call.arguments.Text("kind")) kind = ImportKindNamed(*name);
  const std::vector<std::string> paths = call.arguments.Texts("paths");
  for (const std::string& path : paths) {
    if (path == "-") return ValidationError("\"-\" is stdin, which the tool does not read");
    HR_RETURN_IF_ERROR(CheckIsStored(path));
  }
  Result<ImportedLab> imported = ImportLab(paths, kind);
  if (!imported.ok()) return WithArgumentName(imported.error());
  const ImportedLab& lab = *imported;
  std::string text = FileLine("lab file", call.place.reports, "imported.lab.yaml", lab.text);
  for (const std::string& remark : lab.remarks) text += "note: " + remark + "\n";
  text += lab.text;
  return ToolResult{.text = BoundedText(std::move(text), call.place.reports, "imported.txt")};
}

constexpr Tool kImportTools[] = {
    {.name = "lab_import",
     .title = "Make a lab file from a model",
     .description =
         "Makes a lab file from what there is already: CreateTable inputs or DescribeTable answers "
         "with items, a measurement, a model of NoSQL Workbench, OneTable or ElectroDB, AWS Labs' "
         "schema.json or dynamodb_data_model.json. The file is written, and its text is returned "
         "with notes about what was left out or guessed: check rates and counts before a run.",
     .arguments = kImportArguments,
     .effect = ToolEffect::kReads,
     .takes_long = true,
     .function = ImportModel}};

}  // namespace

std::span<const Tool> ImportTools() { return kImportTools; }

}  // namespace hashrange
