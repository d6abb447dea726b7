#include "server/http/control_threads.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

class ControlThreadsTest : public testing::Test {
 protected:
  // The path "long" waits for `release_`, "throws" throws; any other is answered with its path.
  ControlThreads threads_{{[this](const ControlRequest& request) {
                             if (request.path == "long") released_.wait();
                             if (request.path == "throws") throw std::runtime_error("no memory");
                             return ControlAnswer{.body = request.path};
                           },
                           [](const ControlRequest& request) { return request.path == "long"; }}};

  // The wait is limited, so that the test fails and does not hang.
  static std::string Get(std::future<std::string> answer) {
    constexpr std::chrono::seconds kDeadline{30};
    return answer.wait_for(kDeadline) == std::future_status::ready ? answer.get() : "no answer";
  }
  std::future<std::string> Post(const std::string& path) {
    auto answered = std::make_shared<std::promise<std::string>>();
    ControlRequest request;
    request.path = path;
    threads_.Post(request, [answered](const ControlAnswer& answer) {
      answered->set_value(std::to_string(answer.http_status) + " " + answer.body);
    });
    return answered->get_future();
  }

  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

TEST_F(ControlThreadsTest, ACallThatTakesLongHoldsUpNoOther) {
  std::vector<std::future<std::string>> waiting;
  for (int i = 0; i < 10; ++i) waiting.push_back(Post("long"));
  for (const char* path : {"a", "b", "c"}) EXPECT_EQ(Get(Post(path)), std::string("200 ") + path);
  release_.set_value();
  for (auto& answer : waiting) EXPECT_EQ(Get(std::move(answer)), "200 long");
}

TEST_F(ControlThreadsTest, ACallThatThrowsHasFailed) {
  EXPECT_EQ(Get(Post("throws")), R"(500 {"error":"The call has failed in the server."})");
  EXPECT_EQ(Get(Post("a")), "200 a");
}

TEST_F(ControlThreadsTest, NothingIsPostedAfterTheStop) {
  EXPECT_EQ(Get(Post("a")), "200 a");
  threads_.Stop();
  std::future<std::string> never = Post("b");
  EXPECT_THROW(never.get(), std::future_error);
}

}  // namespace
}  // namespace hashrange
