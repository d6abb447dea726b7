// Placeholders: the ExpressionAttributeNames and ExpressionAttributeValues of one
// request (or one member of a batch or transaction), and which of them its
// expressions have used. Views into the request; lives as long as it. A PartiQL statement's
// values have numbers in place of placeholders.
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
    std::uint32_t sent = 0;  // its place in the request, once the entries were sorted
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

  // The value of that number.
  const ValueView& NumberedValue(std::size_t number) const { return numbered_[number]; }

  // What a placeholder stands for, marked as used; null when it is not defined.
  // Cost: few entries are searched one by one; many are sorted, in place, at the first
  //       look-up.
  const std::string_view* UseName(std::string_view placeholder);
  const ValueView* UseValue(std::string_view placeholder);

  // Errors: ValidationException  a name, then a value, that no expression used, all of
  //         them listed as sent (reference 04, section 2, rows 11 and 12)
  Status CheckAllUsed() const;

 private:
  std::span<NameEntry> names_;
  std::span<ValueEntry> values_;
  std::span<const ValueView> numbered_;
  bool names_sorted_ = false;
  bool values_sorted_ = false;
};

}  // namespace hashrange
