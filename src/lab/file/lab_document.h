// LabNode: a YAML document as a tree whose scalars are text, with the place of each node. Only
// lab_document.cc knows the YAML library.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/file/lab_file.h"

namespace hashrange {

struct LabNode {
  enum class Kind : std::uint8_t { kScalar, kList, kMap };
  struct Member;

  Kind kind = Kind::kScalar;
  LabPlace place = {};
  std::string text = {};   // of a scalar
  bool is_quoted = false;  // of a scalar: in quotes, or a block
  std::vector<LabNode> elements = {};
  std::vector<Member> members = {};  // in the order of the file; no two have the same name

  // Returns the value of the member of that name; null when there is none or this is no map.
  const LabNode* Find(std::string_view name) const;
};

struct LabNode::Member {
  std::string name = {};
  LabPlace place = {};  // of the name
  LabNode value = {};
};

// Returns the tree of a text. Anchors and aliases are copied.
// Errors: ValidationException  no YAML, several documents, a member whose name is repeated or is no
//         scalar, too deep or too large; the sentence begins with `name`, line and column
Result<LabNode> ReadLabDocument(std::string_view text, std::string_view name);

}  // namespace hashrange
