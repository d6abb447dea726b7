// LabForm: what a value of a lab file may be. The language of lab files is one table of forms
// (lab_form.cc), and everything that is said of it comes from there: the check of a file with its
// sentences (lab_form_check.h) and the JSON Schema for editors (lab_texts.h). What a reader has to
// know beyond the form of a value (names, references, sums, orders) is checked where the file is
// read (lab_parts.h).
//
// A form is either a choice of others (`alternatives`) or a leaf, which allows some types of values
// and, for each type, limits them. Constant data; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace hashrange {

struct LabForm;

// The types of JSON, as bits of a mask. A whole number is a number, too.
enum LabValueType : unsigned {
  kNullValue = 1,
  kFlagValue = 2,
  kWholeValue = 4,
  kDecimalValue = 8,
  kNumberValue = kWholeValue | kDecimalValue,
  kTextValue = 16,
  kListValue = 32,
  kMapValue = 64,
};

// A way in which some texts are written: 30m, 400/s.
struct LabNotation {
  std::string_view pattern = {};  // as a regular expression, for the schema
  bool (*matches)(std::string_view text) = nullptr;
};

struct LabMemberForm {
  enum class Presence : std::uint8_t { kOptional, kRequired };

  std::string_view name = {};
  const LabForm* form = nullptr;
  std::string_view description = {};  // "": that the form has one is enough
  Presence presence = Presence::kOptional;
};

// Forms in a row. (A std::span may not have elements of an incomplete type.)
struct LabForms {
  const LabForm* first = nullptr;
  std::size_t count = 0;

  constexpr bool empty() const { return count == 0; }
  constexpr const LabForm* begin() const { return first; }
  constexpr const LabForm* end() const;
};

struct LabForm {
  static constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();

  std::string_view name = {};         // in the schema's definitions; "": it is written where used
  std::string_view title = {};        // what is allowed, in sentences: "a share from 0 to 1"
  std::string_view description = {};  // for editors
  LabForms alternatives = {};

  unsigned types = 0;  // bits of LabValueType
  // Of scalars. `words` are the only texts, with blanks between them; "": any text.
  std::string_view words = {};
  std::int64_t least = kLeast;
  std::int64_t greatest = kGreatest;
  bool excludes_least = false;
  bool is_filled = false;    // the text is not empty
  bool is_template = false;  // the text may have placeholders, and should be in quotes
  LabNotation notation = {};
  // Of lists and maps. A map has the members of both spans, in this order, and where there are
  // `others`, members of other names; one with neither takes anything. `leading` is the first
  // member of a map that is one of several alternatives, and says which one it is.
  const LabForm* elements = nullptr;
  const LabForm* others = nullptr;
  std::size_t least_count = 0;
  std::size_t greatest_count = kAnyCount;
  LabMemberForm leading = {};
  std::span<const LabMemberForm> members = {};
  std::span<const LabMemberForm> shared = {};
  std::string_view excluded = {};  // a name that `others` do not include
};

constexpr const LabForm* LabForms::end() const { return first + count; }

// Calls `use(member)` for each member of the form.
template <typename Use>
void ForEachLabMember(const LabForm& form, const Use& use) {
  if (form.leading.form != nullptr) use(form.leading);
  for (const LabMemberForm& member : form.members) use(member);
  for (const LabMemberForm& member : form.shared) use(member);
}

// Calls `use(word)` for each word of the form.
template <typename Use>
void ForEachLabWord(const LabForm& form, const Use& use) {
  for (std::string_view rest = form.words; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    use(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
}

// Returns whether a map of the form has to have the member.
inline bool IsRequired(const LabForm& form, const LabMemberForm& member) {
  return member.presence == LabMemberForm::Presence::kRequired || &member == &form.leading;
}

// Returns the form of whole lab files.
const LabForm& LabFileForm();

// Returns the forms that have names, each behind those that it is made of.
std::span<const LabForm* const> NamedLabForms();

}  // namespace hashrange
