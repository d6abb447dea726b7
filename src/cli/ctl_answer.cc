#include "cli/ctl_answer.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "cli/answer_table.h"
#include "cli/json_layout.h"
#include "measure/report/readable_text.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr std::size_t kUsualColumns = 80;

std::string TableText(const std::string& body) {
  Arena arena;
  std::string text = body;
  const std::size_t size = text.size();
  text.push_back('\0');  // the parser needs a terminator
  const auto json = ParseJsonData({text.data(), size}, JsonDialect::kDocument, arena);
  return json.ok() ? AnswerTable(**json, StdoutColumns().value_or(kUsualColumns))
                   : ReadableText(body);
}

// Returns the lines of a text that is not one JSON document, so that they control no terminal.
std::string TerminalLines(std::string_view text, bool has_json_lines) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines += has_json_lines ? ReadableJson(line) : ReadableText(line);
    text.remove_prefix(line.size());
    if (text.empty()) break;
    lines += '\n';
    text.remove_prefix(1);
  }
  return lines;
}

std::string AnswerText(const HttpReply& reply, CtlOutput output, AnswerWriter writer) {
  if (output == CtlOutput::kAsItCame) return reply.body;
  if (reply.content_type != "application/json") {
    return TerminalLines(reply.body, reply.content_type == "application/x-ndjson");
  }
  if (output == CtlOutput::kTable && writer) {
    const auto text = writer(reply.body, StdoutColumns().value_or(kUsualColumns));
    if (text) return *text;
  }
  return output == CtlOutput::kTable ? TableText(reply.body) : IndentJson(ReadableJson(reply.body));
}

}  // namespace

std::optional<std::size_t> StdoutColumns() {
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? std::optional<std::size_t>(size.ws_col) : std::nullopt;
}

CtlOutput ChooseOutput(bool asks_for_json) {
  if (::isatty(STDOUT_FILENO) != 1) return CtlOutput::kAsItCame;
  return asks_for_json ? CtlOutput::kJson : CtlOutput::kTable;
}

bool PrintAnswer(const HttpReply& reply, CtlOutput output, AnswerWriter writer) {
  const std::string text = AnswerText(reply, output, writer);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.empty() && !text.ends_with('\n')) std::fputc('\n', stdout);
  // A text that is longer than the buffer may have failed before the flush.
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

void PrintCtlError(std::string_view why) {
  std::fprintf(stderr, "hashrange: %s\n", ReadableText(why).c_str());
}

}  // namespace hashrange
