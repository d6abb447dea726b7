// Builders of lab files by hand, for tests of their data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange::lab_data_test {

inline LabDistribution Fixed(double number) { return {.first = number}; }
inline LabDistribution Drawn(LabDistribution::Kind kind, double first, double second) {
  return {.kind = kind, .first = first, .second = second};
}

inline LabGenerator Made(LabGenerator::Kind kind) { return {.kind = kind}; }
inline LabGenerator Sequence(int width) {
  return {.kind = LabGenerator::Kind::kSequence, .width = width};
}
inline LabGenerator Constant(std::string text) { return {.text = std::move(text)}; }
inline LabGenerator Choice(std::vector<LabGenerator::Choice> choices) {
  return {.kind = LabGenerator::Kind::kChoice, .choices = std::move(choices)};
}
inline LabGenerator NumberOf(LabDistribution distribution, int decimals) {
  return {.kind = LabGenerator::Kind::kNumber, .distribution = distribution, .decimals = decimals};
}
inline LabGenerator TextOf(double least, double most) {
  return {.kind = LabGenerator::Kind::kText,
          .distribution = Drawn(LabDistribution::Kind::kUniform, least, most)};
}
inline LabGenerator TimeIn(std::int64_t earliest_ms, std::int64_t latest_ms,
                           LabAttributeRef after = {}) {
  return {.kind = LabGenerator::Kind::kTime,
          .other = after,
          .earliest_ms = earliest_ms,
          .latest_ms = latest_ms};
}
inline LabGenerator FromOther(LabGenerator::Kind kind, LabAttributeRef other, int with = kLabNone) {
  return {.kind = kind, .other = other, .with = with};
}
inline LabGenerator RefTo(LabAttributeRef other, double exponent) {
  return {.kind = LabGenerator::Kind::kRef, .other = other, .pick_exponent = exponent};
}

inline LabTemplatePart Part(std::string literal, LabAttributeRef attribute,
                            LabTemplatePart::Form form = LabTemplatePart::Form::kAsIs,
                            int width = 0) {
  return {.literal = std::move(literal), .attribute = attribute, .form = form, .width = width};
}
inline LabGenerator Template(std::vector<LabTemplatePart> parts) {
  return {.kind = LabGenerator::Kind::kTemplate, .text_template = {.parts = std::move(parts)}};
}

inline LabAttribute Attribute(std::string name, LabGenerator generator,
                              LabType type = LabType::kString, double present = 1) {
  return {
      .name = std::move(name), .type = type, .generator = std::move(generator), .present = present};
}

inline LabCondition Is(LabAttributeRef attribute, std::string value) {
  return {.attribute = attribute, .values = {std::move(value)}};
}

inline constexpr std::int64_t kDayMs = 86'400'000;
inline constexpr std::int64_t kStart = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

// The entities and attributes of ShopFile.
inline constexpr int kCustomer = 0;
inline constexpr int kOrder = 1;
inline constexpr int kLine = 2;
inline constexpr int kProduct = 3;
inline constexpr LabAttributeRef kCustomerId = {kCustomer, 0};
inline constexpr LabAttributeRef kEmail = {kCustomer, 1};
inline constexpr LabAttributeRef kJoined = {kCustomer, 2};
inline constexpr LabAttributeRef kName = {kCustomer, 3};
inline constexpr LabAttributeRef kNickname = {kCustomer, 4};
inline constexpr LabAttributeRef kOrderId = {kOrder, 0};
inline constexpr LabAttributeRef kCreatedAt = {kOrder, 1};
inline constexpr LabAttributeRef kStatus = {kOrder, 2};
inline constexpr LabAttributeRef kTotal = {kOrder, 3};
inline constexpr LabAttributeRef kShippedAt = {kOrder, 4};
inline constexpr LabAttributeRef kOrderEmail = {kOrder, 5};
inline constexpr LabAttributeRef kSku = {kLine, 0};
inline constexpr LabAttributeRef kQuantity = {kLine, 1};
inline constexpr LabAttributeRef kLineTitle = {kLine, 2};
inline constexpr LabAttributeRef kProductSku = {kProduct, 0};
inline constexpr LabAttributeRef kTitle = {kProduct, 1};
inline constexpr LabAttributeRef kStock = {kProduct, 2};
inline constexpr LabAttributeRef kTraceId = {kProduct, 3};
inline constexpr LabAttributeRef kIsFragile = {kProduct, 4};
inline constexpr LabAttributeRef kBrand = {kProduct, 5};

// A shop: Customers with Orders with Lines that refer to Products.
inline LabFile ShopFile(double customers = 200, double products = 40) {
  LabFile file;
  file.seed = 7;
  file.start_epoch_ms = kStart;
  file.entities.resize(4);

  LabEntity& customer = file.entities[kCustomer];
  customer.name = "Customer";
  customer.count = Fixed(customers);
  customer.identity_is_global = true;
  customer.attributes = {
      Attribute("customer_id", Sequence(8)),
      Attribute("email", Template({Part("", kCustomerId), Part("@example.com", {})})),
      Attribute("joined", TimeIn(-730 * kDayMs, 0)), Attribute("name", TextOf(8, 24)),
      Attribute("nickname", TextOf(3, 3), LabType::kString, 0.1)};

  LabEntity& order = file.entities[kOrder];
  order.name = "Order";
  order.parent = kCustomer;
  order.count = Drawn(LabDistribution::Kind::kZipf, 0.9, 10);
  order.count.greatest = 100;
  order.identity_is_global = true;
  order.attributes = {
      Attribute("order_id", FromOther(LabGenerator::Kind::kUlid, kCreatedAt)),
      Attribute("created_at", TimeIn(-365 * kDayMs, 0)),
      Attribute("status", Choice({{"OPEN", 3}, {"PAID", 7}, {"SHIPPED", 90}})),
      Attribute("total", NumberOf(Drawn(LabDistribution::Kind::kLognormal, 4, 1), 2),
                LabType::kNumber),
      Attribute("shipped_at", TimeIn(0, 3 * kDayMs, kCreatedAt)),
      Attribute("email", FromOther(LabGenerator::Kind::kOfAncestor, kEmail))};
  order.attributes[4].generator.time_form = LabGenerator::TimeForm::kSeconds;
  order.attributes[4].type = LabType::kNumber;

  LabEntity& line = file.entities[kLine];
  line.name = "Line";
  line.parent = kOrder;
  line.count = Drawn(LabDistribution::Kind::kPoisson, 3, 0);
  line.count.least = 1;
  line.distinct = 0;
  line.attributes = {
      Attribute("sku", RefTo(kProductSku, 0.99)),
      Attribute("quantity", NumberOf(Drawn(LabDistribution::Kind::kUniform, 1, 5), 0),
                LabType::kNumber),
      Attribute("title", FromOther(LabGenerator::Kind::kOfRef, kTitle, 0))};

  LabEntity& product = file.entities[kProduct];
  product.name = "Product";
  product.count = Fixed(products);
  product.identity_is_global = true;
  product.attributes = {
      Attribute("sku", Sequence(5)),
      Attribute("title", TextOf(20, 60)),
      Attribute("stock", NumberOf(Drawn(LabDistribution::Kind::kUniform, 0, 999), 0),
                LabType::kNumber),
      Attribute("trace_id", Made(LabGenerator::Kind::kUuid)),
      Attribute("is_fragile", {.kind = LabGenerator::Kind::kFlag, .probability = 0.3},
                LabType::kBool),
      Attribute("brand", Constant("Acme"))};
  return file;
}

}  // namespace hashrange::lab_data_test
