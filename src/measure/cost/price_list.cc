#include "measure/cost/price_list.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "measure/json_members.h"
#include "wire/object_reader.h"

namespace hashrange {
namespace {

struct UsageTypeRow {
  Charge charge;
  bool infrequent_access;
  std::string_view usage_type;
  std::string_view unit;
};
constexpr UsageTypeRow kUsageTypes[] = {
    {Charge::kReadRequest, false, "ReadRequestUnits", "ReadRequestUnits"},
    {Charge::kReadRequest, true, "IA-ReadRequestUnits", "ReadRequestUnits"},
    {Charge::kWriteRequest, false, "WriteRequestUnits", "WriteRequestUnits"},
    {Charge::kWriteRequest, true, "IA-WriteRequestUnits", "WriteRequestUnits"},
    {Charge::kReadCapacity, false, "ReadCapacityUnit-Hrs", "ReadCapacityUnit-Hrs"},
    {Charge::kReadCapacity, true, "IA-ReadCapacityUnit-Hrs", "ReadCapacityUnit-Hrs"},
    {Charge::kWriteCapacity, false, "WriteCapacityUnit-Hrs", "WriteCapacityUnit-Hrs"},
    {Charge::kWriteCapacity, true, "IA-WriteCapacityUnit-Hrs", "WriteCapacityUnit-Hrs"},
    {Charge::kStorage, false, "TimedStorage-ByteHrs", "GB-Mo"},
    {Charge::kStorage, true, "IA-TimedStorage-ByteHrs", "GB-Mo"},
    // Streams have one price for both classes.
    {Charge::kStreamRead, false, "Streams-Requests-Count", "Requests"},
    // The names of these usage types are unverified.
    {Charge::kVectorSearch, false, "VectorSearchRequestBytes", "GB"},
    {Charge::kVectorSearch, true, "IA-VectorSearchRequestBytes", "GB"},
    {Charge::kVectorWrite, false, "VectorWriteRequestBytes", "GB"},
    {Charge::kVectorWrite, true, "IA-VectorWriteRequestBytes", "GB"},
};

bool IsOfVectors(const UsageTypeRow& row) {
  return row.charge == Charge::kVectorSearch || row.charge == Charge::kVectorWrite;
}

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

// The built-in prices (docs/service/21-layout-lab.md, section 3; of vectors:
// 15-vector-search.md, section 8). The page in the browser has the prices of request units, too:
// console/src/model/price.ts.
struct BuiltInPrice {
  std::string_view usage_type;
  double begin;
  double end;
  double usd;
};
constexpr BuiltInPrice kBuiltInPrices[] = {
    {"ReadRequestUnits", 0, kNoEnd, 0.000000125},
    {"WriteRequestUnits", 0, kNoEnd, 0.000000625},
    {"IA-ReadRequestUnits", 0, kNoEnd, 0.000000155},
    {"IA-WriteRequestUnits", 0, kNoEnd, 0.00000078},
    {"ReadCapacityUnit-Hrs", 0, 18'600, 0},
    {"ReadCapacityUnit-Hrs", 18'600, kNoEnd, 0.00013},
    {"WriteCapacityUnit-Hrs", 0, 18'600, 0},
    {"WriteCapacityUnit-Hrs", 18'600, kNoEnd, 0.00065},
    {"IA-ReadCapacityUnit-Hrs", 0, kNoEnd, 0.00016},
    {"IA-WriteCapacityUnit-Hrs", 0, kNoEnd, 0.00081},
    {"TimedStorage-ByteHrs", 0, 25, 0},
    {"TimedStorage-ByteHrs", 25, kNoEnd, 0.25},
    {"IA-TimedStorage-ByteHrs", 0, kNoEnd, 0.10},
    {"Streams-Requests-Count", 0, 2'500'000, 0},
    {"Streams-Requests-Count", 2'500'000, kNoEnd, 0.0000002},
    {"VectorSearchRequestBytes", 0, kNoEnd, 0.002},
    {"IA-VectorSearchRequestBytes", 0, kNoEnd, 0.0025},
    {"VectorWriteRequestBytes", 0, kNoEnd, 0.52},
    {"IA-VectorWriteRequestBytes", 0, kNoEnd, 0.65},
};

const UsageTypeRow* FindUsageType(std::string_view usage_type) {
  const auto row = std::ranges::find(kUsageTypes, usage_type, &UsageTypeRow::usage_type);
  return row == std::end(kUsageTypes) ? nullptr : row;
}

PriceList MakeBuiltInPrices() {
  PriceList list;
  list.region = "us-east-1";
  list.published = "2026-08-31";
  list.source =
      "the public price list; the price of streams is that of another Region, and the free tier of "
      "capacity units is not checked";
  list.gigabyte_bytes = 1024.0 * 1024 * 1024;
  list.month_hours = 730;
  for (const BuiltInPrice& price : kBuiltInPrices) {
    const UsageTypeRow* const row = FindUsageType(price.usage_type);
    list.prices.push_back(
        {std::string(price.usage_type), std::string(row->unit), price.begin, price.end, price.usd});
  }
  return list;
}

Result<Price> ReadPrice(const JsonValue& json, const std::string& place) {
  Price price;
  ObjectReader fields(json, place);
  fields.Require("usage_type");
  fields.Require("unit");
  fields.Require("usd");
  price.usage_type = fields.Text("usage_type");
  price.unit = fields.Text("unit");
  price.begin = fields.Number("begin");
  price.end = fields.Number("end", kNoEnd);
  price.usd = fields.Number("usd");
  HR_RETURN_IF_ERROR(fields.Finish());
  const UsageTypeRow* const row = FindUsageType(price.usage_type);
  const std::string subject = "The usage type \"" + price.usage_type + "\" of \"" + place + "\" ";
  if (!row) return ValidationError(subject + "is not known.");
  if (price.unit != row->unit) {
    return ValidationError(subject + "has the unit \"" + price.unit + "\" instead of \"" +
                           std::string(row->unit) + "\".");
  }
  return price;
}

// Checks that the bands of a usage type go from 0 to infinity without a gap.
Status CheckBands(const PriceList& list, std::string_view usage_type) {
  double end = 0;
  for (const Price& price : list.prices) {
    if (price.usage_type != usage_type) continue;
    if (price.begin != end || price.end <= price.begin) {
      return ValidationError("The bands of \"" + std::string(usage_type) +
                             "\" are not ascending, from 0 and without a gap.");
    }
    end = price.end;
  }
  if (end == 0) {
    return ValidationError("There is no price of \"" + std::string(usage_type) + "\".");
  }
  if (!std::isinf(end)) {
    return ValidationError("The last band of \"" + std::string(usage_type) +
                           "\" has an \"end\": larger quantities have no price.");
  }
  return {};
}

}  // namespace

const PriceList& BuiltInPrices() {
  static const PriceList list = MakeBuiltInPrices();
  return list;
}

namespace {

// Adds the built-in prices of a usage type to a list that has none.
void AddBuiltInPrices(std::string_view usage_type, PriceList* list) {
  if (std::ranges::find(list->prices, usage_type, &Price::usage_type) != list->prices.end()) return;
  for (const Price& price : BuiltInPrices().prices) {
    if (price.usage_type == usage_type) list->prices.push_back(price);
  }
}

}  // namespace

std::string_view UsageTypeOf(Charge charge, bool infrequent_access) {
  std::string_view standard;
  for (const UsageTypeRow& row : kUsageTypes) {
    if (row.charge != charge) continue;
    if (row.infrequent_access == infrequent_access) return row.usage_type;
    standard = row.usage_type;
  }
  return standard;
}

double UnitUsd(const PriceList& prices, std::string_view usage_type) {
  for (const Price& price : prices.prices) {
    if (price.usage_type == usage_type && price.usd > 0) return price.usd;
  }
  return 0;
}

double AmountUsd(const PriceList& prices, std::string_view usage_type, double quantity) {
  double usd = 0;
  for (const Price& price : prices.prices) {
    if (price.usage_type != usage_type || quantity <= price.begin) continue;
    usd += (std::min(quantity, price.end) - price.begin) * price.usd;
  }
  return usd;
}

void WritePriceList(const PriceList& prices, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("region", prices.region);
  writer.StringMember("currency", "USD");
  writer.StringMember("published", prices.published);
  writer.StringMember("source", prices.source);
  writer.DoubleMember("gigabyte_bytes", prices.gigabyte_bytes);
  writer.DoubleMember("month_hours", prices.month_hours);
  WriteObjectsMember("prices", prices.prices, writer, [&](const Price& price) {
    writer.StringMember("usage_type", price.usage_type);
    writer.StringMember("unit", price.unit);
    writer.DoubleMember("begin", price.begin);
    if (!std::isinf(price.end)) writer.DoubleMember("end", price.end);
    writer.DoubleMember("usd", price.usd);
  });
  writer.EndObject();
}

Result<PriceList> ReadPriceList(const JsonValue& json) {
  PriceList list;
  ObjectReader fields(json, "");
  for (const char* const name :
       {"region", "currency", "published", "gigabyte_bytes", "month_hours", "prices"}) {
    fields.Require(name);
  }
  list.region = fields.Text("region");
  const std::string currency = fields.Text("currency");
  list.published = fields.Text("published");
  list.source = fields.Text("source");
  list.gigabyte_bytes = fields.Number("gigabyte_bytes");
  list.month_hours = fields.Number("month_hours");
  fields.Member("prices");
  if (currency != "USD") fields.Fail("currency", "is not \"USD\".");
  if (list.gigabyte_bytes == 0) fields.Fail("gigabyte_bytes", "is 0.");
  if (list.month_hours == 0) fields.Fail("month_hours", "is 0.");
  HR_RETURN_IF_ERROR(fields.Finish());
  const std::span<const JsonValue> elements = fields.List("prices");
  HR_RETURN_IF_ERROR(fields.Finish());
  for (const JsonValue& element : elements) {
    const std::string place = "prices[" + std::to_string(list.prices.size()) + "]";
    HR_ASSIGN(Price price, ReadPrice(element, place));
    list.prices.push_back(std::move(price));
  }
  for (const UsageTypeRow& row : kUsageTypes) {
    if (IsOfVectors(row)) AddBuiltInPrices(row.usage_type, &list);
    HR_RETURN_IF_ERROR(CheckBands(list, row.usage_type));
  }
  return list;
}

}  // namespace hashrange
