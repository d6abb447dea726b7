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
  // `marked` has, for each form, the text with the marks of open questions, which MarkedText
  // returns in its place; empty: no form has a question.
  void AddPart(std::vector<std::string> forms, std::vector<std::string> marked = {});
  // Appends a part that is left out, too, where the last part of AddPart is left out.
  void AddPartBelow(std::vector<std::string> forms);

  // Returns the text after every part that the reader refuses was replaced.
  // Errors: ValidationException  a line is refused that stays as it is, or a large text has too
  //         many parts that are refused one after the other
  // Cost:   at most 16 MB of text are read
  Result<std::string> MendedText();
  // Returns the text after MendedText, with the marks of open questions (lab_reader.h refuses it
  // where there is one).
  std::string MarkedText() const;
  // Returns what MendedText replaced by a comment, a sentence each.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Part {
    std::vector<std::string> forms = {};
    std::size_t form = 0;
    bool is_fixed = false;
    bool is_below = false;
    std::vector<std::string> marked = {};
  };

  std::string Text() const;
  // Returns the number of the part in which the line is, or how many parts there are.
  std::size_t PartAt(int line) const;
  void TakeNextForm(std::size_t at, std::string_view sentence);
  // Takes the next form of all parts that have a fault. Returns whether there is any.
  bool ReplaceAll(const std::vector<std::string>& faults);

  std::vector<Part> parts_;
  std::vector<std::string> left_out_;
};

}  // namespace hashrange
