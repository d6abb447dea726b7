// LabDraft: the text of a lab file whose parts can be exchanged. A part that the reader of lab
// files refuses is replaced by its next form, and at last by a comment that has the reader's
// sentence, so that the file is always one that can be read. Used by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hashrange {

class LabDraft {
 public:
  // Appends lines that stay as they are. Each ends with a line break.
  void Add(std::string lines);
  // Appends lines with other forms of them, which are tried in their order.
  void AddPart(std::vector<std::string> forms);

  // Returns the text after every part that the reader refuses was replaced.
  // Errors: ValidationException  a line is refused that stays as it is
  Result<std::string> MendedText();
  // Returns what MendedText replaced by a comment, a sentence each.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Part {
    std::vector<std::string> forms = {};
    std::size_t form = 0;
    bool is_fixed = false;
  };

  std::string Text() const;
  // Takes the next form of the part in which the line is. Returns whether there is one.
  bool Replace(int line, std::string_view sentence);

  std::vector<Part> parts_;
  std::vector<std::string> left_out_;
};

}  // namespace hashrange
