#include "lab/language/lab_texts.h"

#include <string_view>
#include <utility>
#include <vector>

#include "lab/language/lab_form.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// A piece of the schema: a scalar that is written already, a list, or a map.
struct SchemaPiece {
  enum class Kind : std::uint8_t { kScalar, kList, kMap };

  Kind kind = Kind::kScalar;
  std::string text = {};                                        // of a scalar
  std::vector<std::pair<std::string, SchemaPiece>> parts = {};  // of a list: without names

  void Add(std::string_view name, SchemaPiece piece) { parts.emplace_back(name, std::move(piece)); }
};

SchemaPiece Literal(std::string text) { return {.text = std::move(text)}; }
SchemaPiece TextPiece(std::string_view text) { return Literal(JsonText(text)); }
SchemaPiece WholeNumber(std::int64_t number) { return Literal(std::to_string(number)); }

SchemaPiece ListPiece(std::vector<SchemaPiece> elements) {
  SchemaPiece list = {.kind = SchemaPiece::Kind::kList};
  for (SchemaPiece& element : elements) list.Add("", std::move(element));
  return list;
}

std::string InOneLine(const SchemaPiece& piece) {
  if (piece.kind == SchemaPiece::Kind::kScalar) return piece.text;
  const bool is_map = piece.kind == SchemaPiece::Kind::kMap;
  std::string line;
  for (const auto& [name, part] : piece.parts) {
    if (!line.empty()) line += ", ";
    if (is_map) line += JsonText(name) + ": ";
    line += InOneLine(part);
  }
  return is_map ? '{' + line + '}' : '[' + line + ']';
}

// Appends the piece in one line where it is short, else each part in lines of its own. `taken` is
// how long the line is already.
void AppendLines(const SchemaPiece& piece, std::size_t indentation, std::size_t taken,
                 std::string& out) {
  constexpr std::size_t kLongestLine = 126;
  const std::string line = InOneLine(piece);
  if (piece.parts.empty() || taken + line.size() <= kLongestLine) {
    out += line;
    return;
  }
  const bool is_map = piece.kind == SchemaPiece::Kind::kMap;
  const std::string blanks(indentation + 2, ' ');
  out += is_map ? "{\n" : "[\n";
  for (const auto& [name, part] : piece.parts) {
    const std::string before = blanks + (is_map ? JsonText(name) + ": " : "");
    out += before;
    AppendLines(part, indentation + 2, before.size(), out);
    out += &part == &piece.parts.back().second ? "\n" : ",\n";
  }
  out.append(indentation, ' ') += is_map ? '}' : ']';
}

SchemaPiece SchemaOf(const LabForm& form, std::string_view description);

SchemaPiece ReferenceTo(const LabForm& form) {
  SchemaPiece reference = {.kind = SchemaPiece::Kind::kMap};
  reference.Add("$ref", TextPiece("#/definitions/" + std::string(form.name)));
  return reference;
}

// Returns the schema of a place where the form is used.
SchemaPiece SchemaAt(const LabForm& form, std::string_view description) {
  if (form.name.empty()) return SchemaOf(form, description);
  if (description.empty()) return ReferenceTo(form);
  SchemaPiece piece = {.kind = SchemaPiece::Kind::kMap};
  piece.Add("description", TextPiece(description));
  piece.Add("allOf", ListPiece({ReferenceTo(form)}));
  return piece;
}

void AddTypes(const LabForm& form, SchemaPiece& piece) {
  struct TypeRow {
    unsigned types;
    std::string_view name;
  };
  constexpr TypeRow kTypes[] = {
      {kMapValue, "object"},     {kListValue, "array"},    {kTextValue, "string"},
      {kDecimalValue, "number"}, {kWholeValue, "integer"}, {kFlagValue, "boolean"},
      {kNullValue, "null"},
  };
  std::vector<SchemaPiece> types;
  for (const TypeRow& row : kTypes) {
    const bool is_number = row.types == kWholeValue && (form.types & kDecimalValue) != 0;
    if ((form.types & row.types) != 0 && !is_number) types.push_back(TextPiece(row.name));
  }
  piece.Add("type", types.size() == 1 ? types.front() : ListPiece(types));
}

void AddScalarRules(const LabForm& form, SchemaPiece& piece) {
  if (form.least != LabForm::kLeast) piece.Add("minimum", WholeNumber(form.least));
  const bool is_whole = (form.types & kNumberValue) == kWholeValue && form.words.empty();
  if (is_whole || form.greatest != LabForm::kGreatest)
    piece.Add("maximum", WholeNumber(form.greatest));
  if (form.excludes_least) piece.Add("exclusiveMinimum", Literal("true"));
  if (form.is_filled) piece.Add("minLength", WholeNumber(1));
  if (form.is_template) piece.Add("format", TextPiece("template"));
  if (!form.notation.pattern.empty()) piece.Add("pattern", TextPiece(form.notation.pattern));
  if (form.words.empty()) return;
  std::vector<SchemaPiece> values;
  ForEachLabWord(form, [&](std::string_view word) {
    values.push_back((form.types & kTextValue) != 0 ? TextPiece(word) : Literal(std::string(word)));
  });
  if ((form.types & kNullValue) != 0) values.push_back(Literal("null"));
  piece.Add("enum", ListPiece(values));
}

void AddCounts(const LabForm& form, std::string_view what, SchemaPiece& piece) {
  const std::string end(what);
  if (form.least_count > 0)
    piece.Add("min" + end, WholeNumber(static_cast<std::int64_t>(form.least_count)));
  if (form.greatest_count == LabForm::kAnyCount) return;
  piece.Add("max" + end, WholeNumber(static_cast<std::int64_t>(form.greatest_count)));
}

void AddMapRules(const LabForm& form, SchemaPiece& piece) {
  std::vector<SchemaPiece> required;
  SchemaPiece members = {.kind = SchemaPiece::Kind::kMap};
  ForEachLabMember(form, [&](const LabMemberForm& member) {
    members.Add(member.name, SchemaAt(*member.form, member.description));
    if (IsRequired(form, member)) required.push_back(TextPiece(member.name));
  });
  if (!required.empty()) piece.Add("required", ListPiece(required));
  if (members.parts.empty()) AddCounts(form, "Properties", piece);
  if (form.others != nullptr) {
    piece.Add("additionalProperties", SchemaAt(*form.others, ""));
  } else if (!members.parts.empty()) {
    piece.Add("additionalProperties", Literal("false"));
  }
  if (members.parts.empty()) return;
  piece.Add("properties", std::move(members));
  AddCounts(form, "Properties", piece);
  if (form.excluded.empty()) return;
  SchemaPiece excluded = {.kind = SchemaPiece::Kind::kMap};
  excluded.Add("required", ListPiece({TextPiece(form.excluded)}));
  piece.Add("not", std::move(excluded));
}

void AddRules(const LabForm& form, SchemaPiece& piece) {
  if (!form.alternatives.empty()) {
    std::vector<SchemaPiece> alternatives;
    for (const LabForm& alternative : form.alternatives) {
      alternatives.push_back(SchemaAt(alternative, ""));
    }
    return piece.Add("anyOf", ListPiece(alternatives));
  }
  AddTypes(form, piece);
  AddScalarRules(form, piece);
  if (form.elements != nullptr) {
    piece.Add("items", SchemaAt(*form.elements, ""));
    AddCounts(form, "Items", piece);
  }
  if ((form.types & kMapValue) != 0) AddMapRules(form, piece);
}

// Returns the schema of the form itself. `description` takes the place of the form's own.
SchemaPiece SchemaOf(const LabForm& form, std::string_view description) {
  SchemaPiece piece = {.kind = SchemaPiece::Kind::kMap};
  if (description.empty()) description = form.description;
  if (!form.title.empty()) piece.Add("title", TextPiece(form.title));
  if (!description.empty()) piece.Add("description", TextPiece(description));
  AddRules(form, piece);
  return piece;
}

}  // namespace

std::string LabSchemaText() {
  SchemaPiece schema = {.kind = SchemaPiece::Kind::kMap};
  schema.Add("$schema", TextPiece("http://json-schema.org/draft-04/schema#"));
  for (auto& [name, part] : SchemaOf(LabFileForm(), "").parts) schema.Add(name, std::move(part));
  SchemaPiece definitions = {.kind = SchemaPiece::Kind::kMap};
  for (const LabForm* const form : NamedLabForms())
    definitions.Add(form->name, SchemaOf(*form, ""));
  schema.Add("definitions", std::move(definitions));
  std::string text;
  AppendLines(schema, 0, 0, text);
  return text + '\n';
}

}  // namespace hashrange
