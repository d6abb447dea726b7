#include "cli/terminal/program_output.h"

#include <cstdio>

#include "base/memory/output_buffer.h"
#include "measure/report/readable_text.h"
#include "platform/streams.h"

namespace hashrange {

OutputForm ChooseOutput(bool asks_for_json) {
  if (!StdoutIsTerminal()) return OutputForm::kAsItCame;
  return asks_for_json ? OutputForm::kJson : OutputForm::kTable;
}

TextReportForm StdoutReportForm() {
  TextReportForm form;
  form.has_colour = ChooseOutput(false) == OutputForm::kTable;
  form.columns = StdoutColumns().value_or(form.columns);
  return form;
}

Status PrintText(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.empty() && !text.ends_with('\n')) std::fputc('\n', stdout);
  // A text that is longer than the buffer may have failed before the flush.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  return InternalError("cannot write the answer");
}

Status PrintJson(std::string_view json) {
  const bool is_for_person = ChooseOutput(true) == OutputForm::kJson;
  return PrintText(is_for_person ? IndentJson(ReadableJson(json)) : std::string(json));
}

Status PrintJson(const std::function<void(JsonWriter&)>& write) {
  return PrintJson(WrittenJson(write));
}

std::string WrittenJson(const std::function<void(JsonWriter&)>& write) {
  OutputBuffer json;
  JsonWriter writer(json);
  write(writer);
  return std::string(json.view());
}

std::string IndentJson(std::string_view json) {
  std::string text;
  std::size_t depth = 0;
  bool in_string = false;
  const auto new_line = [&] { text.append("\n").append(2 * depth, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const char next = i + 1 < json.size() ? json[i + 1] : '\0';
    if (in_string) {
      text.push_back(c);
      if (c == '\\' && next != '\0') text.push_back(json[++i]);
      in_string = c != '"';
      continue;
    }
    const bool opens = c == '{' || c == '[';
    const bool closes = c == '}' || c == ']';
    if (opens && (next == '}' || next == ']')) {
      text.push_back(c);
      text.push_back(json[++i]);
      continue;
    }
    if (closes && depth > 0) {
      --depth;
      new_line();
    }
    text.push_back(c);
    if (opens) ++depth;
    if (opens || c == ',') new_line();
    if (c == ':') text.push_back(' ');
    in_string = c == '"';
  }
  return text;
}

void PrintError(std::string_view why) {
  std::fprintf(stderr, "hashrange: %s\n", ReadableText(why).c_str());
}

int FailWith(const Error& error) {
  PrintError(error.message);
  return error.code == ErrorCode::kValidationException ? kUsageError : kFailure;
}

}  // namespace hashrange
