#include "lab/import/lab_draft.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "lab/language/lab_reader.h"
#include "lab/yaml/yaml_text.h"

namespace hashrange {
namespace {

constexpr std::string_view kName = "lab";
// Reading takes about a second for 2 MB. Each reading names the faults of many parts.
constexpr std::size_t kMostBytesRead = 16 << 20;

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

// Returns the sentence without its place, "lab:12:5: ".
std::string WithoutPlace(const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  return colon == sentence.npos ? sentence : sentence.substr(colon + 2);
}

}  // namespace

void LabDraft::Add(std::string lines) {
  if (!lines.empty()) parts_.push_back({{std::move(lines)}, 0, true});
}

void LabDraft::AddPart(std::vector<std::string> forms, std::vector<std::string> marked) {
  parts_.push_back({std::move(forms), 0, false, false, std::move(marked)});
}

void LabDraft::AddPartBelow(std::vector<std::string> forms) {
  parts_.push_back({std::move(forms), 0, false, true});
}

std::string LabDraft::Text() const {
  std::string text;
  for (const Part& part : parts_) text += part.forms[part.form];
  return text;
}

std::string LabDraft::MarkedText() const {
  std::string text;
  for (const Part& part : parts_) {
    const bool is_marked = part.form < part.marked.size();
    text += is_marked ? part.marked[part.form] : part.forms[part.form];
  }
  return text;
}

std::size_t LabDraft::PartAt(int line) const {
  int first = 1;
  for (std::size_t at = 0; at < parts_.size(); ++at) {
    const int next = first + LinesOf(parts_[at].forms[parts_[at].form]);
    if (line >= first && line < next) return at;
    first = next;
  }
  return parts_.size();
}

void LabDraft::TakeNextForm(std::size_t at, std::string_view sentence) {
  Part& part = parts_[at];
  ++part.form;
  if (part.form < part.forms.size()) return;
  const std::string& lines = part.forms.front();
  const std::size_t begin = lines.find_first_not_of(' ');
  left_out_.push_back(lines.substr(begin, lines.find('\n') - begin) +
                      " was left out: " + std::string(sentence));
  part.forms.push_back(AsComment(lines, sentence));
  part.is_fixed = true;
  if (part.is_below) return;
  for (std::size_t below = at + 1; below < parts_.size() && parts_[below].is_below; ++below) {
    Part& left = parts_[below];
    if (left.is_fixed) continue;
    left.forms.push_back(AsComment(left.forms[left.form], "what is above was left out"));
    left.form = left.forms.size() - 1;
    left.is_fixed = true;
  }
}

bool LabDraft::ReplaceAll(const std::vector<std::string>& faults) {
  std::map<std::size_t, std::string> sentences;  // by the part
  for (const std::string& fault : faults) {
    // A sentence begins with "lab:12:5: ".
    int line = 0;
    const std::size_t begin = std::min(kName.size() + 1, fault.size());
    std::from_chars(fault.data() + begin, fault.data() + fault.size(), line);
    const std::size_t at = PartAt(line);
    if (at < parts_.size() && !parts_[at].is_fixed) sentences.emplace(at, WithoutPlace(fault));
  }
  for (const auto& [at, sentence] : sentences) {
    if (!parts_[at].is_fixed) TakeNextForm(at, sentence);
  }
  return !sentences.empty();
}

Result<std::string> LabDraft::MendedText() {
  for (std::size_t bytes_read = 0;;) {
    std::string text = Text();
    bytes_read += text.size();
    std::vector<std::string> faults;
    const Result<LabFile> file = ReadLabFile(text, kName, &faults);
    if (file.ok()) return text;
    const std::string why = WithoutPlace(file.error().message);
    if (bytes_read > kMostBytesRead) {
      return ValidationError("the model is too large for all that is wrong in it: " + why);
    }
    if (!ReplaceAll(faults)) return ValidationError("no lab file can be made of it: " + why);
  }
}

}  // namespace hashrange
