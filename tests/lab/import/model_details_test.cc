// Details of models that decide about sizes, keys and calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "lab/import/model_file.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

// Imports ten profiles of users. In `attributes`, their other attributes, each "@" is a digit of
// its own for each.
ImportedLab LabOfProfiles(std::string_view attributes) {
  const test::TemporaryFolder folder;
  const std::string table = folder.path() / "table.json";
  const std::string items = folder.path() / "items.jsonl";
  std::ofstream(table)
      << R"({"TableName":"app","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
      << R"({"AttributeName":"SK","KeyType":"RANGE"}],"AttributeDefinitions":[)"
      << R"({"AttributeName":"PK","AttributeType":"S"},)"
      << R"({"AttributeName":"SK","AttributeType":"S"}],)"
      << R"("BillingMode":"PAY_PER_REQUEST"})";
  std::ofstream lines(items);
  for (const char digit : std::string_view("0123456789")) {
    std::string item = R"({"Item":{"PK":{"S":"USER#0b7d5a3@-8c1e-4f7a-9d2b-3e5f6a7b8c9d"},)"
                       R"("SK":{"S":"PROFILE"},)" +
                       std::string(attributes) + "}}\n";
    std::ranges::replace(item, '@', digit);
    lines << item;
  }
  lines.close();
  auto lab = ImportLab({table, items}, std::nullopt);
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  return lab.ok() ? std::move(lab).value() : ImportedLab();
}

TEST(ModelDetails, IdsThatOnlyKeysHaveKeepTheirFormAndAreNamed) {
  const ImportedLab lab = LabOfProfiles(R"("name":{"S":"Ann"})");
  ExpectPieces(lab, {"      user_id: {uuid: true}\n"});
  EXPECT_TRUE(HasRemark(lab,
                        "table app: what only the keys of UserProfile have in the source is an "
                        "attribute here, which makes its items larger: user_id"))
      << lab.text;
}

TEST(ModelDetails, NumbersOfMoreDecimalsThanALabFileHasGetAUsualGenerator) {
  const ImportedLab lab = LabOfProfiles(R"("price":{"N":"0.00@"},"tiny":{"N":"0.00000000000@"})");
  ExpectPieces(lab, {"price: {number: [0.000, 0.009], decimals: 3}"});
  EXPECT_FALSE(Has(lab, "0.0000000000")) << lab.text;
}

std::string Electro(std::string_view attributes, std::string_view indexes) {
  return R"({"model":{"entity":"book","version":"1","service":"Library"},"attributes":{)" +
         std::string(attributes) + R"(},"indexes":{)" + std::string(indexes) + "}}";
}

TEST(ModelDetails, KeysOfElectroDb) {
  const std::string attributes =
      R"("isbn":{"type":"string","required":true,"label":"i"},)"
      R"("shelf":{"type":"string","required":true,"field":"s"},)"
      R"("number":{"type":"number","required":true,"padding":{"length":8,"char":"0"}},)"
      R"("title":{"type":"string"})";
  const ImportedLab lab = LabOfModel(Electro(
      attributes,
      R"("byShelf":{"index":"lsi1","pk":{"field":"pk","composite":["isbn"]},"sk":{"field":"lsi1sk","composite":["shelf"]}},)"
      R"("primary":{"scope":"One","pk":{"field":"pk","composite":["isbn"]},"sk":{"field":"sk","template":"N#${number}"}},)"
      R"("other":{"index":"gsi1","pk":{"field":"gsi1pk","composite":["shelf"]}},)"
      R"("third":{"index":"gsi2","type":"clustered","pk":{"field":"gsi2pk","composite":["shelf"]},"sk":{"field":"gsi2sk","composite":["isbn"]}})"));
  ExpectPieces(lab,
               {"lsi1: {key: [pk, lsi1sk], projection: all, local: true}", "sk: \"n#{number:08}\"",
                "gsi1pk: \"$library$book_1#shelf_{s}\"", "gsi2sk: \"#i_{isbn}#book_1\"",
                "title: {text: [8, 24], present: 0.5} # not required: fill in `present`"});
  const ImportedLab scoped = LabOfModel(
      Electro(attributes, R"("primary":{"scope":"One","pk":{"field":"pk","composite":["isbn"]}})"));
  ExpectPieces(scoped, {"{pk: \"$library_one$book_1#i_{isbn}\"}"});
}

TEST(ModelDetails, SchemasOfOneTable) {
  const ImportedLab lab = LabOfModel(
      R"({"indexes":{"local":{"sort":"zip","type":"local"},"primary":{"hash":"pk","sort":"sk"}},)"
      R"("models":{"User":{"pk":{"type":"string","value":"user#${id}"},)"
      R"("sk":{"type":"string","value":"n#${n:8:0}"},"id":{"type":"string","generate":"uuid"},)"
      R"("n":{"type":"number","required":true},"zip":{"type":"string","required":true},)"
      R"("born":{"type":"date","required":true},"gone":{"type":"date","ttl":true,"required":true},)"
      R"("nick":{"type":"string"}}},"params":{"timestamps":true}})");
  ExpectPieces(lab, {"local: {key: [pk, zip], projection: all, local: true}",
                     "born: {time: {past: 365d}, form: milliseconds}",
                     "created: {time: {past: 365d}, form: milliseconds}",
                     "updated: {time: {past: 365d}, form: milliseconds}",
                     "gone: {time: {ahead: 30d}, form: seconds}", "        ttl: gone\n",
                     "nick: {text: [8, 24], present: 0.5}"});
}

TEST(ModelDetails, AQueryOfAWholeCollectionHasAllItsEntities) {
  const ImportedLab lab = LabOfModel(
      R"({"tables":[{"table_config":{"table_name":"app","partition_key":"PK","sort_key":"SK"},"entities":{)"
      R"("User":{"pk_template":"USER#{user_id}","sk_template":"PROFILE","fields":[{"name":"user_id","type":"string"},)"
      R"({"name":"email","type":"string"}],"access_patterns":[{"name":"all of one","operation":"Query",)"
      R"("parameters":[{"name":"user_id","type":"string"}],"return_type":"mixed_data"},)"
      R"({"name":"mail","operation":"GetItem","projection":["email"],"parameters":[{"name":"user_id","type":"string"}]}]},)"
      R"("Order":{"pk_template":"USER#{user_id}","sk_template":"ORDER#{order_id}"}}}]})");
  ExpectPieces(lab, {"  all of one:\n    query: [User, Order]\n    by: [user_id]\n",
                     "  mail:\n    get: User\n    by: [user_id]\n    returns: [email]\n"});
}

TEST(ModelDetails, ARenamedAttributeOfAChildStaysInPatternsOfItsParent) {
  const ImportedLab lab = LabOfModel(
      R"({"tables":[{"table_config":{"table_name":"app","partition_key":"PK","sort_key":"SK"},"entities":{)"
      R"("Account":{"pk_template":"ACC#{id}","sk_template":"A","fields":[{"name":"id","type":"string"}],)"
      R"("access_patterns":[{"name":"all","operation":"Query","parameters":[{"name":"id","type":"string"}],)"
      R"("return_type":"mixed_data"}]},)"
      R"("User":{"pk_template":"ACC#{accountId}","sk_template":"USER#{id}","fields":[)"
      R"({"name":"id","type":"string"},{"name":"accountId","type":"string"}]}}}]})");
  ExpectPieces(lab, {"      User_id: {sequence: 8}\n",
                     "  all:\n    query: [Account, User]\n    by: [id]\n"});
}

std::string Capacity(std::string_view members, std::string_view pattern) {
  return R"({"tables":[{"table_name":"app","key_schema":{"partition_key":"PK"},)" +
         std::string(members) +
         R"("entities":[{"entity_name":"User","attributes":["PK","email"],"estimated_item_count":10}]}],)"
         R"("access_patterns":[{"description":"one","table":"app","entity":"User",)" +
         std::string(pattern) + "}]}";
}

TEST(ModelDetails, CallsAndCapacityOfRates) {
  const ImportedLab lab = LabOfModel(Capacity(
      R"("billing_mode":"PROVISIONED","provisioned_capacity":{"read_capacity_units":5,"write_capacity_units":6},)"
      R"("gsis":[{"index_name":"by_email","partition_key":"email","provisioned_capacity":{"read_capacity_units":7,"write_capacity_units":8}}],)",
      R"("operation":"TransactGetItems","consistency":"eventual","items_per_request":4)"));
  ExpectPieces(lab, {"    batch: 4\n    transaction: true\n", "billing: {read: 5, write: 6}\n",
                     "by_email: {key: [email], projection: all, billing: {read: 7, write: 8}}"});
  const ImportedLab on_demand = LabOfModel(Capacity(
      R"("billing_mode":"PAY_PER_REQUEST","provisioned_capacity":{"read_capacity_units":5,"write_capacity_units":6},)",
      R"("operation":"GetItem")"));
  ExpectPieces(on_demand, {"billing: on_demand\n"});
  EXPECT_TRUE(HasRemark(on_demand,
                        "tables[0].provisioned_capacity was left out: billing_mode of the table is "
                        "PAY_PER_REQUEST"));
}

TEST(ModelDetails, CalledPatternsLeaveTheItemsThatAreMeasured) {
  const ImportedLab lab = LabOfModel(
      R"({"tables":[{"TableName":"app","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST"}],)"
      R"("items":{"app":[{"PutRequest":{"Item":{"PK":{"S":"USER#000001"},"name":{"S":"Ann"}}}}]},)"
      R"("access_patterns":[{"description":"remove","implementation":"aws dynamodb delete-item --table-name app --key '{\"PK\":{\"S\":\"USER#000001\"}}'"},)"
      R"({"description":"drop","implementation":"aws dynamodb delete-table --table-name app"}]})");
  ExpectPieces(lab, {"      name: {text: 3}\n", "\n  remove:\n    # ",
                     "DeleteTable is no operation on items"});
}

TEST(ModelDetails, SamplesWithPlainJsonInMapsCountAndAreNamed) {
  const ImportedLab lab = LabOfModel(
      R"({"DataModel":[{"TableName":"app","KeyAttributes":{"PartitionKey":{"AttributeName":"id","AttributeType":"S"}},)"
      R"("TableFacets":[{"FacetName":"f","TableData":[{"id":{"S":"a1"},"m":{"M":{"on":true}},"empty":{}},)"
      R"({"id":{"S":"a2"},"m":{"M":{"on":true}}},{"id":{"S":"a3"},"n":{"N":"x"}}]}]}]})");
  ExpectPieces(lab, {"          # id: itself in 2 of 2 samples\n", "      m: {text: 11}\n"});
  EXPECT_TRUE(HasRemark(lab,
                        "DataModel[0].TableFacets[0].TableData[1]: a text stands for each map and "
                        "list, and what is empty was left out: Unexpected value type in payload"));
  EXPECT_TRUE(
      HasRemark(lab,
                "DataModel[0].TableFacets[0].TableData[2]: an item was left out: 1 validation "
                "error detected: The parameter cannot be converted to a numeric value: x"))
      << lab.text;
}

TEST(ModelDetails, NumbersAreFiniteAndBounded) {
  for (const char* number : {"1e300", "\"inf\"", "\"nan\"", "-1", "1e13"}) {
    const ImportedLab lab = LabOfModel(
        Capacity("\"provisioned_capacity\":{\"read_capacity_units\":" + std::string(number) +
                     ",\"write_capacity_units\":1},",
                 R"("operation":"GetItem")"));
    EXPECT_TRUE(HasRemark(lab,
                          "tables[0].provisioned_capacity.read_capacity_units has to be a number "
                          "of 0 to 1e12 and was left out"))
        << number;
  }
}

}  // namespace
}  // namespace hashrange
