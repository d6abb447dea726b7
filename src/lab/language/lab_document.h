// LabNode: a YAML document as a tree whose scalars are text, with the place of each node. Only
// lab_document.cc knows the YAML library. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"

namespace hashrange {

struct LabNode {
  enum class Kind : std::uint8_t { kScalar, kList, kMap };
  struct Member;

  Kind kind = Kind::kScalar;
  // Of a map in braces and a list in brackets: the bracket. Of another map: its first name.
  LabPlace place = {};
  std::string text = {};   // of a scalar
  bool is_quoted = false;  // of a scalar: in quotes, or a block
  bool is_flow = false;    // of a list or map: in brackets or braces
  // Of a scalar without quotes: behind it, a comment begins that looks like the rest of the text,
  // as in `USER #{id}`.
  bool is_cut = false;
  std::vector<LabNode> elements;
  std::vector<Member> members;  // in the order of the file; no two have the same name

  // Returns the value of the member of that name; null when there is none or this is no map.
  const LabNode* Find(std::string_view name) const;
  // Returns the value of that name; null also where it is YAML's null.
  const LabNode* Given(std::string_view name) const;
  // Returns whether this is YAML's null: `null`, `~` or nothing at all, without quotes.
  bool IsNull() const;
};

struct LabNode::Member {
  std::string name = {};
  LabPlace place = {};  // of the name
  LabNode value = {};
  bool is_quoted = false;  // the name is in quotes
};

// Something that is wrong in the text of a lab file.
struct LabFault {
  LabPlace place = {};
  std::string sentence = {};
};

// A text that is larger, or whose tree is larger or deeper, is refused. Anchors and aliases count
// as often as they are copied.
inline constexpr std::size_t kMaxLabBytes = 16 << 20;
inline constexpr std::size_t kMaxLabNodes = 200'000;
inline constexpr std::size_t kMaxLabDepth = 64;

// Returns the tree of a text. Anchors and aliases are copied. Columns count characters, not bytes.
// Errors: ValidationException  no YAML, several documents, a member whose name is repeated or is no
//         scalar, too deep or too large; the sentence begins with `name`, line and column
Result<LabNode> ReadLabDocument(std::string_view text, std::string_view name);

// Returns the error "name:line:column: sentence".
Error LabErrorAt(std::string_view name, LabPlace place, std::string_view sentence);

}  // namespace hashrange
