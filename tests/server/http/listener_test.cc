#include "server/http/listener.h"

#include <gtest/gtest.h>

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "server/http/worker.h"

namespace hashrange {
namespace {

using tcp = boost::asio::ip::tcp;

// A server may be stopped while a connection waits for its place. Its next step is then left with a
// worker that has ended, which is destroyed after the listener. If the memory of the step had gone
// with the listener, the address sanitizer would say so.
TEST(Listener, AStepThatIsLeftWithAWorkerOutlivesTheListener) {
  Worker::Shared shared{{.handler = [](const ApiRequest&, OutputBuffer&) { return ApiAnswer{}; },
                         .routing = {{{}, {}}},
                         .limits = Limits(Limits::kMinRequestBytes, 1),
                         .control_token = "",
                         .file_folders = {}},
                        std::chrono::seconds(30),
                        ControlThreads({}),
                        LongCalls(1)};
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < 2; ++i) workers.push_back(std::make_unique<Worker>(shared));
  std::optional<Listener> listener(std::in_place, workers, shared.server.limits);
  ASSERT_EQ(listener->Bind("127.0.0.1", 0), "");
  ASSERT_EQ(listener->Listen(), "");
  listener->Accept();
  EXPECT_EQ(shared.server.limits.TakeConnection(), Limits::Place::kOrdinary);

  boost::asio::io_context io;
  tcp::socket client(io);
  client.connect({boost::asio::ip::make_address("127.0.0.1"), listener->port()});
  // The connection is accepted, and the first worker is asked.
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(workers.front()->io().run_one_for(std::chrono::seconds(10)), 1u);
  }
  EXPECT_TRUE(shared.server.limits.AreConnectionsExceeded()) << "it waits for its place";
  listener.reset();
  workers.clear();
}

}  // namespace
}  // namespace hashrange
