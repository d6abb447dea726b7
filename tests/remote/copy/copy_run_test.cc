#include "remote/copy/copy_run.h"

#include <gtest/gtest.h>

#include "remote/copy/copy_fixture.h"
#include "remote/copy/copy_state.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

using CopyRun = CopyTest;

constexpr const char* kWholeTable = R"({"TableName":"app","BillingMode":"PROVISIONED",
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},
    {"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"g","AttributeType":"B"}],
  "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
  "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},
  "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"INCLUDE",
    "NonKeyAttributes":["a","b"]},"KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],
    "ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":8}}],
  "LocalSecondaryIndexes":[{"IndexName":"local","Projection":{"ProjectionType":"KEYS_ONLY"},
    "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"g","KeyType":"RANGE"}]}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},
  "TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,
  "Tags":[{"Key":"team","Value":"blue"},{"Key":"ünï","Value":"+-=._:/@"}]})";

constexpr const char* kItems[] = {
    R"({"PK":{"S":"a"},"SK":{"N":"1"},"g":{"B":"AQID"},"a":{"NS":["3","1","2"]}})",
    R"({"PK":{"S":"a"},"SK":{"N":"-1.50"},"m":{"M":{"x":{"L":[{"NULL":true},{"BOOL":false}]}}}})",
    R"({"PK":{"S":"b\u0000\"\\ü"},"SK":{"N":"12345678901234567890123456789012345678"}})",
    R"({"PK":{"S":"c"},"SK":{"N":"0"},"ss":{"SS":["b","a"]},"bs":{"BS":["AA==","AQ=="]}})",
    R"({"PK":{"S":"d"},"SK":{"N":"0"},"e":{"S":""},"exp":{"N":"1000000"}})",
};

TEST_F(CopyRun, AWholeTableIsTheSameAtTheDestination) {
  Ok(source_, "CreateTable", kWholeTable);
  for (const char* item : kItems) {
    Ok(source_, "PutItem", R"({"TableName":"app","Item":)" + std::string(item) + "}");
  }
  Ok(source_, "UpdateTimeToLive",
     R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"exp"}})");
  EXPECT_THAT(Copied(), ElementsAre("app>app 5 verified"));
  EXPECT_EQ(Description(destination_, "app"), Description(source_, "app"));
  EXPECT_EQ(Items(destination_, "app"), Items(source_, "app"));
  EXPECT_EQ(Ok(destination_, "DescribeTimeToLive", R"({"TableName":"app"})"),
            Ok(source_, "DescribeTimeToLive", R"({"TableName":"app"})"));
  const std::string arn = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})";
  EXPECT_EQ(Ok(destination_, "ListTagsOfResource", arn), Ok(source_, "ListTagsOfResource", arn));
  EXPECT_THAT(notes_, ElementsAre());
  EXPECT_FALSE(std::filesystem::exists(request_.state_file));
}

TEST_F(CopyRun, AllTablesOfTheSourceAreCopiedUnderTheirNewNames) {
  for (const char* table : {"one", "three", "two"}) {
    MakeTable(source_, table, 60);
  }
  Ok(destination_, "CreateTable", OnDemandTable("one"));
  request_.renames = {{"two", "second"}};
  request_.prefix = "dev-";
  EXPECT_THAT(Copied(), ElementsAre("one>dev-one 60 verified", "three>dev-three 60 verified",
                                    "two>second 60 verified"));
  EXPECT_EQ(Items(destination_, "second"), Items(source_, "two"));
  EXPECT_EQ(Ok(destination_, "ListTables", "{}"),
            R"({"TableNames":["dev-one","dev-three","one","second"]})");
}

TEST_F(CopyRun, OnlyTheNamedTablesAreCopied) {
  Ok(source_, "CreateTable", OnDemandTable("one"));
  Ok(source_, "CreateTable", OnDemandTable("two"));
  request_.tables = {"two", "two"};
  EXPECT_THAT(Copied(), ElementsAre("two>two 0 verified"));
  EXPECT_EQ(Ok(destination_, "ListTables", "{}"), R"({"TableNames":["two"]})");
}

TEST_F(CopyRun, LargeItemsAreCopiedInSeveralPagesAndBatches) {
  MakeTable(source_, "app", 40, 390'000);
  request_.segments = 2;
  EXPECT_THAT(Copied(), ElementsAre("app>app 40 verified"));
  EXPECT_EQ(Items(destination_, "app"), Items(source_, "app"));
}

TEST_F(CopyRun, ThrottlesOfTheFirstCallsAreWaitedFor) {
  Ok(source_, "CreateTable", kWholeTable);
  Ok(source_, "UpdateTimeToLive",
     R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"exp"}})");
  std::string last;
  // Each call but those that are made again is throttled.
  const auto throttle = [&last](std::string_view operation, const std::string&,
                                ServiceReply& reply) {
    if (operation == "Scan" || operation == "CreateTable") return;
    const bool is_again = last == operation;
    last = is_again ? "" : operation;
    if (is_again) return;
    reply.status = 400;
    reply.error = "ThrottlingException";
  };
  from_.after_call = throttle;
  to_.after_call = throttle;
  EXPECT_THAT(Copied(), ElementsAre("app>app 0 verified"));
  EXPECT_THAT(notes_, ElementsAre());
  EXPECT_EQ(Ok(destination_, "DescribeTimeToLive", R"({"TableName":"app"})"),
            Ok(source_, "DescribeTimeToLive", R"({"TableName":"app"})"));
  const std::string arn = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})";
  EXPECT_EQ(Ok(destination_, "ListTagsOfResource", arn), Ok(source_, "ListTagsOfResource", arn));
}

TEST_F(CopyRun, ATableThatExistsIsRefused) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Ok(source_, "CreateTable", OnDemandTable("new"));
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  EXPECT_EQ(Failure(),
            "the table app at http://destination:8000 exists already: choose another name with "
            "--rename app=NAME, or say --into-existing to put the items into it");
  EXPECT_EQ(Ok(destination_, "ListTables", "{}"), R"({"TableNames":["app"]})");
  EXPECT_FALSE(std::filesystem::exists(request_.state_file));
}

TEST_F(CopyRun, ATableThatAppearsAfterThePlanIsNotWrittenTo) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Ok(source_, "CreateTable", OnDemandTable("later"));
  Fill(source_, "app", 10);
  Fill(source_, "later", 10);
  to_.before_call = [this](std::string_view operation) {
    if (operation != "BatchWriteItem" || to_.Calls("BatchWriteItem") > 0) return;
    Ok(destination_, "CreateTable", OnDemandTable("later"));
    Ok(destination_, "PutItem", R"({"TableName":"later","Item":{"pk":{"S":"item 3"}}})");
  };
  request_.segments = 1;
  const std::string refusal =
      "the table later at http://destination:8000 was created by another program after the copy "
      "began: nothing is written into it";
  EXPECT_EQ(Failure(), refusal +
                           "; 1 of 2 tables are copied; to continue, run the same command with "
                           "--resume; to begin anew, remove what was copied and " +
                           request_.state_file.string());
  request_.resumes = true;
  EXPECT_EQ(Failure(), refusal);
  EXPECT_THAT(Items(destination_, "later"), ElementsAre(R"({"pk":{"S":"item 3"}})"));
  Ok(destination_, "DeleteTable", R"({"TableName":"later"})");
  EXPECT_THAT(Copied(), ElementsAre("app>app 10", "later>later 10 verified"));
}

// Between the last look and the call.
TEST_F(CopyRun, ATableThatAppearsBeforeItIsCreatedIsNotWrittenTo) {
  MakeTable(source_, "app", 10);
  to_.before_call = [this](std::string_view operation) {
    if (operation == "CreateTable") Ok(destination_, "CreateTable", OnDemandTable("app"));
  };
  const std::string refusal =
      "the table app at http://destination:8000 was created by another program after the copy "
      "began: nothing is written into it";
  EXPECT_THAT(Failure(), testing::StartsWith(refusal + "; 0 of 1 table is copied; "));
  to_.before_call = nullptr;
  request_.resumes = true;
  EXPECT_EQ(Failure(), refusal);
  EXPECT_THAT(Items(destination_, "app"), ElementsAre());
}

TEST_F(CopyRun, ItemsArePutIntoAnExistingTable) {
  MakeTable(source_, "app", 10);
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  Ok(destination_, "PutItem", R"({"TableName":"app","Item":{"pk":{"S":"own"}}})");
  Ok(destination_, "PutItem", R"({"TableName":"app","Item":{"pk":{"S":"item 3"}}})");
  request_.into_existing = true;
  EXPECT_THAT(Copied(), ElementsAre("app>app 10"));
  std::vector<std::string> expected = Items(source_, "app");
  expected.push_back(R"({"pk":{"S":"own"}})");
  std::ranges::sort(expected);
  EXPECT_EQ(Items(destination_, "app"), expected);
}

TEST_F(CopyRun, ATableIsNotCopiedIntoItself) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  CountingEndpoint again(source_, "http://localhost:8000");
  for (ApiEndpoint* const to : {&from_, &again}) {
    request_.to = to;
    request_.into_existing = true;
    EXPECT_EQ(Failure(), "the table app at " + to->name() +
                             " would be copied into itself: choose another name with --rename "
                             "app=NAME, or another endpoint");
  }
  EXPECT_EQ(again.Calls("BatchWriteItem"), 0U);
}

TEST_F(CopyRun, NobodyIsToldToRemoveATableThatExisted) {
  MakeTable(source_, "app", 1);
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  request_.into_existing = true;
  AddFaults(destination_, R"([{"match":{"operation":"BatchWriteItem"},
    "do":{"error":{"type":"AccessDeniedException","message":"No."}}}])");
  EXPECT_THAT(Failure(),
              testing::EndsWith("; to begin anew, remove the tables that the copy has created, not "
                                "those that existed before it, and " +
                                request_.state_file.string()));
  EXPECT_EQ(Failure(), request_.state_file.string() +
                           " is of a copy that was not finished: continue it with --resume, or "
                           "remove this file");
}

TEST_F(CopyRun, AnExistingTableWithoutItemsIsVerified) {
  MakeTable(source_, "app", 10);
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  request_.into_existing = true;
  EXPECT_THAT(Copied(), ElementsAre("app>app 10 verified"));
}

TEST_F(CopyRun, AnExistingTableWithAnotherKeyIsRefused) {
  Ok(source_, "CreateTable", kWholeTable);
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  request_.into_existing = true;
  EXPECT_EQ(Failure(),
            "the table app at http://destination:8000 has the key pk S, and the source has PK S, "
            "SK N");
}

TEST_F(CopyRun, WhatIsWrittenMeanwhileIsADifference) {
  MakeTable(source_, "app", 10);
  to_.before_call = [this](std::string_view operation) {
    if (operation != "Scan") return;
    Ok(destination_, "PutItem", R"({"TableName":"app","Item":{"pk":{"S":"more"}}})");
  };
  EXPECT_THAT(Copied(),
              ElementsAre("app>app 10 app: the destination has 11 items, and 10 items were read "
                          "from the source: the source or the destination was written to "
                          "meanwhile"));
}

TEST_F(CopyRun, AChangedItemIsADifference) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Ok(source_, "PutItem", R"({"TableName":"app","Item":{"pk":{"S":"a"},"n":{"N":"1"}}})");
  to_.before_call = [this](std::string_view operation) {
    if (operation != "Scan") return;
    Ok(destination_, "PutItem", R"({"TableName":"app","Item":{"pk":{"S":"a"},"n":{"N":"2"}}})");
  };
  const std::vector<std::string> copied = Copied();
  ASSERT_EQ(copied.size(), 1U);
  EXPECT_THAT(copied[0],
              testing::MatchesRegex("app>app 1 app: the destination has 1 item with the digest "
                                    "[0-9a-f]{32}, and what was read from the source has the "
                                    "digest [0-9a-f]{32}: the source or the destination was "
                                    "written to meanwhile"));
}

TEST_F(CopyRun, WithoutVerificationTheDestinationIsNotRead) {
  MakeTable(source_, "app", 10);
  request_.verifies = false;
  EXPECT_THAT(Copied(), ElementsAre("app>app 10"));
  EXPECT_EQ(to_.Calls("Scan"), 0U);
}

TEST_F(CopyRun, UnitsAreCounted) {
  MakeTable(source_, "app", 4, 2'000);
  request_.segments = 1;
  EXPECT_THAT(Copied(), ElementsAre("app>app 4 verified"));
  EXPECT_EQ(result_.read_units, 2);
  EXPECT_EQ(result_.write_units, 8);
  EXPECT_EQ(result_.verifying_units, 2);
  EXPECT_EQ(result_.usd, 0);
}

// Each of 8 segments has about 50 items, all of which take one page. Of 80 units a second, a
// segment's first page may take 10, so it has 10 items; as they take one unit, the second page has
// room for the rest.
TEST_F(CopyRun, LimitedReadsHaveSmallPages) {
  MakeTable(source_, "app", 400, 30);
  EXPECT_THAT(Copied(), ElementsAre("app>app 400 verified"));
  EXPECT_EQ(from_.Calls("Scan"), 8U);
  request_.read_units_a_second = 80;
  request_.prefix = "slow-";
  EXPECT_THAT(Copied(), ElementsAre("app>slow-app 400 verified"));
  EXPECT_EQ(from_.Calls("Scan"), 8U + 16U);
}

TEST_F(CopyRun, WhatIsNotThereIsASentence) {
  EXPECT_EQ(Failure(), "there are no tables at http://source:8000");
  Ok(source_, "CreateTable", OnDemandTable("app"));
  request_.tables = {"apps"};
  EXPECT_EQ(Failure(), "there is no table apps at http://source:8000");
  request_.tables = {};
  request_.renames = {{"apps", "new"}};
  EXPECT_EQ(Failure(), "--rename names the table apps, which is not copied");
  request_.renames = {{"app", "a/b"}};
  EXPECT_EQ(Failure(),
            "\"a/b\" is no name of a table: it has 3 to 255 letters, digits, \"_\", \"-\" and "
            "\".\"");
  Ok(source_, "CreateTable", OnDemandTable("two"));
  request_.renames = {{"app", "two"}};
  EXPECT_EQ(Failure(), "two tables would get the name two");
  request_.renames = {};
  AddFaults(source_, R"([{"match":{},"do":{"error":{"type":"UnrecognizedClientException",
    "message":"The security token included in the request is invalid."}}}])");
  EXPECT_EQ(
      Failure(),
      "http://source:8000 refuses ListTables: UnrecognizedClientException, The security token "
      "included in the request is invalid");
}

TEST_F(CopyRun, CostsHaveToBeAllowed) {
  MakeTable(source_, "app", 1'000, 4'000);
  request_.pays_source = true;
  request_.pays_destination = true;
  const std::string cost =
      "the copy takes about 981 read units at http://source:8000, 4,000 write units and, to verify "
      "it, 981 read units at http://destination:8000: US$ 0.00275 at the prices of us-east-1";
  EXPECT_EQ(Failure(), cost + "; say how much it may cost: --spend USD");
  request_.spend_usd = 0.001;
  EXPECT_EQ(Failure(), cost + ", and --spend allows US$ 0.001");
  EXPECT_EQ(Ok(destination_, "ListTables", "{}"), R"({"TableNames":[]})");
  request_.spend_usd = 0.01;
  EXPECT_THAT(Copied(), ElementsAre("app>app 1000 verified"));
  EXPECT_THAT(notes_, ElementsAre(cost));
  EXPECT_NEAR(result_.usd, 0.00275, 0.0001);
}

TEST_F(CopyRun, AnExistingTableCostsByItsOwnBillingMode) {
  std::string provisioned = OnDemandTable("app");
  provisioned.replace(
      provisioned.find("PAY_PER_REQUEST\""), 16,
      R"(PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":99,"WriteCapacityUnits":99})");
  Ok(source_, "CreateTable", provisioned);
  Fill(source_, "app", 100);
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  request_.into_existing = true;
  request_.pays_destination = true;
  request_.spend_usd = 0.00001;
  EXPECT_THAT(Failure(), testing::HasSubstr(": US$ 0.0000629 at the prices of us-east-1, and "
                                            "--spend allows US$ 0.00001"));
  request_.spend_usd = 1;
  EXPECT_THAT(Copied(), ElementsAre("app>app 100 verified"));
  EXPECT_NEAR(result_.usd, 0.0000625, 0.000002);
}

TEST_F(CopyRun, WhatAnEarlierVerificationCostCounts) {
  MakeTable(source_, "app", 100, 4'000);
  request_.pays_destination = true;
  request_.segments = 4;
  AddFaults(destination_, R"([{"match":{"operation":"Scan","every":4},
    "do":{"error":{"type":"AccessDeniedException","message":"No."}}}])");
  request_.spend_usd = 0.01;
  EXPECT_THAT(Failure(), testing::StartsWith("http://destination:8000 refuses Scan of the table "
                                             "app: AccessDeniedException, No; "));
  destination_.Control("DELETE", "faults");
  std::string state = FileText(request_.state_file);
  const auto parsed = ParseCopyState(state);
  ASSERT_TRUE(parsed.ok());
  EXPECT_GT(parsed->usd, 100 * 4 * 0.000000625);  // the writes alone
  request_.resumes = true;
  request_.spend_usd = 0.00026;
  EXPECT_THAT(Failure(),
              testing::MatchesRegex("the copy takes about 0 write units and, to verify it, 99 read "
                                    "units at http://destination:8000: US. 0.0000124 at the prices "
                                    "of us-east-1, earlier runs have cost US. 0.0002[5-9][0-9]*, "
                                    "and --spend allows US. 0.00026"));
  request_.spend_usd = 0.01;
  EXPECT_THAT(Copied(), ElementsAre("app>app 100 verified"));
}

TEST_F(CopyRun, ACopyThatCostsMoreThanEstimatedStopsAtTheBound) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  request_.pays_destination = true;
  request_.verifies = false;
  request_.spend_usd = 0.0001;
  // The table gets its items after the estimate.
  to_.before_call = [this](std::string_view operation) {
    if (operation == "CreateTable") Fill(source_, "app", 400, 1'000);
  };
  request_.segments = 1;
  EXPECT_THAT(Failure(), testing::StartsWith(
                             "the copy has cost US$ 0.000109, and --spend allows US$ 0.0001; "));
  to_.before_call = nullptr;
  EXPECT_LT(Items(destination_, "app").size(), 200U);
  request_.resumes = true;
  request_.spend_usd = 0.01;
  EXPECT_THAT(Copied(), ElementsAre("app>app 400"));
  EXPECT_EQ(Items(destination_, "app"), Items(source_, "app"));
}

TEST(CopyProgress, TheLineShowsWhatIsDoneAndLeft) {
  EXPECT_EQ(CopyProgressText({}), "");
  EXPECT_EQ(CopyProgressText({.table = "app"}), "Copying app: 0 items");
  EXPECT_EQ(CopyProgressText({.table = "app", .items = 1'200, .expected = 0, .seconds = 2}),
            "Copying app: 1,200 items, 600 a second");
  EXPECT_EQ(CopyProgressText({.table = "app", .items = 12'000, .expected = 100'000, .seconds = 2}),
            "Copying app: 12,000 of about 100,000 items, 6,000 a second, about 15 s left");
  EXPECT_EQ(
      CopyProgressText(
          {.table = "app", .items = 12'000, .before = 11'900, .expected = 100'000, .seconds = 2}),
      "Copying app: 12,000 of about 100,000 items, 50 a second, about 30 min left");
  EXPECT_EQ(CopyProgressText({.table = "app", .items = 110, .expected = 100, .seconds = 0.5}),
            "Copying app: 110 of about 100 items");
  EXPECT_EQ(CopyProgressText({.table = "app", .is_verifying = true}), "Verifying app");
}

TEST(CopyProgress, ItemsAreAdded) {
  CopyProgress progress;
  EXPECT_EQ(progress.Text(), "");
  progress.BeginTable("app", 5, 20);
  progress.AddItems(7);
  EXPECT_TRUE(progress.Text().starts_with("Copying app: 12 of about 20 items"));
  progress.BeginVerifying();
  EXPECT_EQ(progress.Text(), "Verifying app");
}

}  // namespace
}  // namespace hashrange
