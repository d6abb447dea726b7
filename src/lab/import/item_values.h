// ItemValues: which values the attributes of stored items have, where they are few or are numbers.
// A measurement has sizes, but no values. Used by one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/result.h"
#include "lab/import/imported_model.h"
#include "lab/import/table_data.h"
#include "wire/json.h"

namespace hashrange {

class ItemValues {
 public:
  // Reads the first items of each table of the model.
  // Errors: ValidationException  a table cannot be read
  Status Read(const ImportedModel& model, TableData& data);

  // Gives generators to the attributes of the entities: a choice with its weights, the bounds of
  // numbers, the share of what is true.
  void Describe(ImportedModel& model) const;

 private:
  // The values of one attribute in the items of one type.
  struct Seen {
    std::uint64_t count = 0;
    std::map<std::string, std::uint64_t, std::less<>> texts =
        {};  // up to one more than a choice has
    std::uint64_t numbers = 0;
    double least = 0;
    double greatest = 0;
    int decimals = 0;
    std::uint64_t flags = 0;
    std::uint64_t trues = 0;
  };
  // The table, the value of its type attribute, and the attribute.
  using Place = std::tuple<std::string, std::string, std::string>;

  Status ReadTable(const ImportedTable& table, TableData& data);
  void AddItem(const ImportedTable& table, const JsonValue& item);
  static void AddValue(const JsonValue& value, Seen& seen);
  static std::string GeneratorFor(const ImportedAttribute& attribute, const Seen& seen);

  std::map<Place, Seen> seen_;
};

}  // namespace hashrange
