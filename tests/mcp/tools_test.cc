// Tests of the tools by their results, on a database in process.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "mcp/agent_fixture.h"

namespace hashrange {
namespace {

class Tools : public AgentFixture {
 protected:
  // A table with an index, and six orders of two customers.
  void MakeShop() {
    EXPECT_EQ(
        database_
            .Call(
                "CreateTable",
                R"({"TableName":"shop","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
                R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK",)"
                R"("AttributeType":"S"},{"AttributeName":"G","AttributeType":"S"}],"KeySchema":[)"
                R"({"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK",)"
                R"("KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":)"
                R"({"ProjectionType":"KEYS_ONLY"},"KeySchema":[{"AttributeName":"G",)"
                R"("KeyType":"HASH"}]}]})",
                {"111122223333", "us-east-1"})
            .status,
        200);
    for (int i = 1; i <= 6; ++i) {
      const std::string n = std::to_string(i);
      EXPECT_EQ(
          Tool("dynamodb_call",
               R"({"operation":"PutItem","input":{"TableName":"shop","Item":{"PK":{"S":"CUST#)" +
                   std::to_string(i % 2) + R"("},"SK":{"S":"ORDER#)" + n +
                   R"("},"G":{"S":"open"},"type":{"S":"Order"}}}})"),
          "2 write units (shop: table 1, byG 1)\n{}");
    }
  }
};

TEST_F(Tools, AReadHasItsUnits) {
  MakeShop();
  EXPECT_EQ(
      Tool(
          "dynamodb_read",
          R"({"operation":"Query","input":{"TableName":"shop","IndexName":"byG","Select":"COUNT",)"
          R"("KeyConditionExpression":"G = :g","ExpressionAttributeValues":{":g":{"S":"open"}}}})"),
      "0.5 read units (shop: byG 0.5)\n{\"Count\":6,\"ScannedCount\":6}");
  EXPECT_EQ(Tool("dynamodb_read", R"({"operation":"ListTables","input":{}})"),
            R"({"TableNames":["shop"]})");
  EXPECT_EQ(Tool("dynamodb_read", R"({"operation":"GetItem","input":{"TableName":"shop"}})"),
            "ERROR ValidationException: 1 validation error detected: Value null at 'key' failed to "
            "satisfy constraint: Member must not be null");
}

TEST_F(Tools, OnlyReadsAreReads) {
  MakeShop();
  EXPECT_EQ(Tool("dynamodb_read", R"({"operation":"PutItem","input":{}})"),
            "ERROR PutItem is no operation that only reads, such as GetItem, Query or "
            "DescribeTable; dynamodb_call, unless the server is read-only, makes any call");
  EXPECT_EQ(
      Tool("dynamodb_read", R"({"operation":"DescribeBulkOperation","input":{}})").substr(0, 32),
      "ERROR UnknownOperationException:");
  EXPECT_EQ(Tool("dynamodb_call", R"({"operation":"Foo","input":{}})"),
            "ERROR UnknownOperationException: there is no operation Foo");
  EXPECT_EQ(
      Tool("dynamodb_read", R"({"operation":"ExecuteStatement","input":{"Statement":)"
                            R"(" sElEcT PK FROM shop WHERE PK = 'CUST#1' AND SK = 'ORDER#1'"}})"),
      "0.5 units (shop: table 0.5)\n{\"Items\":[{\"PK\":{\"S\":\"CUST#1\"}}]}");
  for (
      const std::string input :
      {R"("operation":"ExecuteStatement","input":{"Statement":"DELETE FROM shop WHERE PK = 'a'"})",
       R"("operation":"ExecuteStatement","input":{"Statement":"--select\nDELETE FROM shop"})",
       R"("operation":"ExecuteStatement","input":{})",
       R"("operation":"BatchExecuteStatement","input":{"Statements":[{"Statement":"SELECT 1"},{"Statement":"UPDATE x"}]})",
       R"("operation":"ExecuteTransaction","input":{"TransactStatements":[{"Statement":"INSERT x"}]})"}) {
    EXPECT_EQ(Tool("dynamodb_read", "{" + input + "}"),
              "ERROR dynamodb_read takes statements that begin with SELECT or EXISTS only")
        << input;
  }
}

TEST_F(Tools, AnExplanationSaysWhatARequestTakes) {
  MakeShop();
  constexpr char kEnd[] =
      "Computed by running it on a private copy of the tables as they are now; nothing was changed "
      "or counted.\n";
  EXPECT_EQ(
      Tool(
          "explain_request",
          R"({"operation":"Query","input":{"TableName":"shop","KeyConditionExpression":)"
          R"-("PK = :p AND begins_with(SK, :s)","FilterExpression":"G = :g",)-"
          R"("ExpressionAttributeValues":{":p":{"S":"CUST#1"},":s":{"S":"ORDER#"},":g":{"S":"x"}}}})"),
      std::string("Query: 0.5 read units, 0 write units\n"
                  "- query shop: 0.5 read units\n"
                  "  reads 3 items, 93 B; the filter is applied afterwards and keeps 0\n"
                  "  where PK = \"CUST#1\" AND SK begins_with \"ORDER#\", filter: G = ?\n") +
          kEnd);
  EXPECT_EQ(Tool("explain_request", R"({"operation":"Scan","input":{"TableName":"shop"}})"),
            std::string("Scan: 0.5 read units, 0 write units\n"
                        "- scan shop, all of it (a Scan: no key serves it): 0.5 read units\n"
                        "  reads 6 items, 186 B\n") +
                kEnd);
  EXPECT_EQ(
      Tool("explain_request",
           R"({"operation":"DeleteItem","input":{"TableName":"shop","Key":{"PK":{"S":"CUST#1"},)"
           R"-("SK":{"S":"ORDER#1"}},"ConditionExpression":"attribute_exists(PK)"}})-"),
      std::string("DeleteItem: 0 read units, 2 write units\n"
                  "- delete shop: 2 write units\n"
                  "  removes an item of 31 B; byG: entry removed, 1 unit\n"
                  "  PK=CUST#1, SK=ORDER#1, if attribute_exists(PK)\n") +
          kEnd);
  EXPECT_EQ(Tool("explain_request", R"({"operation":"ListTables","input":{}})"),
            "ERROR \"ListTables\" is no operation that reads or writes items, such as \"Query\" or "
            "\"PutItem\".");
  EXPECT_EQ(Tool("dynamodb_read",
                 R"({"operation":"Scan","input":{"TableName":"shop","Select":"COUNT"}})"),
            "0.5 read units (shop: table 0.5)\n{\"Count\":6,\"ScannedCount\":6}");
}

// Returns an explanation without its last line.
std::string Short(const std::string& explanation) {
  return explanation.substr(0, explanation.find("Computed by "));
}

TEST_F(Tools, AnExplanationOfARefusalSaysWhy) {
  MakeShop();
  EXPECT_EQ(
      Short(Tool("explain_request",
                 R"({"operation":"TransactWriteItems","input":{"TransactItems":[{"Delete":)"
                 R"({"TableName":"shop","Key":{"PK":{"S":"CUST#1"},"SK":{"S":"ORDER#1"}}}},)"
                 R"({"Put":{"TableName":"shop","Item":{"PK":{"S":"a"},"SK":{"S":"b"}},)"
                 R"-("ConditionExpression":"attribute_exists(PK)"}}]}})-")),
      "TransactWriteItems: 0 read units, 4 write units\n"
      "- delete shop: 2 write units (twice, as in a transaction); nothing is written, because "
      "another action was refused; the units are charged\n"
      "  there is an item of 31 B\n"
      "  PK=CUST#1, SK=ORDER#1\n"
      "- put shop: 2 write units (twice, as in a transaction); nothing is written, as the "
      "condition does not hold; the units are charged\n"
      "  there is no item\n"
      "  PK=a, SK=b, if attribute_exists(PK)\n"
      "It would fail: TransactionCanceledException: Transaction cancelled, please refer "
      "cancellation reasons for specific reasons [None, ConditionalCheckFailed]\n"
      "CancellationReasons: [{\"Code\":\"None\"},{\"Code\":\"ConditionalCheckFailed\",\"Message\":"
      "\"The conditional request failed\"}]\n");
}

TEST_F(Tools, AnExplanationOfAStatementHasItsWhere) {
  MakeShop();
  EXPECT_EQ(Short(Tool("explain_request",
                       R"({"operation":"ExecuteStatement","input":{"Limit":null,"Statement":)"
                       R"("SELECT SK FROM shop WHERE PK = 'CUST#1' AND G = 'x'"}})")),
            "ExecuteStatement: 0.5 read units, 0 write units\n"
            "- query shop: 0.5 read units\n"
            "  reads 3 items, 93 B; the WHERE keeps 0\n"
            "  where PK = \"CUST#1\", WHERE PK = ? AND G = ?, projection: SK\n");
}

TEST_F(Tools, AScanOfAPartIsNotAllOfIt) {
  MakeShop();
  const auto first_line = [this](const std::string& more) {
    const std::string text =
        Tool("explain_request", R"({"operation":"Scan","input":{"TableName":"shop")" + more + "}}");
    const std::size_t begin = text.find('\n') + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(first_line(R"(,"Limit":1)"), "- scan shop (a Scan: no key serves it): 0.5 read units");
  EXPECT_EQ(first_line(R"(,"ExclusiveStartKey":{"PK":{"S":"CUST#1"},"SK":{"S":"ORDER#1"}})"),
            "- scan shop (a Scan: no key serves it), from its start key on: 0.5 read units");
  for (const char* const segment : {"0", "1"}) {
    EXPECT_EQ(first_line(R"(,"TotalSegments":2,"Segment":)" + std::string(segment)).substr(0, 52),
              "- scan shop (a Scan: no key serves it), one segment:");
  }
}

TEST_F(Tools, KeysForgeNoLines) {
  MakeShop();
  EXPECT_EQ(Short(Tool("explain_request",
                       R"({"operation":"GetItem","input":{"TableName":"shop","Key":{"PK":{"S":)"
                       R"("a\n- put \"x\""},"SK":{"S":"b"}}}})")),
            "GetItem: 0.5 read units, 0 write units\n"
            "- get shop: 0.5 read units\n"
            "  reads 0 items, 0 B\n"
            "  PK=a\\u000a- put \"x\", SK=b\n");
  EXPECT_EQ(
      Short(Tool("explain_request",
                 R"({"operation":"Query","input":{"TableName":"shop","KeyConditionExpression":)"
                 R"("PK = :p","ExpressionAttributeValues":{":p":{"S":"a\" AND \\"}}}})")),
      "Query: 0.5 read units, 0 write units\n"
      "- query shop: 0.5 read units\n"
      "  reads 0 items, 0 B\n"
      "  where PK = \"a\\\" AND \\\\\"\n");
}

TEST_F(Tools, ErrorsAreBounded) {
  const std::string error =
      Tool("lab_validate", R"({"path":"/)" + std::string(50'000, 'x') + R"("})");
  EXPECT_EQ(error.find("ERROR cannot read /xxx"), 0u);
  EXPECT_NE(error.find("\n… the first 11500 of 50"), std::string::npos);
  EXPECT_LE(error.size(), 12'006u);
}

// Returns a lab file of one table with so many notes, as the inside of a JSON string.
std::string LabOfNotes(const std::string& count, int layouts = 1) {
  std::string lab = R"(lab: 1\nentities:\n  Note: {count: )" + count +
                    R"(, attributes: {id: {sequence: 6}}}\naccess_patterns:\n)"
                    R"(  note: {get: Note, by: [id], rate: 1/s}\nlayouts:\n)";
  for (int i = 0; i < layouts; ++i) {
    lab += "  l" + std::to_string(i) + R"(: {tables: {notes: {key: [id], items: {Note: {}}}}}\n)";
  }
  return lab + R"(traffic: [{for: 10s, rate: 1}]\n)";
}

TEST_F(Tools, ARunOfTooManyInstancesIsRefused) {
  constexpr char kRest[] =
      " instances of all its entities at this scale, and the tools fill at most 5,000,000; give "
      "entities a smaller \"count\", or run a smaller \"scale\"";
  EXPECT_EQ(Tool("lab_run", R"({"lab":")" + LabOfNotes("900000000") + R"("})"),
            std::string("ERROR the lab file has about 900,000,000") + kRest);
  EXPECT_EQ(Tool("lab_run", R"({"lab":")" + LabOfNotes("10000") + R"(","scale":501})"),
            std::string("ERROR the lab file has about 5,010,000") + kRest);
}

// Only the number of the parents is made smaller for an explanation.
TEST_F(Tools, AnExplanationOfTooManyInstancesIsRefused) {
  const std::string lab =
      R"(lab: 1\nentities:\n  Book: {count: 1, attributes: {book: {sequence: 6}}}\n)"
      R"(  Note: {of: Book, count: 1000000000, attributes: {id: {sequence: 6}}}\n)"
      R"(access_patterns:\n  note: {get: Note, by: [book, id], rate: 1/s}\n)"
      R"(layouts:\n  l0: {tables: {notes: {key: [PK, SK], items: {Book: {PK: '{book}', SK: 'B'}, )"
      R"(Note: {PK: '{book}', SK: '{id}'}}}}}\ntraffic: [{for: 10s, rate: 1}]\n)";
  EXPECT_EQ(Tool("lab_explain", R"({"lab":")" + lab + R"("})"),
            "ERROR an explanation fills a part of the data, and that part has about 1,000,000,001 "
            "instances, which may be at most 5,000,000; give the entities that have a parent a "
            "smaller \"count\"");
}

TEST_F(Tools, TooManyLayoutsAreRefused) {
  for (const char* const tool : {"lab_explain", "lab_run"}) {
    EXPECT_EQ(Tool(tool, R"({"lab":")" + LabOfNotes("10", 21) + R"("})"),
              "ERROR a call takes at most 20 layouts, and these are 21; name some of them by "
              "\"layouts\"");
    EXPECT_EQ(Tool(tool, R"({"lab":")" + LabOfNotes("10", 2) + R"(","layouts":["l2"]})"),
              "ERROR unknown layout \"l2\"; did you mean l0?");
    const std::string one =
        Tool(tool, R"({"lab":")" + LabOfNotes("10", 21) + R"(","layouts":["l20"]})");
    EXPECT_NE(one.find("l20"), std::string::npos) << one;
    EXPECT_EQ(one.find("l19"), std::string::npos) << one;
  }
}

TEST_F(Tools, LayoutsAreProposed) {
  const std::string lab =
      R"({"lab":"lab: 1\nentities:\n  Note: {count: 900, attributes: {id: {sequence: 6}, )"
      R"(kind: {choice: [a, b]}}}\naccess_patterns:\n  note: {get: Note, by: [id], rate: 1/s}\n)"
      R"(  of a kind: {query: Note, by: [kind], limit: 5, returns: [id], rate: 1/s}\n")";
  const std::string text = Tool("lab_propose", lab + "}");
  EXPECT_TRUE(text.starts_with("Best within the stated space: ")) << text;
  EXPECT_NE(text.find("serves \"of a kind\""), text.npos) << text;
  EXPECT_NE(text.find("\nlab file with these layouts: /"), text.npos) << text;
  const std::string answer = Answer("lab_propose", lab + R"(,"max_indexes":0,"tables":"1"})");
  EXPECT_NE(answer.find(R"("structuredContent":{"proposal":{"is_best_within_space":true,)"),
            answer.npos)
      << answer;
  EXPECT_NE(answer.find(R"("indexes":0,)"), answer.npos) << answer;
  EXPECT_EQ(answer.find(R"("indexes":1,)"), answer.npos) << answer;
  EXPECT_NE(answer.find(R"("yaml":"  cheapest:\n)"), answer.npos) << answer;
  EXPECT_EQ(Tool("lab_propose", lab + R"(,"tables":"3..1"})"),
            "ERROR \"tables\" has to be a number or a range, such as 1 or 1..3");
  EXPECT_EQ(Tool("lab_propose", lab + R"(,"max_indexes":41})").substr(0, 25),
            "ERROR \"max_indexes\" has t");
}

// A call takes half a read unit: US$ 0.164 a month at one call a second.
TEST_F(Tools, NumbersOfALabFileAreVaried) {
  const std::string lab = R"({"lab":")" + LabOfNotes("10") + R"(","vary":)";
  const std::string vary = R"("rates.note=1/s..4000/s")";
  for (const char* const tool : {"lab_explain", "lab_run"}) {
    const std::string text = Tool(tool, lab + "[" + vary + "]}");
    EXPECT_NE(text.find("1/s (declared)"), std::string::npos) << text;
    EXPECT_EQ(Tool(tool, lab + R"("rates.nte=1..2"})").substr(0, 46),
              "ERROR unknown number \"rates.nte\"; did you mean");
    EXPECT_EQ(Tool(tool, lab + R"("rates.note"})"),
              "ERROR \"rates.note\" is no range of a number: it is written as "
              "rates.NAME=0.1/s..100/s, counts.NAME=1000..100000 or NAME=x0.1..x10");
    EXPECT_EQ(Tool(tool, lab + R"(["a","a","a","a","a","a"]})"),
              "ERROR a call varies at most 5 numbers, and these are 6");
  }
  const std::string answer = Answer("lab_run", lab + vary + "}");
  EXPECT_NE(answer.find(R"("curves":[{"vary":"rates.note","sentences":[]}])"), std::string::npos)
      << answer;
}

TEST_F(Tools, TablesAreDescribedWithTheirEntities) {
  EXPECT_EQ(Tool("describe_tables"), "there are no tables\n");
  MakeShop();
  const std::string definition =
      "shop: key PK (S), SK range (S); on demand; 6 items, 186 B\n"
      "  global index byG: key G (S); projection KEYS_ONLY; 6 items, 132 B; on demand\n";
  EXPECT_EQ(Tool("describe_tables"), definition);
  EXPECT_EQ(Tool("describe_tables", R"({"table":"shop"})"),
            definition +
                "entities (type: partition key / sort key, as templates):\n"
                "- Order: CUST#{digits} / ORDER#{digits}; 6 items, mean 31 B\n"
                "    byG: open; 6 entries, 132 B\n"
                "item collections:\n"
                "- table: 2; items of one: mean 3; largest: PK=CUST#0 93 B, PK=CUST#1 93 B\n"
                "- byG: 1; items of one: mean 6; largest: G=open 132 B\n");
  EXPECT_EQ(Tool("describe_tables", R"({"table":"none"})"),
            "ERROR ResourceNotFoundException: Requested resource not found: Table: none not found");
  // The measurement that looked at the items has ended.
  EXPECT_NE(Tool("server_status").find("{\"measurements\":[]}"), std::string::npos);
}

TEST_F(Tools, VectorIndexesAreDescribed) {
  EXPECT_EQ(
      database_
          .Call(
              "CreateTable",
              R"({"TableName":"docs","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
              R"({"AttributeName":"PK","AttributeType":"S"},)"
              R"({"AttributeName":"tenant","AttributeType":"S"}],)"
              R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"VectorIndexes":[)"
              R"({"IndexName":"vix","VectorAttribute":{"AttributeName":"e"},"Dimensions":3,)"
              R"("DistanceFunction":"COSINE","Projection":{"ProjectionType":"KEYS_ONLY"},)"
              R"("SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"}]}]})",
              {"111122223333", "us-east-1"})
          .status,
      200);
  const std::string definition =
      "docs: key PK (S); on demand; 0 items, 0 B\n"
      "  vector index vix: vector e, 3 dimensions, COSINE; HASH tenant; projection KEYS_ONLY; 0 "
      "items, 0 B\n";
  EXPECT_EQ(Tool("describe_tables"), definition);
  EXPECT_EQ(Tool("dynamodb_call",
                 R"({"operation":"PutItem","input":{"TableName":"docs","Item":{"PK":{"S":"a"},)"
                 R"("tenant":{"S":"t"},"e":{"L":[{"N":"1"},{"N":"0"},{"N":"0"}]}}}})"),
            "1 write unit (docs: table 1)\n{}");
  // A walk over the items finds no keys in a vector index.
  EXPECT_EQ(
      Tool("describe_tables", R"({"table":"docs"})"),
      "docs: key PK (S); on demand; 1 item, 23 B\n"
      "  vector index vix: vector e, 3 dimensions, COSINE; HASH tenant; projection KEYS_ONLY; "
      "1 item, 23 B\n"
      "entities (type: partition key / sort key, as templates):\n"
      "- (no type): a; 1 item, mean 21 B\n"
      "item collections:\n"
      "- table: 1; items of one: mean 1; largest: PK=a 21 B\n");
}

TEST_F(Tools, AMeasurementCountsAndAdvises) {
  EXPECT_EQ(Tool("measurement_start", R"({"name":"m 1"})"),
            "measurement m 1 counts the calls from now on; make them, then measurement_read\n");
  MakeShop();
  for (int i = 0; i < 20; ++i) {
    Tool("dynamodb_read", R"({"operation":"Scan","input":{"TableName":"shop"}})");
  }
  const std::string report = Tool("measurement_read", R"({"name":"m 1"})");
  EXPECT_EQ(report.find("Measurement m 1, "), 0u);
  EXPECT_NE(report.find("\nWhat to do\n"
                        "warning write-only-index, shop/byG: Drop the index, or measure the "
                        "traffic that reads it.\n"
                        "warning scan, shop: Give what is looked for a key, in the table or in a "
                        "sparse index, and query it.\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("\npage: " + folder_ + "/0001-measurement.html\ndata: " + folder_ +
                        "/0002-measurement.json\n"),
            std::string::npos);
  EXPECT_EQ(Tool("measurement_read", R"({"name":"m 1","options":{"rats":{}}})"),
            "ERROR \"options.rats\" is not known here. The members are \"names\", \"rates\", "
            "\"prices\", \"profile\".");
  EXPECT_EQ(Tool("measurement_stop", R"({"name":"m 1"})").find("Measurement m 1, "), 0u);
  EXPECT_EQ(Tool("measurement_stop", R"({"name":"m 1"})"),
            "ERROR There is no measurement \"m 1\".");
}

TEST_F(Tools, ASnapshotRestoresWhatAResetTook) {
  MakeShop();
  EXPECT_EQ(Tool("snapshot_take", R"({"name":"s"})").substr(0, 36),
            R"({"name":"s","account":"111122223333")");
  EXPECT_EQ(Tool("reset_tables"), "{\"tables\":1}\n");
  EXPECT_EQ(Tool("describe_tables"), "there are no tables\n");
  EXPECT_EQ(Tool("snapshot_restore", R"({"name":"s"})"), "{\"tables\":1}\n");
  EXPECT_EQ(Tool("reset_tables", R"({"table":"shop"})"), "{\"tables\":1}\n");
  EXPECT_EQ(Tool("snapshot_restore", R"({"name":"t"})"), "ERROR There is no snapshot \"t\".");
}

TEST_F(Tools, WhatIsOfAnotherAccountIsLeftAlone) {
  database_.Control("POST", "snapshots", R"({"name":"other","account":"444455556666"})");
  database_.Control("POST", "snapshots", R"({"name":"all"})");
  database_.Control("POST", "measurements", R"({"name":"m","account":"444455556666"})");
  database_.Control("POST", "measurements", R"({"name":"all"})");
  constexpr char kRest[] = ", and the tools work on account 111122223333";
  for (const char* const tool : {"snapshot_take", "snapshot_restore"}) {
    EXPECT_EQ(Tool(tool, R"({"name":"other"})"),
              std::string("ERROR the snapshot \"other\" is of account 444455556666") + kRest);
    EXPECT_EQ(Tool(tool, R"({"name":"all"})"),
              std::string("ERROR the snapshot \"all\" is of all accounts") + kRest);
  }
  for (const char* const tool : {"measurement_read", "measurement_stop"}) {
    EXPECT_EQ(Tool(tool, R"({"name":"m"})"),
              std::string("ERROR the measurement \"m\" is of account 444455556666") + kRest);
    EXPECT_EQ(Tool(tool, R"({"name":"all"})").find("Measurement all, "), 0u);
  }
}

TEST_F(Tools, ASeedMakesTables) {
  EXPECT_EQ(
      Tool("seed_tables",
           R"({"table":"app","format":"csv","data":"PK,age:N\nada,36\nalan,41\n","definition":)"
           R"({"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"PK",)"
           R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}})"),
      "{\"tables\":{\"app\":2}}\n");
  EXPECT_EQ(Tool("describe_tables"), "app: key PK (S); on demand; 2 items, 21 B\n");
}

TEST_F(Tools, AModelBecomesALabFile) {
  EXPECT_EQ(Tool("lab_import", R"({"path":["/none/such.json"]})"),
            "ERROR cannot read /none/such.json: No such file or directory");
  EXPECT_EQ(Tool("lab_import", R"({"path":[]})"),
            "ERROR \"path\" has to be a text, or a list of 1 to 100 texts, that are not empty");
  EXPECT_EQ(
      Tool("lab_import", R"({"path":["a"],"kind":"other"})"),
      R"(ERROR "kind" has to be "schema", "tables", "measurement", "data-model", "workbench", )"
      R"("onetable" or "electrodb")");
  EXPECT_EQ(Tool("lab_import", R"({"path":["/dev/stdin"]})"),
            "ERROR cannot read /dev/stdin: it is no file and no folder");
  EXPECT_EQ(Tool("lab_import", R"({"path":["-"]})"),
            R"(ERROR "-" is stdin, which the tool does not read)");
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, folder_}) {
    EXPECT_EQ(Tool("lab_import", R"({"path":[")" + path + R"("]})"),
              "ERROR cannot read " + pipe + ": it is no file and no folder");
  }
  std::filesystem::remove(pipe);
  const std::string file = folder_ + "/app.json";
  const auto write_table = [&](const std::string& key) {
    std::ofstream(file) << R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",)"
                           R"("AttributeDefinitions":[{"AttributeName":")"
                        << key << R"(","AttributeType":"S"}],"KeySchema":[{"AttributeName":")"
                        << key << R"(","KeyType":"HASH"}]})";
  };
  write_table("id");
  std::ofstream(folder_ + "/other.json") << R"({"nothing":"known"})";
  const std::string unknown = Tool("lab_import", R"({"path":[")" + folder_ + R"(/other.json"]})");
  EXPECT_NE(unknown.find("is of no kind that is known; \"kind\" names the kind: "),
            std::string::npos)
      << unknown;
  const std::string imported = Tool("lab_import", R"({"path":[")" + file + R"("]})");
  EXPECT_EQ(imported.find("lab file: " + folder_ + "/0001-imported.lab.yaml\n"), 0u) << imported;
  EXPECT_EQ(Tool("lab_validate", R"({"path":")" + folder_ + R"(/0001-imported.lab.yaml"})")
                .find("the lab file is right: "),
            0u);
  write_table("PK");
  const std::string asking = Tool("lab_import", R"({"path":[")" + file + R"("]})");
  EXPECT_NE(asking.find("\nnote: the file has 1 open question, marked {?…}; write the answer"),
            std::string::npos)
      << asking;
  const std::string refused =
      Tool("lab_validate", R"({"path":")" + folder_ + R"(/0002-imported.lab.yaml"})");
  EXPECT_NE(refused.find(": what is the template of PK? The table has no items."),
            std::string::npos)
      << refused;
}

TEST_F(Tools, ALabFileIsCheckedAndExplained) {
  EXPECT_EQ(Tool("lab_validate"), "ERROR give either \"path\" or \"lab\", the text of a lab file");
  EXPECT_EQ(Tool("lab_validate", R"({"path":"/dev/zero"})"),
            "ERROR cannot read /dev/zero: it is no file");
  EXPECT_EQ(Tool("lab_validate", R"({"path":"/none/such"})"),
            "ERROR cannot read /none/such: No such file or directory");
  EXPECT_EQ(
      Tool("lab_validate", R"({"lab":"entities: {}"})"),
      "ERROR lab:1:11: entities: an empty map is not allowed here; allowed: a map of entities");
  EXPECT_EQ(Tool("lab_run", R"({"lab":"x","seconds":601})"),
            "ERROR \"seconds\" has to be a whole number from 1 to 600");
}

}  // namespace
}  // namespace hashrange
