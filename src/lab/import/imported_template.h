// Templates of keys as models write them. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// One piece of the template of a key: the literal text before a placeholder, and the placeholder.
struct ImportedPart {
  std::string literal = {};
  std::string attribute = {};  // empty: the template ends with the literal
  std::string form = {};       // "08", "day"; empty: as it is
};
using ImportedTemplate = std::vector<ImportedPart>;

enum class TemplateStyle : std::uint8_t {
  kBraces,   // "USER#{user_id}"
  kDollars,  // "USER#${userId}", too
  kAngles,   // "USER#<id>", too
};

// Returns the template of a text with placeholders. "{{" and "}}" are literal braces. A
// placeholder's form follows a colon: "{score:05d}" has the form "05", and so has "${score:5:0}";
// `unknown_forms` gets the placeholders whose form is another one. Nothing: a brace has no partner,
// or a placeholder is empty.
std::optional<ImportedTemplate> ParseImportedTemplate(
    std::string_view text, TemplateStyle style, std::vector<std::string>* unknown_forms = nullptr);

// Returns the template `{attribute}`.
ImportedTemplate BareImportedTemplate(std::string_view attribute);

// Returns the text in the form of lab files.
std::string LabTextOf(const ImportedTemplate& text);

// Returns the attributes of the placeholders in their order, each once.
std::vector<std::string> AttributesIn(const ImportedTemplate& text);

// Returns whether the name is one of the names.
bool IsIn(std::string_view name, const std::vector<std::string>& names);

// Returns whether both have the same literals, and placeholders at the same places.
bool HaveSameShape(const ImportedTemplate& a, const ImportedTemplate& b);

// Returns whether the template has a literal.
bool HasLiteral(const ImportedTemplate& text);

// Returns "OrderLine" of "order_line" whose words the separators end; letters within words stay.
std::string CapitalizedWords(std::string_view text, std::string_view separators);

// Returns a name that lab files and YAML take as it is, for an attribute or an entity.
std::string PlainName(std::string_view name);

}  // namespace hashrange
