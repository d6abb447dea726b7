#include "lab/import/imported_template.h"

#include <algorithm>
#include <utility>

#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostPlainNameBytes = 255;

// Returns the form of lab files for one of Python's, "05d", or of OneTable's, "5:0"; empty: it is
// neither.
std::string LabFormOf(std::string_view form) {
  if (!form.empty() && (form.back() == 'd' || form.back() == 'f')) form.remove_suffix(1);
  std::string padding(form);
  if (form.ends_with(":0")) padding = "0" + std::string(form.substr(0, form.size() - 2));
  const bool is_padding = padding.size() >= 2 && padding.size() <= 3 && padding.front() == '0' &&
                          std::ranges::all_of(padding, IsDigit);
  return is_padding ? padding : "";
}

void AddPlaceholder(std::string literal, std::string_view inner, ImportedTemplate& parts) {
  const std::size_t colon = inner.find(':');
  ImportedPart part;
  part.literal = std::move(literal);
  part.attribute = PlainName(inner.substr(0, colon));
  if (colon != inner.npos) part.form = LabFormOf(inner.substr(colon + 1));
  parts.push_back(std::move(part));
}

}  // namespace

std::optional<ImportedTemplate> ParseImportedTemplate(std::string_view text, TemplateStyle style,
                                                      std::vector<std::string>* unknown_forms) {
  ImportedTemplate parts;
  std::string literal;
  while (!text.empty()) {
    const bool is_doubled = text.starts_with("{{") || text.starts_with("}}");
    if (is_doubled) {
      literal += text.front();
      text.remove_prefix(2);
      continue;
    }
    if (style == TemplateStyle::kDollars && text.starts_with("${")) text.remove_prefix(1);
    const char first = text.front();
    const bool opens = first == '{' || (style == TemplateStyle::kAngles && first == '<');
    if (!opens) {
      if (first == '}') return std::nullopt;
      literal += first;
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = text.find(first == '{' ? '}' : '>');
    if (end == text.npos) return std::nullopt;
    const std::string_view inner = text.substr(1, end - 1);
    if (inner.empty() || inner.find('{') != inner.npos) return std::nullopt;
    AddPlaceholder(std::exchange(literal, {}), inner, parts);
    const bool has_form = inner.find(':') != inner.npos;
    if (has_form && parts.back().form.empty() && unknown_forms != nullptr) {
      unknown_forms->emplace_back(inner);
    }
    text.remove_prefix(end + 1);
  }
  if (!literal.empty()) parts.push_back({literal, "", ""});
  return parts;
}

ImportedTemplate BareImportedTemplate(std::string_view attribute) {
  return {{"", std::string(attribute), ""}};
}

std::string LabTextOf(const ImportedTemplate& text) {
  std::string result;
  for (const ImportedPart& part : text) {
    for (const char c : part.literal) result.append(c == '{' || c == '}' ? 2 : 1, c);
    if (part.attribute.empty()) continue;
    result += "{" + part.attribute + (part.form.empty() ? "" : ":" + part.form) + "}";
  }
  return result;
}

bool IsIn(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> AttributesIn(const ImportedTemplate& text) {
  std::vector<std::string> names;
  for (const ImportedPart& part : text) {
    const bool is_new = !part.attribute.empty() && !IsIn(part.attribute, names);
    if (is_new) names.push_back(part.attribute);
  }
  return names;
}

bool HaveSameShape(const ImportedTemplate& a, const ImportedTemplate& b) {
  return std::ranges::equal(a, b, [](const ImportedPart& x, const ImportedPart& y) {
    return x.literal == y.literal && x.attribute.empty() == y.attribute.empty();
  });
}

bool HasLiteral(const ImportedTemplate& text) {
  return std::ranges::any_of(text, [](const ImportedPart& part) { return !part.literal.empty(); });
}

std::string CapitalizedWords(std::string_view text, std::string_view separators) {
  std::string words;
  bool begins_word = true;
  for (const char c : text) {
    const bool is_separator = separators.find(c) != separators.npos;
    const bool is_raised = begins_word && c >= 'a' && c <= 'z';
    if (!is_separator) words += is_raised ? static_cast<char>(c - 'a' + 'A') : c;
    begins_word = is_separator;
  }
  return words;
}

std::string PlainName(std::string_view name) {
  constexpr std::string_view kNotPlain = "{}:.,#()[]\"'\\ \t";
  if (name == "<<") return "__";  // YAML merges maps by it
  // A character is not cut within.
  std::size_t bytes = std::min<std::size_t>(name.size(), kMostPlainNameBytes);
  while (bytes > 0 && bytes < name.size() && (name[bytes] & 0xC0) == 0x80) --bytes;
  std::string plain(name.substr(0, bytes));
  for (char& c : plain) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (is_control || kNotPlain.find(c) != kNotPlain.npos) c = '_';
  }
  return plain.empty() ? "_" : plain;
}

}  // namespace hashrange
