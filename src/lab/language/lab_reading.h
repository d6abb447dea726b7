// What all parts of the reader of lab files (lab_parts.h) work with: LabReading, which keeps the
// file while it is read, its first error and its warnings; the finding of what a name stands for;
// and the taking of scalars out of maps. Used by one thread.
//
// The functions that read parts of a file report what is wrong here and go on with a default, so
// none of them has to pass errors on. The form of each value was checked before (lab_form_check.h):
// nobody here asks again whether a list is a list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_facts.h"
#include "lab/language/lab_file.h"

namespace hashrange {

class LabReading {
 public:
  // `name` is the file's name, for sentences.
  explicit LabReading(std::string_view name) : name_(name) {}

  // Keeps the sentence "name:line:column: sentence". Only the first one counts.
  void Fail(LabPlace place, std::string_view sentence);
  void Warn(LabPlace place, std::string_view sentence);
  bool ok() const { return error_.ok(); }

  // Ends one of several parts that do not depend on each other, such as the access patterns: the
  // next part is read although this one has an error.
  void EndPart();
  // Ends the last part: what follows is not read where a part has an error.
  void EndParts();
  // Returns the errors of the parts, or the only one.
  std::vector<std::string> Faults() const;

  // Returns the file, with the warnings.
  // Errors: the first one that was reported
  Result<LabFile> TakeFile();

  LabFile file;

 private:
  std::string name_;
  Status error_;
  std::vector<Error> faults_;  // of the parts that have ended
};

// Something that the file names, and where.
struct LabName {
  std::string_view text = {};
  LabPlace place = {};
};
inline LabName NameIn(const LabNode& node) { return {node.text, node.place}; }
inline LabName NameOf(const LabNode::Member& member) { return {member.name, member.place}; }
// Returns the names in a list of texts, or the name in a single text.
std::vector<LabName> NamesInNode(const LabNode& node);

// Returns the place of the name in `names`; kLabNone where it is not there, which is reported: the
// sentence goes on with the names that are.
int FindName(LabName name, std::span<const std::string> names, const std::string& sentence,
             LabReading& reading);
// These report a name that is not known, and return kLabNone then.
int FindEntity(LabName name, LabReading& reading);
int FindPattern(LabName name, LabReading& reading);
int FindOwnAttribute(int entity, LabName name, LabReading& reading);
LabAttributeRef FindStoredAttribute(int entity, LabName name, LabReading& reading);
LabAttributeRef FindKnownAttribute(int entity, LabName name, LabReading& reading);
// For "Product.sku".
LabAttributeRef FindDottedAttribute(LabName name, LabReading& reading);

// A word of the language, and what it stands for.
template <typename Meaning>
struct LabWord {
  std::string_view name = {};
  Meaning meaning = {};
};

// Returns the row whose name is a member of the map; null where there is none. The rows have a
// `name`.
template <typename Row, std::size_t kRows>
const Row* RowOf(const LabNode& map, const Row (&rows)[kRows]) {
  for (const Row& row : rows) {
    if (map.Find(row.name) != nullptr) return &row;
  }
  return nullptr;
}

// Returns the number that the text is, in the form of JSON.
std::optional<double> ParseLabNumber(std::string_view text);
// Returns the text that DynamoDB gives back for a number: "5" for "5.0". Nothing where the text is
// no number that is written in digits: "0007" and "1e5" are texts.
std::optional<std::string> PlainNumberText(std::string_view text);

// Returns the number of a node whose form was checked.
double LabNumberIn(const LabNode& node);
std::int64_t LabWholeIn(const LabNode& node);

// Give the target the value of the map's member, where the map has it.
void TakeLabNumber(const LabNode& map, std::string_view name, double& target);
void TakeLabNumber(const LabNode& map, std::string_view name, std::optional<double>& target);
void TakeLabFlag(const LabNode& map, std::string_view name, bool& target);
template <typename Whole>
void TakeLabWhole(const LabNode& map, std::string_view name, Whole& target) {
  if (const LabNode* const node = map.Given(name)) target = static_cast<Whole>(LabWholeIn(*node));
}

// Returns milliseconds. Reports a duration that is longer than durations may be.
std::int64_t ReadLabDuration(const LabNode& node, std::string_view what, LabReading& reading);
// Gives the target the duration of the map's member, where the map has it.
void TakeLabDuration(const LabNode& map, std::string_view name, std::int64_t& target,
                     LabReading& reading);

}  // namespace hashrange
