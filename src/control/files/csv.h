// CSV (RFC 4180): a header, then a record for each item.
//
//   PK,SK,age:N,tags:SS,address:M
//   USER#1,PROFILE,7,"[""a"",""b""]","{""city"":""Bern""}"
//
// A column is "name" or "name:TYPE", where TYPE is S, N, B, BOOL, NULL, SS, NS, BS, L or M. Without
// a type, a key attribute of the table or of an index has its declared type, and any other column
// is S. A name that contains a colon needs a type. A cell of type B is Base64, BOOL is true or
// false (also True, TRUE, False and FALSE), NULL is true; sets and lists are arrays of plain JSON,
// and M is an object of plain JSON. An empty cell, quoted or not, means that the item does not have
// the attribute. Spaces belong to the cell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "base/result.h"
#include "engine/table_version.h"
#include "value/attribute_value.h"
#include "wire/json.h"

namespace hashrange {

// Reads records from the front of a text, which it overwrites. One thread at a time.
class CsvReader {
 public:
  CsvReader(std::span<char> text, std::uint64_t first_line)
      : at_(text.data()), end_(text.data() + text.size()), line_(first_line) {}

  // Reads the cells of the next record, as views of the text. Empty lines are skipped. Returns
  // false at the end.
  // Errors: ValidationException  the quotes are wrong. line() is then where the record begins.
  Result<bool> Next(std::vector<std::span<char>>* cells);

  // The line where the record last read, or refused, begins; from 1.
  std::uint64_t line() const { return record_line_; }
  // Where the next call of Next begins to read: empty lines may be there, before the next record.
  const char* position() const { return at_; }
  std::uint64_t next_line() const { return line_; }  // the line of position(); from 1

 private:
  Result<std::span<char>> ReadQuoted();
  Result<std::span<char>> ReadBare();
  void SkipEmptyLines();
  bool IsAtLineEnd() const;
  // Reads the end of the cell. Returns true when a comma, and so another cell, follows.
  Result<bool> EndCell();

  char* at_;
  char* const end_;
  std::uint64_t line_;
  std::uint64_t record_line_ = 0;
};

struct CsvColumn {
  std::string name;
  AttributeType type = AttributeType::kS;
};
using CsvHeader = std::vector<CsvColumn>;

// Returns the columns of a header.
// Errors: ValidationException  a column without a name, of an unknown type, or twice; no column for
//                              a key of the table
Result<CsvHeader> ReadCsvHeader(std::span<const std::span<char>> cells, const TableVersion& table);

// Returns the item of a record: {"PK":{"S":…},…}.
// Errors: ValidationException  more or fewer cells than columns; a cell that is not of its type
Result<JsonValue> ReadCsvItem(const CsvHeader& header, std::span<const std::span<char>> cells,
                              Arena& arena);

}  // namespace hashrange
