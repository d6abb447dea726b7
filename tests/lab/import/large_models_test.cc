// Models with many parts, with parts that lab files refuse, and with names that they do not have.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "lab/import/model_file.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

std::string EntityWith(int number, std::string_view keys, std::string_view others) {
  return (number == 0 ? "\"Item" : ",\"Item") + std::to_string(number) + "\":{" +
         std::string(keys) + std::string(others) + "}";
}

std::string KeyOf(int number) {
  const std::string digits = std::to_string(number);
  return R"("pk_template":"E)" + digits + "#{id" + digits + "}\"";
}

std::size_t CountOf(std::string_view piece, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

TEST(LargeModels, MoreThanTwoHundredRefusedPatternsStayAndGoodOnesToo) {
  std::string patterns;
  for (int number = 0; number < 300; ++number) {
    patterns += R"({"name":"wrong )" + std::to_string(number) +
                R"(","operation":"DeleteItem","parameters":[]},)";
  }
  patterns += R"({"name":"good","operation":"GetItem","parameters":[{"name":"id0"}]})";
  const ImportedLab lab =
      LabOfModel(SchemaWith(EntityWith(0, KeyOf(0), ",\"access_patterns\":[" + patterns + "]")));
  EXPECT_TRUE(Has(lab, "\n  good:\n    get: Item0\n    by: [id0]\n"));
  EXPECT_EQ(CountOf("\n  # wrong ", lab.text), 300U);
  EXPECT_EQ(CountOf("\n  # Left out: ", lab.text), 300U);
}

TEST(LargeModels, GetsWithoutParametersAreMendedTogether) {
  std::string entities;
  for (int number = 0; number < 400; ++number) {
    const std::string name = R"({"name":"get )" + std::to_string(number);
    entities += EntityWith(number, KeyOf(number),
                           ",\"access_patterns\":[" + name + R"(","operation":"GetItem"},)" + name +
                               R"( b","operation":"GetItem"}])");
  }
  const ImportedLab lab = LabOfModel(SchemaWith(entities));
  EXPECT_EQ(CountOf("    query: Item", lab.text), 800U);
}

TEST(LargeModels, EntitiesOverTheLimitsAreNamed) {
  std::string entities;
  for (int number = 0; number < 502; ++number) entities += EntityWith(number, KeyOf(number), "");
  EXPECT_TRUE(
      HasRemark(LabOfModel(SchemaWith(entities)),
                "tables[0].entities.Item501 was left out: a model has at most 500 entities"));

  std::string placeholders;
  for (int number = 0; number < 41; ++number) placeholders += "{a" + std::to_string(number) + "}";
  EXPECT_TRUE(HasRemark(
      LabOfModel(SchemaWith(EntityWith(0, KeyOf(0), "") +
                            EntityWith(1, R"("pk_template":"E#)" + placeholders + "\"", ""))),
      "tables[0].entities.Item1 was left out: the keys of an entity have at most 40 placeholders"));

  std::string fields;
  for (int number = 0; number < 100; ++number) {
    fields += (number == 0 ? R"({"name":"f)" : R"(,{"name":"f)") + std::to_string(number) +
              R"(","type":"string"})";
  }
  std::string wide;
  for (int number = 0; number < 100; ++number) {
    wide += EntityWith(number, KeyOf(number), ",\"fields\":[" + fields + "]");
  }
  EXPECT_TRUE(
      HasRemark(LabOfModel(SchemaWith(wide)),
                "tables[0].entities.Item99 was left out: a model has at most 10000 attributes "
                "and placeholders of keys"));
}

TEST(LargeModels, TablesOfOneName) {
  const std::string capacity =
      R"({"table_name":"app","key_schema":{"partition_key":"PK"},"entities":[{"entity_name":"E"}]})";
  EXPECT_TRUE(HasRemark(LabOfModel("{\"tables\":[" + capacity + "," + capacity + "]}"),
                        "tables[1]: the table was left out: there is another app"));
  const std::string facets =
      R"({"TableName":"app","KeyAttributes":{"PartitionKey":{"AttributeName":"PK","AttributeType":"S"}}})";
  EXPECT_TRUE(HasRemark(LabOfModel("{\"DataModel\":[" + facets + "," + facets + "]}"),
                        "DataModel[1]: the table was left out: there is another app"));
}

TEST(LargeModels, NamesThatAreCutOrMean) {
  std::string accents;
  for (int number = 0; number < 200; ++number) accents += "é";
  const ImportedLab cut = LabOfModel(SchemaWith("\"" + accents + R"(":{"pk_template":"A#{id}"})"));
  EXPECT_TRUE(Has(cut, "\n  \"" + accents.substr(0, 254) + "\":\n"));
  EXPECT_TRUE(Has(LabOfModel(SchemaWith(R"("<<":{"pk_template":"A#{<<}"})")), "\n  __:\n"));
}

TEST(LargeModels, KeysThatNoTableHas) {
  const std::string left_out = "FILE has no entity with a key: tables[0]: the table was left out: ";
  const std::string entity = R"("E":{"pk_template":"A#{id}","sk_template":"B"})";
  EXPECT_EQ(SentenceOf(SchemaWith(entity, R"("partition_key":"<<")")),
            left_out + "a lab file has no attribute <<");
  EXPECT_EQ(SentenceOf(SchemaWith(entity, R"("partition_key":"PK","sort_key":"PK")")),
            left_out + "the attribute PK is there twice in its key");
  EXPECT_EQ(SentenceOf(SchemaWith(entity, R"("partition_key":")" + std::string(300, 'K') + "\"")),
            left_out + "the name of a key attribute has at most 255 bytes");
}

TEST(LargeModels, OfMoreItemsThanAreComparedAMeasurementHasTheTemplates) {
  const test::TemporaryFolder folder;
  const std::string table = folder.path() / "table.json";
  const std::string items = folder.path() / "items.jsonl";
  std::ofstream(table)
      << R"({"TableName":"app","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],)"
      << R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],)"
      << R"("BillingMode":"PAY_PER_REQUEST"})";
  std::ofstream lines(items);
  for (int number = 0; number < 100'000; ++number) {
    lines << R"({"Item":{"PK":{"S":"USER#)" << number << "\"}}}\n";
  }
  lines.close();
  const auto lab = ImportLab({table, items}, std::nullopt);
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  EXPECT_EQ(lab->questions, 0U);
  ExpectPieces(*lab, {"          User: {PK: \"USER#{user_id}\"}\n"});
  EXPECT_TRUE(HasRemark(*lab,
                        "with the table app, there are too many items to compare them one by one: "
                        "the templates of all keys are those of a measurement"));
}

}  // namespace
}  // namespace hashrange
