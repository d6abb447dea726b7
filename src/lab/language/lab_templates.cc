#include "lab/language/lab_templates.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/text/parse_whole.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

// What the attribute of a placeholder has to be for a form.
enum class FormOf : std::uint8_t { kAny, kNumber, kTime };

struct FormRow {
  std::string_view name;  // before the width, where there is one
  Form form;
  bool has_width;
  int greatest_width;
  FormOf of;
};
constexpr int kMostDigits = 18;  // of a whole number in 64 bits
constexpr int kLongestPrefix = 1024;
constexpr FormRow kForms[] = {
    {"0", Form::kPadded, true, kMostDigits, FormOf::kNumber},
    {"desc", Form::kDescend, true, kMostDigits, FormOf::kNumber},
    {"prefix", Form::kPrefix, true, kLongestPrefix, FormOf::kAny},
    {"year", Form::kYear, false, 0, FormOf::kTime},
    {"month", Form::kMonth, false, 0, FormOf::kTime},
    {"day", Form::kDay, false, 0, FormOf::kTime},
    {"hour", Form::kHour, false, 0, FormOf::kTime},
    {"minute", Form::kMinute, false, 0, FormOf::kTime},
    {"lower", Form::kLower, false, 0, FormOf::kAny},
    {"upper", Form::kUpper, false, 0, FormOf::kAny},
};
constexpr std::string_view kFormNames =
    "a number's width with a zero in front (08), desc8, year, month, day, hour, minute, lower, "
    "upper and prefix3";
constexpr int kMostShards = 100'000;

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<int> WidthIn(std::string_view text, int greatest) {
  const auto width = ParseWhole<int>(text);
  return width && *width >= 1 && *width <= greatest ? width : std::nullopt;
}

// Reads one template from front to back.
class TemplateParser {
 public:
  TemplateParser(LabName text, int entity, LabReading& reading)
      : rest_(text.text), text_(text), entity_(entity), reading_(reading) {}

  std::vector<LabTemplatePart> Parse();

 private:
  bool TakeTwice(char brace);
  void TakePlaceholder();
  void ReadShard(std::string_view arguments, LabTemplatePart& part);
  void ReadForm(std::string_view form, LabTemplatePart& part);
  LabAttributeRef Find(std::string_view name) {
    return FindKnownAttribute(entity_, {Trimmed(name), text_.place}, reading_);
  }
  void Fail(const std::string& sentence) {
    reading_.Fail(text_.place, "in the template \"" + std::string(text_.text) + "\", " + sentence);
    rest_ = {};
  }

  std::string_view rest_;
  const LabName text_;
  const int entity_;
  LabReading& reading_;
  std::string literal_;
  std::vector<LabTemplatePart> parts_;
};

bool TemplateParser::TakeTwice(char brace) {
  if (rest_.size() < 2 || rest_[0] != brace || rest_[1] != brace) return false;
  literal_ += brace;
  rest_.remove_prefix(2);
  return true;
}

std::vector<LabTemplatePart> TemplateParser::Parse() {
  while (!rest_.empty()) {
    if (TakeTwice('{') || TakeTwice('}')) continue;
    if (rest_.front() == '{') {
      TakePlaceholder();
    } else if (rest_.front() == '}') {
      Fail("a `}` has no `{` before it; a brace that is text is written twice");
    } else {
      literal_ += rest_.front();
      rest_.remove_prefix(1);
    }
  }
  if (!literal_.empty()) {
    LabTemplatePart end;
    end.literal = std::move(literal_);
    parts_.push_back(std::move(end));
  }
  return std::move(parts_);
}

void TemplateParser::TakePlaceholder() {
  const std::size_t end = rest_.find('}');
  if (end == std::string_view::npos) {
    return Fail("a `{` has no `}` after it; a brace that is text is written twice");
  }
  const std::string_view inner = Trimmed(rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
  if (inner.empty()) return Fail("a placeholder is empty; it names an attribute, as in {order_id}");
  LabTemplatePart part;
  part.literal = std::exchange(literal_, {});
  const std::size_t colon = inner.find(':');
  constexpr std::string_view kShard = "shard(";
  if (inner.starts_with(kShard) && inner.ends_with(')')) {
    ReadShard(inner.substr(kShard.size(), inner.size() - kShard.size() - 1), part);
  } else {
    part.attribute = Find(inner.substr(0, colon));
    if (colon != std::string_view::npos) ReadForm(Trimmed(inner.substr(colon + 1)), part);
  }
  parts_.push_back(std::move(part));
}

void TemplateParser::ReadShard(std::string_view arguments, LabTemplatePart& part) {
  const std::size_t comma = arguments.find(',');
  const std::optional<int> shards =
      comma == std::string_view::npos ? std::nullopt
                                      : WidthIn(Trimmed(arguments.substr(comma + 1)), kMostShards);
  if (!shards) {
    return Fail(
        "a shard is written as {shard(order_id, 8)}: an attribute, and a whole number from 1 "
        "to " +
        std::to_string(kMostShards));
  }
  part.attribute = Find(arguments.substr(0, comma));
  part.shards = *shards;
}

void TemplateParser::ReadForm(std::string_view form, LabTemplatePart& part) {
  for (const FormRow& row : kForms) {
    if (row.has_width ? !form.starts_with(row.name) : form != row.name) continue;
    part.form = row.form;
    if (!row.has_width) return;
    const auto width = WidthIn(form.substr(row.name.size()), row.greatest_width);
    if (!width) break;
    part.width = *width;
    return;
  }
  Fail("\"" + std::string(form) + "\" is no form; the forms are " + std::string(kFormNames));
}

bool Fits(const LabAttribute& attribute, FormOf of) {
  if (of == FormOf::kAny) return true;
  if (of == FormOf::kNumber) return attribute.type == LabType::kNumber;
  const LabGenerator& generator = attribute.generator;
  const bool is_copy = generator.kind == LabGenerator::Kind::kOfRef ||
                       generator.kind == LabGenerator::Kind::kOfAncestor ||
                       generator.kind == LabGenerator::Kind::kConstant;
  return attribute.type == LabType::kString &&
         (is_copy || generator.kind == LabGenerator::Kind::kTime);
}

}  // namespace

LabTemplate ReadTemplate(const LabNode& node, int entity, LabReading& reading) {
  LabTemplate result;
  result.place = node.place;
  result.text = node.text;
  if (node.text.empty()) reading.Fail(node.place, "a template may not be empty");
  result.parts = TemplateParser({node.text, node.place}, entity, reading).Parse();
  return result;
}

LabTemplate BareTemplate(std::string_view name, LabAttributeRef attribute, LabPlace place) {
  LabTemplatePart part;
  part.attribute = attribute;
  LabTemplate result;
  result.text = "{" + std::string(name) + "}";
  result.parts = {part};
  result.place = place;
  return result;
}

std::optional<LabTemplatePart::Form> TimeFormNamed(std::string_view name) {
  const auto* const row = std::ranges::find(kForms, name, &FormRow::name);
  if (row == std::end(kForms) || row->of != FormOf::kTime) return std::nullopt;
  return row->form;
}

bool HasBraces(std::string_view text) { return text.find_first_of("{}") != std::string_view::npos; }

void CheckTemplateForms(const LabTemplate& text, LabReading& reading) {
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity == kLabNone) continue;
    const LabAttribute& attribute = LabAttributeAt(reading.file, part.attribute);
    if (attribute.type == LabType::kVector) {
      reading.Fail(text.place, "in the template \"" + text.text + "\", \"" + attribute.name +
                                   "\" is a vector, which has no text");
    }
    const auto* const row = std::ranges::find(kForms, part.form, &FormRow::form);
    if (row == std::end(kForms)) continue;
    if (Fits(attribute, row->of)) continue;
    reading.Fail(text.place, "in the template \"" + text.text + "\", the form of \"" +
                                 attribute.name + "\" is for " +
                                 (row->of == FormOf::kNumber ? "numbers" : "times in ISO 8601") +
                                 ", and this attribute is none");
  }
}

bool IsBarePlaceholder(const LabTemplate& text) {
  if (text.parts.size() != 1) return false;
  const LabTemplatePart& part = text.parts.front();
  return part.attribute.entity != kLabNone && part.literal.empty() && part.shards == 0 &&
         part.form == LabTemplatePart::Form::kAsIs;
}

}  // namespace hashrange
