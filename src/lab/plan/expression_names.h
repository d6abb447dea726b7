// ExpressionNames: the names (#status) and values (:status) of the expressions of one request.
// Used by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/plan/read_rest.h"

namespace hashrange {

class ExpressionNames {
 public:
  // Returns what stands in an expression for a name, or for a value. The same name is written once.
  std::string Name(std::string_view hint, const KeyText& name);
  std::string Value(std::string_view hint, LabType type, const KeyText& value);
  // Returns "#lines.#sku".
  std::string Path(const ItemPath& path);

  // Appends the members ExpressionAttributeNames and ExpressionAttributeValues, each with a comma
  // in front, where there are any.
  void AppendMembers(std::vector<RequestPiece>& pieces) const;

 private:
  struct Entry {
    std::string sign = {};  // "#status"
    LabType type = LabType::kString;
    KeyText text = {};
  };
  static std::string FreeSign(char first, std::string_view hint, const std::vector<Entry>& entries);

  std::vector<Entry> names_;
  std::vector<Entry> values_;
};

// Appends a value: {"S":"OPEN"}.
void AppendTypedValue(LabType type, const KeyText& value, std::vector<RequestPiece>& pieces);

}  // namespace hashrange
