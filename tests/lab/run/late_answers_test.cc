// Requests whose answers come later: the calls do the same as if they had been answered at once.
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "lab/run/call_runner.h"
#include "lab/run/layout_database.h"
#include "lab/run/layout_run.h"
#include "lab/run/request_sender.h"
#include "lab/run/traffic_arrivals.h"
#include "run_file.h"

namespace hashrange {
namespace {

// Keeps the answers of a database until they are asked for; without a database, which request each
// is to answer.
class LateSender final : public RequestSender {
 public:
  struct Answer {
    std::uint32_t call = 0;
    std::uint32_t place = 0;
    int status = 0;
    std::string body = {};
  };

  explicit LateSender(DatabaseSender* database) : database_(database) {}

  std::optional<int> Send(const SentRequest& request, std::string&) override {
    Answer& answer = answers.emplace_back();
    answer.call = request.call;
    answer.place = request.place;
    if (database_ != nullptr) answer.status = *database_->Send(request, answer.body);
    return std::nullopt;
  }
  void NoteEnd(const EndedCall& ended) override { ends.push_back(ended); }

  std::deque<Answer> answers;
  std::vector<EndedCall> ends;

 private:
  DatabaseSender* const database_;
};

void GiveAnswer(const LateSender::Answer& answer, std::int64_t time_us, CallRunner& runner) {
  runner.TakeLateAnswer({.call = answer.call,
                         .place = answer.place,
                         .time_us = time_us,
                         .status = answer.status,
                         .answer = ReadLabAnswer(answer.status, answer.body),
                         .body = answer.body});
}

// The traffic of the file in its first layout, with answers at once or later.
class TrafficRun {
 public:
  TrafficRun(const LabFile& file, bool is_late) : file_(file), is_late_(is_late) {}

  std::string Text() {
    EventQueue events;
    TrafficArrivals arrivals({file_, plan_, counts_, events}, {.phases = file_.traffic});
    CallRunner runner({.sender = is_late_ ? static_cast<RequestSender&>(late_) : sender_,
                       .file = file_,
                       .plan = plan_,
                       .population = population_,
                       .events = events,
                       .patterns = counts_});
    while (!events.empty()) {
      const LabEvent event = events.Take();
      if (event.kind == LabEvent::Kind::kArrival) {
        runner.Start(static_cast<int>(event.subject), arrivals.Take(event),
                     arrivals.HotAt(event.time_us));
      } else {
        runner.Continue(event);
      }
      while (!late_.answers.empty()) {
        const LateSender::Answer answer = late_.answers.front();
        late_.answers.pop_front();
        GiveAnswer(answer, event.time_us, runner);
      }
    }
    return TextOfCounts();
  }

  const std::vector<EndedCall>& ends() const { return late_.ends; }
  std::uint64_t calls() const {
    std::uint64_t calls = 0;
    for (const PatternRun& pattern : counts_) calls += pattern.calls;
    return calls;
  }

 private:
  std::string TextOfCounts() const {
    std::string text;
    for (const PatternRun& run : counts_) {
      for (const std::uint64_t count :
           {run.calls, run.failed, run.conditions, run.skipped, run.requests, run.throttled,
            run.broken, run.refused, run.items}) {
        text += std::to_string(count) + " ";
      }
      text += std::to_string(run.read_units.sum()) + " " + std::to_string(run.write_units.sum()) +
              run.error + "\n";
    }
    return text;
  }

  const LabFile& file_;
  const bool is_late_;
  LayoutDatabase database_{file_, file_.layouts[0], nullptr};
  Population population_{file_, 1};
  const LayoutPlan plan_ = FilledPlan(file_, 0, population_, database_);
  DatabaseSender sender_{database_.database(), file_.start_epoch_ms};
  LateSender late_{&sender_};
  std::vector<PatternRun> counts_ = FreshPatternRuns(file_, 1);
};

TEST(LateAnswers, TheTrafficDoesTheSame) {
  const LabFile file = FileOf(kSmallShop);
  TrafficRun at_once(file, false);
  TrafficRun later(file, true);
  const std::string text = at_once.Text();
  EXPECT_EQ(later.Text(), text);
  EXPECT_GT(later.calls(), 2'000U);
  EXPECT_EQ(later.ends().size(), later.calls());
}

constexpr const char* kAskedThings = R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}, size: {constant: 1}}}}
access_patterns:
  ask: {get: Thing, by: [id], rate: 1/s}
  change: {update: Thing, by: [id], set: {size: 2}, rate: 1/s}
layouts: {only: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
client: {attempts: 2, base_delay: 1ms, latency: 0ms}
)";

// Calls of "ask" that ask twice at a time; the answers are made by hand.
class TwoRequestsTest : public testing::Test {
 protected:
  TwoRequestsTest() {
    plan_.patterns[0].steps[0].shards = 2;
    runner_.Start(0, {.time_us = 100}, {});
  }

  void Give(std::size_t place, int status, const std::string& body, std::int64_t time_us) {
    LateSender::Answer answer = late_.answers[place];
    answer.status = status;
    answer.body = body;
    GiveAnswer(answer, time_us, runner_);
  }

  const LabFile file_ = FileOf(kAskedThings);
  Population population_{file_, 1};
  LayoutPlan plan_ = PlanOf(file_);
  EventQueue events_;
  LateSender late_{nullptr};
  std::vector<PatternRun> counts_ = FreshPatternRuns(file_, 1);
  CallRunner runner_{{.sender = late_,
                      .file = file_,
                      .plan = plan_,
                      .population = population_,
                      .events = events_,
                      .patterns = counts_}};
};

constexpr const char* kItem =
    R"({"Item":{"PK":{"S":"1"}},"ConsumedCapacity":{"TableName":"things","CapacityUnits":0.5}})";
constexpr const char* kRefusal =
    R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":"No."})";

TEST_F(TwoRequestsTest, ACallEndsWithItsLatestAnswer) {
  ASSERT_EQ(late_.answers.size(), 2U);
  Give(1, 200, kItem, 300);
  EXPECT_TRUE(late_.ends.empty());
  Give(0, 200, kItem, 900);
  ASSERT_EQ(late_.ends.size(), 1U);
  EXPECT_EQ(late_.ends[0].start_us, 100);
  EXPECT_EQ(late_.ends[0].end_us, 900);
  EXPECT_EQ(counts_[0].items, 2U);
  EXPECT_EQ(counts_[0].read_units.sum(), 1);
}

TEST_F(TwoRequestsTest, ACallThatFailsEndsWhenAllIsAnswered) {
  Give(0, 400, kRefusal, 200);
  EXPECT_TRUE(late_.ends.empty());
  Give(1, 200, kItem, 500);
  ASSERT_EQ(late_.ends.size(), 1U);
  EXPECT_EQ(late_.ends[0].end_us, 500);
  EXPECT_EQ(counts_[0].failed, 1U);
  EXPECT_EQ(counts_[0].refused, 1U);
  EXPECT_EQ(counts_[0].failed_read_units, 0.5);
  EXPECT_EQ(counts_[0].error, "GetItem was answered by AccessDeniedException: No.");
  EXPECT_TRUE(events_.empty());
}

TEST_F(TwoRequestsTest, WhatIsNotAnsweredIsSentAgain) {
  Give(0, 0, "", 200);
  Give(1, 503, "<html>", 200);
  EXPECT_EQ(counts_[0].broken, 2U);
  for (int event = 0; event < 2; ++event) runner_.Continue(events_.Take());
  ASSERT_EQ(late_.answers.size(), 4U);
  Give(2, 503, "<html>", 4000);
  EXPECT_TRUE(late_.ends.empty());
  Give(3, 200, kItem, 5000);
  EXPECT_EQ(late_.ends.size(), 1U);
  EXPECT_EQ(counts_[0].requests, 4U);
  EXPECT_EQ(counts_[0].broken, 3U);
  EXPECT_EQ(counts_[0].failed, 1U);
  EXPECT_EQ(counts_[0].error, "GetItem was not answered: ");
}

}  // namespace
}  // namespace hashrange
