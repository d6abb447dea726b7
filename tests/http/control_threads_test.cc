#include "http/control_threads.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hashrange {
namespace {

class ControlThreadsTest : public testing::Test {
 protected:
  // "long" waits for `release_`, "throws" throws; any other is answered with its path.
  ControlThreads threads_{[this](const ControlRequest& request) {
    if (request.path == "long") released_.wait();
    if (request.path == "throws") throw std::runtime_error("no memory");
    return ControlAnswer{.body = request.path};
  }};

  std::future<std::string> Post(const std::string& path) {
    auto answered = std::make_shared<std::promise<std::string>>();
    ControlRequest request;
    request.path = path;
    threads_.Post(request, [answered](const ControlAnswer& answer) {
      answered->set_value(std::to_string(answer.http_status) + " " + answer.body);
    });
    return answered->get_future();
  }

  // What it is answered with, or that it is not.
  static std::string AnswerOf(std::future<std::string>& answer) {
    const bool is_there = answer.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
    return is_there ? answer.get() : "no answer within 30 s";
  }

  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

TEST_F(ControlThreadsTest, ACallThatTakesLongHoldsUpNoOther) {
  std::future<std::string> waits = Post("long");
  for (const char* path : {"a", "b", "c"}) {
    std::future<std::string> answer = Post(path);
    EXPECT_EQ(AnswerOf(answer), std::string("200 ") + path);
  }
  release_.set_value();
  EXPECT_EQ(AnswerOf(waits), "200 long");
}

TEST_F(ControlThreadsTest, MoreCallsThanThreadsAreAllAnswered) {
  std::vector<std::future<std::string>> answers;
  for (int i = 0; i < 50; ++i) answers.push_back(Post("long"));
  release_.set_value();
  for (auto& answer : answers) EXPECT_EQ(AnswerOf(answer), "200 long");
}

TEST_F(ControlThreadsTest, ACallThatThrowsHasFailed) {
  EXPECT_EQ(Post("throws").get(), R"(500 {"error":"The call has failed in the server."})");
  EXPECT_EQ(Post("a").get(), "200 a");
}

TEST_F(ControlThreadsTest, NothingIsPostedAfterTheStop) {
  EXPECT_EQ(Post("a").get(), "200 a");
  threads_.Stop();
  std::future<std::string> never = Post("b");
  EXPECT_THROW(never.get(), std::future_error);
}

}  // namespace
}  // namespace hashrange
