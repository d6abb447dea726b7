#include "cli/lab_input.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/file_text.h"
#include "base/nearest_name.h"
#include "cli/ctl_answer.h"
#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

constexpr std::string_view kStdin = "-";

Result<std::string> ReadStdin() {
  HR_ASSIGN(std::string text, ReadStdinText());
  if (text.empty()) return ValidationError("there is nothing on stdin");
  return text;
}

// Returns `"plain", "sharded"`.
std::string QuotedList(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) {
    list.append(list.empty() ? "\"" : ", \"").append(name).append("\"");
  }
  return list;
}

}  // namespace

Result<LabFile> LoadLabFile(const std::string& name) {
  const bool is_stdin = name == kStdin;
  HR_ASSIGN(const std::string text, is_stdin ? ReadStdin() : ReadFileText(name));
  HR_ASSIGN(LabFile file, ReadLabFile(text, is_stdin ? "stdin" : name));
  for (const std::string& warning : file.warnings) PrintCtlError("warning: " + warning);
  return file;
}

Status CheckLayoutNames(const LabFile& file, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const LabLayout& layout : file.layouts) known.push_back(layout.name);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string sentence = UnknownNameSentence("layout", name, known);
    sentence += sentence.ends_with('?') ? " The file has " : ". The file has ";
    return ValidationError(sentence + QuotedList(known));
  }
  return {};
}

}  // namespace hashrange
