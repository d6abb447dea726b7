// NodeReader reads one map of a lab file. Its caller asks for each member by name; a member that
// nobody asked for is an error, because a misspelt name would be ignored for ever. Used by one
// thread.
//
//   NodeReader map(node, "`pick`", reading);
//   if (const LabNode* hot = map.Member("hot")) …
//   map.Finish();
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/language/joined_names.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

class NodeReader {
 public:
  // `what` names the map in sentences. Reports a node that is no map.
  NodeReader(const LabNode& node, std::string_view what, LabReading& reading);

  // Returns the member of that name; null when there is none, or when it is null in YAML.
  const LabNode* Member(std::string_view name);
  // Reports the absence of the member.
  const LabNode* Require(std::string_view name);
  // Returns the row with the name of the member that the file has; null, with an error, where it
  // has none of them or several.
  template <typename Row, std::size_t kRows>
  const Row* OneOf(const Row (&rows)[kRows]) {
    const int found = FindOne(NamesIn(rows));
    return found < 0 ? nullptr : &rows[found];
  }
  // Reports members that nobody asked for.
  void Finish();

  const LabNode& node() const { return node_; }
  LabReading& reading() { return reading_; }

 private:
  // Returns the place in `names` of the one that the file has; −1, with an error, where it has none
  // of them or several.
  int FindOne(const std::vector<std::string>& names);

  const LabNode& node_;
  const std::string what_;
  LabReading& reading_;
  std::vector<std::string> known_;
};

}  // namespace hashrange
