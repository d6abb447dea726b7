#include "base/work_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

using std::chrono::milliseconds;
using AtEnd = WorkQueue::AtEnd;

constexpr milliseconds kNeverInThisTest{3'600'000};

bool IsReady(std::future<void>& done) {
  constexpr std::chrono::seconds kDeadline{30};
  return done.wait_for(kDeadline) == std::future_status::ready;
}

// A work that has begun and waits until it is released.
class Gatekeeper {
 public:
  explicit Gatekeeper(WorkQueue& queue) {
    EXPECT_TRUE(queue.Post([this] {
      begun_.set_value();
      released_.wait();
    }));
    auto begun = begun_.get_future();
    EXPECT_TRUE(IsReady(begun));
  }
  void Release() { release_.set_value(); }

 private:
  std::promise<void> begun_, release_;
  std::future<void> released_ = release_.get_future();
};

TEST(WorkQueue, WorksRunInTurnOnOneOtherThread) {
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  {
    WorkQueue queue({.at_end = AtEnd::kFinish});
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(queue.Post([&, i] {
        order.push_back(i);
        threads.push_back(std::this_thread::get_id());
      }));
    }
  }
  std::vector<int> expected(100);
  for (int i = 0; i < 100; ++i) expected[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(order, expected);
  EXPECT_NE(threads[0], std::this_thread::get_id());
  EXPECT_EQ(threads, std::vector(100, threads[0]));
}

TEST(WorkQueue, AWorkThatRunsAgainTakesTurnsWithTheOthers) {
  WorkQueue queue({.has_thread = false});
  std::string turns;
  for (const char name : {'a', 'b'}) {
    queue.Post([&turns, name, left = 3]() mutable -> WorkQueue::NextRun {
      turns.push_back(name);
      return --left > 0 ? WorkQueue::NextRun(WorkQueue::kAtOnce) : WorkQueue::kDone;
    });
  }
  while (queue.RunNext()) {
  }
  EXPECT_EQ(turns, "ababab");
}

TEST(WorkQueue, ADelayedWorkHoldsUpNoOther) {
  WorkQueue queue({.has_thread = false});
  std::string turns;
  queue.Post([&turns] { turns.push_back('l'); }, {.delay = kNeverInThisTest});
  queue.Post([&turns] { turns.push_back('n'); });
  while (queue.RunNext()) {
  }
  EXPECT_EQ(turns, "n");
  queue.Hurry();
  while (queue.RunNext()) {
  }
  EXPECT_EQ(turns, "nl");
}

TEST(WorkQueue, ADelayedWorkRunsWhenItsTimeHasCome) {
  std::promise<void> done;
  auto is_done = done.get_future();
  WorkQueue queue({});
  const auto begin = std::chrono::steady_clock::now();
  queue.Post([&done] { done.set_value(); }, {.delay = milliseconds(20)});
  EXPECT_TRUE(IsReady(is_done));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(20));
}

// Whoever hurries while the work runs has news that the work may have missed.
TEST(WorkQueue, HurryReachesTheWorkThatIsRunning) {
  WorkQueue queue({});
  std::promise<void> begun, release, ran_again;
  auto has_begun = begun.get_future();
  auto released = release.get_future();
  auto has_run_again = ran_again.get_future();
  queue.Post([&, runs = 0]() mutable -> WorkQueue::NextRun {
    if (++runs == 2) {
      ran_again.set_value();
      return WorkQueue::kDone;
    }
    begun.set_value();
    released.wait();
    return kNeverInThisTest;
  });
  EXPECT_TRUE(IsReady(has_begun));
  queue.Hurry();
  release.set_value();
  EXPECT_TRUE(IsReady(has_run_again));
}

TEST(WorkQueue, AWorkThatThrowsRunsAgain) {
  std::promise<void> done;
  auto is_done = done.get_future();
  WorkQueue queue({.name = "a test"});
  queue.Post([&done, runs = 0]() mutable {
    if (++runs < 3) throw std::runtime_error("no memory");
    done.set_value();
  });
  EXPECT_TRUE(IsReady(is_done));
}

TEST(WorkQueue, ItRefusesWhatIsBeyondItsBound) {
  WorkQueue queue({.max_waiting_bytes = 100, .has_thread = false});
  const auto nothing = [] {};
  EXPECT_TRUE(queue.Post(nothing, {.size_bytes = 100}));
  EXPECT_TRUE(queue.Post(nothing, {.size_bytes = 50}));
  auto refused = std::make_shared<int>(1);
  const std::weak_ptr<int> is_kept = refused;
  EXPECT_FALSE(queue.Post([refused = std::move(refused)] {}, {.size_bytes = 1}));
  EXPECT_TRUE(is_kept.expired());
  EXPECT_EQ(queue.waiting_bytes(), 150);
  EXPECT_TRUE(queue.RunNext());
  EXPECT_EQ(queue.waiting_bytes(), 50);
  EXPECT_TRUE(queue.Post(nothing, {.size_bytes = 1}));
}

// Stops the queue while a work runs and others wait: one due, one delayed.
std::string RunsAtEnd(AtEnd at_end) {
  std::string ran;
  WorkQueue queue({.at_end = at_end});
  Gatekeeper gatekeeper(queue);
  queue.Post([&ran] { ran.push_back('n'); });
  queue.Post([&ran] { ran.push_back('l'); }, {.delay = kNeverInThisTest});
  std::thread stopper([&queue] { queue.Stop(); });
  while (!queue.is_stopping()) std::this_thread::yield();
  gatekeeper.Release();
  stopper.join();
  EXPECT_FALSE(queue.Post([&ran] { ran.push_back('x'); }));
  queue.Stop();
  return ran;
}

TEST(WorkQueue, AtItsEndItFinishesWhatIsDue) { EXPECT_EQ(RunsAtEnd(AtEnd::kFinish), "n"); }

TEST(WorkQueue, AtItsEndItDropsWhatWaits) { EXPECT_EQ(RunsAtEnd(AtEnd::kDrop), ""); }

TEST(WorkQueue, AWorkMayPostAnother) {
  std::promise<void> done;
  auto is_done = done.get_future();
  WorkQueue queue({});
  queue.Post([&] { queue.Post([&done] { done.set_value(); }); });
  EXPECT_TRUE(IsReady(is_done));
}

TEST(WorkQueue, SeveralThreadsPost) {
  constexpr int kThreads = 4, kWorks = 1000;
  int ran = 0;  // by the queue's thread alone
  {
    WorkQueue queue({.at_end = AtEnd::kFinish});
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < kWorks; ++k) {
          queue.Post([&ran]() -> WorkQueue::NextRun {
            return ++ran % 7 == 0 ? WorkQueue::NextRun(WorkQueue::kAtOnce) : WorkQueue::kDone;
          });
          if (k % 100 == 0) queue.Hurry();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_GE(ran, kThreads * kWorks);
}

}  // namespace
}  // namespace hashrange
