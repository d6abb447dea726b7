#include "lab/import/lab_draft.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "lab/file/lab_reader.h"
#include "lab/import/yaml_text.h"

namespace hashrange {
namespace {

constexpr std::string_view kName = "lab";
// A model of which more parts are refused is hardly one of this kind.
constexpr int kMostReplacements = 200;

int LinesOf(std::string_view text) { return static_cast<int>(std::ranges::count(text, '\n')); }

// Returns the lines as comments, after one with the sentence.
std::string AsComment(std::string_view lines, std::string_view sentence) {
  const std::size_t begin = lines.find_first_not_of(' ');
  const std::string indent(begin == lines.npos ? 0 : begin, ' ');
  std::string comment = indent + "# Left out: " + YamlComment(sentence) + "\n";
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(0, end);
    comment += indent + "# " + std::string(line.substr(std::min(indent.size(), line.size())));
    lines.remove_prefix(end);
  }
  return comment;
}

}  // namespace

void LabDraft::Add(std::string lines) {
  if (!lines.empty()) parts_.push_back({{std::move(lines)}, 0, true});
}

void LabDraft::AddPart(std::vector<std::string> forms) {
  parts_.push_back({std::move(forms), 0, false});
}

std::string LabDraft::Text() const {
  std::string text;
  for (const Part& part : parts_) text += part.forms[part.form];
  return text;
}

bool LabDraft::Replace(int line, std::string_view sentence) {
  int first = 1;
  for (Part& part : parts_) {
    const int next = first + LinesOf(part.forms[part.form]);
    const bool is_here = line >= first && line < next;
    first = next;
    if (!is_here) continue;
    if (part.is_fixed) return false;
    ++part.form;
    if (part.form < part.forms.size()) return true;
    const std::string& lines = part.forms.front();
    const std::size_t begin = lines.find_first_not_of(' ');
    left_out_.push_back(lines.substr(begin, lines.find('\n') - begin) +
                        " was left out: " + std::string(sentence));
    part.forms.push_back(AsComment(lines, sentence));
    part.is_fixed = true;
    return true;
  }
  return false;
}

Result<std::string> LabDraft::MendedText() {
  for (int replaced = 0;; ++replaced) {
    std::string text = Text();
    const Result<LabFile> file = ReadLabFile(text, kName);
    if (file.ok()) return text;
    // The sentence begins with "lab:12:5: ".
    const std::string& message = file.error().message;
    int line = 0;
    const char* const begin = message.data() + kName.size() + 1;
    const char* const end = message.data() + message.size();
    if (begin < end) std::from_chars(begin, end, line);
    const std::size_t sentence = message.find(": ");
    const std::string_view why = sentence == message.npos
                                     ? std::string_view(message)
                                     : std::string_view(message).substr(sentence + 2);
    if (replaced == kMostReplacements || !Replace(line, why)) {
      return ValidationError("no lab file can be made of it: " + std::string(why));
    }
  }
}

}  // namespace hashrange
