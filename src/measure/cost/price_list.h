// PriceList: what the service charges in one Region, by bands of quantity. There is a built-in
// list; a file with the same members replaces it. Prices are facts of
// docs/service/21-layout-lab.md, section 3. Plain data and pure functions; any thread.
//
//   {"region": "us-east-1", "currency": "USD", "published": "2026-08-31", "source": "…",
//    "gigabyte_bytes": 1073741824, "month_hours": 730,
//    "prices": [{"usage_type": "TimedStorage-ByteHrs", "unit": "GB-Mo", "end": 25, "usd": 0},
//               {"usage_type": "TimedStorage-ByteHrs", "unit": "GB-Mo", "begin": 25, "usd": 0.25}]}
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// What is charged for.
enum class Charge : std::uint8_t {
  kReadRequest,    // a read unit, on demand
  kWriteRequest,   // a write unit, on demand
  kReadCapacity,   // a read unit a second, provisioned for an hour
  kWriteCapacity,  // a write unit a second, provisioned for an hour
  kStorage,        // a gigabyte for a month
  kStreamRead,     // a GetRecords call
  kVectorSearch,   // a gigabyte that searches of vectors were charged
  kVectorWrite,    // a gigabyte that writes were charged by vector indexes
};

// The price of a unit in one band of the month's quantity.
struct Price {
  std::string usage_type = {};  // as in bills: "ReadRequestUnits", "IA-ReadRequestUnits"
  std::string unit = {};        // one of this is priced: "ReadRequestUnits", "GB-Mo"
  double begin = 0;
  double end = std::numeric_limits<double>::infinity();  // the file leaves this out
  double usd = 0;

  friend bool operator==(const Price&, const Price&) = default;
};

struct PriceList {
  std::string region = {};
  std::string published = {};  // when the prices were published
  std::string source = {};
  double gigabyte_bytes = 0;
  double month_hours = 0;
  // The bands of one usage type are ascending, without a gap, from 0 to infinity.
  std::vector<Price> prices = {};
};

// Returns the built-in list: us-east-1, with the free tier as first bands.
const PriceList& BuiltInPrices();

// Returns the usage type of a charge: "IA-ReadRequestUnits" for a read of a table of the class
// STANDARD_INFREQUENT_ACCESS.
std::string_view UsageTypeOf(Charge charge, bool infrequent_access);

// Returns the price of one unit in the first band that is not free; 0 when every band is free.
double UnitUsd(const PriceList& prices, std::string_view usage_type);

// Returns the price of a month's quantity, through all bands.
double AmountUsd(const PriceList& prices, std::string_view usage_type, double quantity);

// Returns the list in a file.
// A list without prices of vectors, as older lists are, has the built-in ones.
// Errors: ValidationException  a member has another type, is missing or is not known; the currency
//         is not USD; a usage type is not known, has another unit, is missing, or its bands have a
//         gap; the sentence says which
Result<PriceList> ReadPriceList(const JsonValue& json);

// Writes the list as ReadPriceList reads it.
void WritePriceList(const PriceList& prices, JsonWriter& writer);

}  // namespace hashrange
