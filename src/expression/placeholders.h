// Placeholders: the ExpressionAttributeNames and ExpressionAttributeValues of one request (or
// of one member of a batch or transaction), and which of them its expressions have used. The
// entries are views into the request and must not outlive it. The values of a PartiQL statement
// have numbers in place of placeholders. Not thread-safe: a request's thread uses it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "value/attribute_value.h"

namespace hashrange {

class Placeholders {
 public:
  struct NameEntry {
    std::string_view placeholder;  // "#n"
    std::string_view name;
    bool used = false;
    std::uint32_t sent = 0;  // the position in the request; set when the entries are sorted
  };
  struct ValueEntry {
    std::string_view placeholder;  // ":v"
    ValueView value;
    bool used = false;
    std::uint32_t sent = 0;
  };

  Placeholders() = default;
  Placeholders(std::span<NameEntry> names, std::span<ValueEntry> values)
      : names_(names), values_(values) {}
  explicit Placeholders(std::span<const ValueView> numbered) : numbered_(numbered) {}

  // Returns the value of that number; for a PartiQL statement only.
  const ValueView& NumberedValue(std::size_t number) const { return numbered_[number]; }

  // Each returns the name or value of a placeholder and marks it as used; null when it is not
  // defined.
  // Cost: a few entries are searched one by one; many entries are sorted in place by the first
  //       look-up, and then searched in O(log n).
  const std::string_view* UseName(std::string_view placeholder);
  const ValueView* UseValue(std::string_view placeholder);

  // Checks that every name and value was used by an expression.
  // Errors: ValidationException  some names are unused or, when all names are used, some values;
  //         the message lists the unused placeholders in the order of the request
  //         (docs/service/04-expressions.md, section 2, rows 11 and 12)
  Status CheckAllUsed() const;

 private:
  std::span<NameEntry> names_;
  std::span<ValueEntry> values_;
  std::span<const ValueView> numbered_;
  bool names_sorted_ = false;
  bool values_sorted_ = false;
};

}  // namespace hashrange
