#include "cli/measure_output.h"

#include <utility>

#include "base/output_buffer.h"
#include "base/output_folder.h"
#include "measure/report/measure_report.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

Status PrintJsonReport(const std::vector<ReportInput>& inputs) {
  OutputBuffer json;
  JsonWriter writer(json);
  WriteReportJson(inputs, writer);
  return PrintJson(json.view());
}

Status WriteHtmlReport(const std::vector<ReportInput>& inputs, const std::string& path) {
  HR_ASSIGN(OutputFile file, OutputFile::Open(path));
  return file.WriteWhole(HtmlReport(inputs));
}

}  // namespace

Status PrintReply(const HttpReply& reply, CtlOutput output) {
  if (PrintAnswer(reply, output)) return {};
  return Error{ErrorCode::kInternalServerError, "cannot write the answer", nullptr};
}

Status PrintText(std::string text) {
  return PrintReply({200, "text/plain", std::move(text)}, CtlOutput::kAsItCame);
}

Status PrintJson(std::string_view json) {
  return PrintReply({200, "application/json", std::string(json)}, ChooseOutput(true));
}

TextReportForm StdoutReportForm() {
  TextReportForm form;
  form.has_colour = ChooseOutput(false) == CtlOutput::kTable;
  form.columns = StdoutColumns().value_or(form.columns);
  return form;
}

Status WriteReports(const std::vector<ReportInput>& inputs, const MeasureLine& line,
                    const std::string& introduction) {
  const bool is_html = !line.output.empty();
  if (is_html && line.asks_for_json) return ValidationError("--html and --json exclude each other");
  if (is_html) return WriteHtmlReport(inputs, line.output);
  if (line.asks_for_json) return PrintJsonReport(inputs);
  return PrintText(introduction + TextReport(inputs, StdoutReportForm()));
}

}  // namespace hashrange
