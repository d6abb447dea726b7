// CSV (RFC 4180): a header, then a record for each item.
//
//   PK,SK,age:N,tags:SS,address:M
//   USER#1,PROFILE,7,"[""a"",""b""]","{""city"":""Bern""}"
//
// A column is "name" or "name:TYPE", of S, N, B, BOOL, NULL, SS, NS, BS, L, M. Without a type it is
// what the table declares for a key of its own or of an index, and S otherwise. A name that holds
// a colon has its type behind it. A cell of B is Base64, of BOOL true or false, of NULL true; sets
// and lists are arrays of plain JSON, M is an object of it. An empty cell, quoted or not, is an
// attribute the item does not have. Spaces belong to their cell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table_version.h"
#include "value/attribute_type.h"
#include "wire/json.h"

namespace hashrange {

// Takes records off the front of a text, which it overwrites. One thread.
class CsvReader {
 public:
  CsvReader(std::span<char> text, std::uint64_t first_line)
      : at_(text.data()), end_(text.data() + text.size()), line_(first_line) {}

  // The cells of the next record; views of the text. Lines of no character are left out. False
  // at the end.
  // Errors: ValidationException  the quotes are wrong. line() is then where the record begins.
  Result<bool> Next(std::vector<std::span<char>>* cells);

  // Where the record last read, or refused, begins; from 1.
  std::uint64_t line() const { return record_line_; }
  // Where the record to come begins.
  const char* position() const { return at_; }
  std::uint64_t next_line() const { return line_; }

 private:
  Result<std::span<char>> ReadQuoted();
  Result<std::span<char>> ReadBare();
  void SkipEmptyLines();
  bool IsAtLineEnd() const;
  // Behind the cell: true when a comma, and so another cell, follows.
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

// Errors: ValidationException  a column without a name, of an unknown type, twice; no column for
//                              a key of the table
Result<CsvHeader> ReadCsvHeader(std::span<const std::span<char>> cells, const TableVersion& table);

// The item of a record: {"PK":{"S":…},…}.
// Errors: ValidationException  more or fewer cells than columns; a cell that is not of its type
Result<JsonValue> ReadCsvItem(const CsvHeader& header, std::span<const std::span<char>> cells,
                              Arena& arena);

}  // namespace hashrange
