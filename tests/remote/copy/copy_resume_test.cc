#include "remote/copy/copy_fixture.h"
#include "remote/copy/copy_state.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

class CopyResume : public CopyTest {
 protected:
  CopyResume() { request_.stop = &stop_; }

  // Stops the copy when the destination has got so many batches.
  void StopAfterBatches(std::size_t batches) {
    to_.before_call = [this, batches](std::string_view operation) {
      if (operation == "BatchWriteItem" && to_.Calls("BatchWriteItem") >= batches) stop_ = true;
    };
  }
  // Stops the copy, which is one to the folder "dump", when the source was scanned so often.
  void StopDumpAfterScans(std::size_t scans) {
    request_.to = nullptr;
    request_.folder = folder_ / "dump";
    from_.before_call = [this, scans](std::string_view operation) {
      if (operation == "Scan" && from_.Calls("Scan") >= scans) stop_ = true;
    };
  }
  void Continue() {
    to_.before_call = nullptr;
    from_.before_call = nullptr;
    stop_ = false;
    request_.resumes = true;
  }
  // Lets the copy stop behind its first batch; the next run goes on.
  void InterruptAndContinue() {
    StopAfterBatches(1);
    Failure();
    Continue();
  }
};

TEST_F(CopyResume, AnInterruptedCopyIsContinued) {
  for (const char* table : {"first", "second"}) {
    MakeTable(source_, table, 300);
  }
  request_.segments = 4;
  request_.verifies = false;
  StopAfterBatches(20);
  EXPECT_THAT(Failure(),
              testing::MatchesRegex(
                  "the copy was interrupted; 1 of 2 tables are copied, of second "
                  "at least [0-9]+ items are at http://destination:8000; to continue, run the "
                  "same command with --resume; to begin anew, remove what was copied "
                  "and .*state"));
  EXPECT_LT(Items(destination_, "second").size(), 300U);
  Continue();
  request_.verifies = true;
  const std::size_t batches_before = to_.Calls("BatchWriteItem");
  EXPECT_THAT(Copied(), ElementsAre("first>first 300", "second>second 300 verified"));
  EXPECT_LE(to_.Calls("BatchWriteItem"), batches_before + 16);  // of the second table only
  EXPECT_EQ(Items(destination_, "second"), Items(source_, "second"));
  EXPECT_FALSE(std::filesystem::exists(request_.state_file));
}

// A state that is older than what was written, as after kill -9.
TEST_F(CopyResume, AnOldStateIsContinued) {
  MakeTable(source_, "app", 200);
  request_.segments = 2;
  std::mutex mutex;
  std::string old;
  to_.before_call = [&](std::string_view operation) {
    const std::lock_guard lock(mutex);
    if (operation == "BatchWriteItem" && old.empty()) old = FileText(request_.state_file);
    if (operation == "Scan") stop_ = true;
  };
  EXPECT_THAT(Failure(), testing::StartsWith("the copy was interrupted; "));
  WriteFile(request_.state_file, old);
  Continue();
  EXPECT_THAT(Copied(), ElementsAre("app>app 200 verified"));
}

TEST_F(CopyResume, ATableThatWasPerhapsCreatedIsUsed) {
  MakeTable(source_, "app", 10);
  to_.before_call = [&](std::string_view operation) {
    if (operation != "CreateTable") return;
    Ok(destination_, "CreateTable", OnDemandTable("app"));
    AddFaults(destination_, R"([{"match":{"operation":"CreateTable"},
      "do":{"error":{"type":"AccessDeniedException","message":"No."}}}])");
  };
  EXPECT_THAT(Failure(),
              testing::StartsWith(
                  "http://destination:8000 refuses CreateTable of the table app: "
                  "AccessDeniedException, No; 0 of 1 table is copied, app is perhaps created at "
                  "http://destination:8000; "));
  Continue();
  EXPECT_THAT(Copied(), ElementsAre("app>app 10 verified"));
}

// The process ends between the call and the note that it was made.
TEST_F(CopyResume, ATimeToLiveThatIsOnAlreadyIsNoError) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  const std::string time_to_live =
      R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"exp"}})";
  Ok(source_, "UpdateTimeToLive", time_to_live);
  to_.before_call = [&](std::string_view operation) {
    if (operation == "UpdateTimeToLive") Ok(destination_, "UpdateTimeToLive", time_to_live);
  };
  EXPECT_THAT(Copied(), ElementsAre("app>app 0 verified"));
}

TEST_F(CopyResume, AHalfCopyIsNotBegunAnew) {
  MakeTable(source_, "app", 100);
  StopAfterBatches(1);
  Failure();
  stop_ = false;
  EXPECT_EQ(Failure(), request_.state_file.string() +
                           " is of a copy that was not finished: continue it with --resume, or "
                           "remove what was copied and this file");
}

TEST_F(CopyResume, OnlyTheSameCopyIsContinued) {
  request_.resumes = true;
  EXPECT_EQ(Failure(),
            "there is no copy to continue: there is no file " + request_.state_file.string());
  MakeTable(source_, "app", 100);
  request_.resumes = false;
  InterruptAndContinue();
  CountingEndpoint other(destination_, "http://other:8000");
  request_.to = &other;
  EXPECT_EQ(Failure(), request_.state_file.string() +
                           " is of a copy from http://source:8000 to http://destination:8000, not "
                           "from http://source:8000 to http://other:8000: continue it with the "
                           "same --from and --to");
  request_.to = &to_;
  request_.prefix = "other-";
  EXPECT_EQ(Failure(), request_.state_file.string() +
                           " is of a copy of app as app, not as other-app: continue it without "
                           "--prefix and --rename, or with the same");
  request_.prefix.clear();
  request_.tables = {"app", "nope"};
  EXPECT_EQ(Failure(), request_.state_file.string() +
                           " is of a copy without the table nope: continue it without --tables, "
                           "or with the same");
  request_.tables.clear();
  Ok(destination_, "DeleteTable", R"({"TableName":"app"})");
  EXPECT_EQ(Failure(),
            "the table app, which was half copied, is no longer at http://destination:8000: "
            "remove " +
                request_.state_file.string() + " to begin anew");
  WriteFile(request_.state_file, "{}");
  EXPECT_EQ(Failure(), request_.state_file.string() + ": it is no state of a copy");
}

TEST_F(CopyResume, TablesThatWereMadeAnewAreNotThoseOfTheCopy) {
  MakeTable(source_, "app", 100);
  InterruptAndContinue();
  Ok(destination_, "DeleteTable", R"({"TableName":"app"})");
  Ok(destination_, "CreateTable", OnDemandTable("app"));
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
  const auto refusal = [&](const std::string& place) {
    return "the table app at http://" + place +
           ":8000 is another one than when the copy began, by its ARN and id " + arn +
           " [-0-9a-f]{36}, which were " + arn +
           " [-0-9a-f]{36}: continue with the same credentials, or remove .*/state to begin anew";
  };
  EXPECT_THAT(Failure(), testing::MatchesRegex(refusal("destination")));
  EXPECT_THAT(Items(destination_, "app"), ElementsAre());
}

TEST_F(CopyResume, ASourceThatWasMadeAnewIsAnother) {
  MakeTable(source_, "app", 100);
  InterruptAndContinue();
  Ok(source_, "DeleteTable", R"({"TableName":"app"})");
  Ok(source_, "CreateTable", OnDemandTable("app"));
  EXPECT_THAT(Failure(), testing::StartsWith("the table app at http://source:8000 is another one "
                                             "than when the copy began, by its ARN and id arn:"));
}

// A folder is loaded anew by each run.
TEST_F(CopyResume, ATableOfAFolderIsTheSameInEachRun) {
  std::filesystem::create_directories(folder_ / "seed");
  WriteFile(folder_ / "seed/app.table.json", OnDemandTable("app"));
  WriteFile(folder_ / "seed/app.csv", "pk,n:N\na,1\nb,2\n");
  const auto first = SeededEndpoint::Load(folder_ / "seed");
  ASSERT_TRUE(first.ok());
  request_.from = first->get();
  to_.before_call = [this](std::string_view operation) { stop_ = operation == "BatchWriteItem"; };
  EXPECT_THAT(Failure(), testing::StartsWith("the copy was interrupted; "));
  Continue();
  const auto second = SeededEndpoint::Load(folder_ / "seed");
  ASSERT_TRUE(second.ok());
  request_.from = second->get();
  EXPECT_THAT(Copied(), ElementsAre("app>app 2 verified"));
}

TEST_F(CopyResume, ADifferenceIsNotForgotten) {
  Ok(source_, "CreateTable", OnDemandTable("first"));
  Ok(source_, "CreateTable", OnDemandTable("second"));
  Fill(source_, "first", 10);
  AddFaults(destination_, R"([{"match":{"operation":"CreateTable","table":"second"},
    "do":{"error":{"type":"AccessDeniedException","message":"No."}}}])");
  to_.before_call = [this](std::string_view operation) {
    if (operation != "Scan") return;
    Ok(destination_, "PutItem", R"({"TableName":"first","Item":{"pk":{"S":"more"}}})");
  };
  EXPECT_THAT(Failure(), testing::HasSubstr("refuses CreateTable of the table second"));
  const std::string difference =
      "first: the destination has 11 items, and 10 items were read from the source: the source or "
      "the destination was written to meanwhile";
  EXPECT_THAT(notes_, ElementsAre(difference));
  destination_.Control("DELETE", "faults");
  Continue();
  EXPECT_THAT(Copied(), ElementsAre("first>first 10 " + difference, "second>second 0 verified"));
  EXPECT_THAT(notes_, ElementsAre(difference, difference));
}

TEST_F(CopyResume, TwoCopiesDoNotUseOneState) {
  MakeTable(source_, "app", 10);
  std::string second;
  bool is_begun = false;  // the second copy creates a table, too, if it is not refused
  to_.before_call = [&](std::string_view operation) {
    if (operation != "CreateTable" || std::exchange(is_begun, true)) return;
    CopyRequest again = request_;
    again.resumes = true;
    const auto result = RunCopy(again);
    second = result.ok() ? "" : result.error().message;
  };
  EXPECT_THAT(Copied(), ElementsAre("app>app 10 verified"));
  EXPECT_EQ(second, request_.state_file.string() + ": another copy is using it");
}

TEST_F(CopyResume, AFolderIsContinuedWhereTheStateSays) {
  MakeTable(source_, "app", 400, 20'000);
  request_.segments = 2;
  StopDumpAfterScans(3);
  EXPECT_THAT(Failure(), testing::StartsWith("the copy was interrupted; 0 of 1 table is copied"));
  // What was written after the state was, as by a process that was killed.
  std::ofstream(request_.folder / "app/items.json.partial", std::ios::app)
      << R"({"Item":{"pk":{"S":"half)";
  Continue();
  EXPECT_THAT(Copied(), ElementsAre("app>app 400 verified"));
  ExpectDumpHasItems(request_.folder, "app");
}

// The state says that the items are compressed; the options of the later run do not count.
TEST_F(CopyResume, ACompressedFolderIsContinued) {
  MakeTable(source_, "app", 400, 20'000);
  request_.segments = 2;
  request_.compresses = true;
  StopDumpAfterScans(3);
  EXPECT_THAT(Failure(), testing::StartsWith("the copy was interrupted; 0 of 1 table is copied"));
  Continue();
  request_.compresses = false;
  EXPECT_THAT(Copied(), ElementsAre("app>app 400 verified"));
  ExpectDumpHasItems(request_.folder, "app");
}

TEST_F(CopyResume, AFileThatLostItsEndIsRefused) {
  MakeTable(source_, "app", 200, 20'000);
  request_.segments = 1;
  StopDumpAfterScans(2);
  Failure();
  const std::filesystem::path items = folder_ / "dump/app/items.json.partial";
  std::filesystem::resize_file(items, 10);
  Continue();
  EXPECT_THAT(Failure(),
              testing::StartsWith(items.string() + ": it has 10 bytes, and the copy had written "));
}

}  // namespace
}  // namespace hashrange
