// Measures the longest time that a request waits: sends one small request at a steady rate on one
// connection, until standard input is closed, and prints one line of JSON.
//
//   probe --port 8000 --interval-us 1000 --body JSON [--header "X-Amz-Target: …"]…
//
// A time is measured from sending the request to receiving the whole answer. The next request is
// not sent before that, so a pause counts only once.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "http_client.h"

namespace hashrange::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Waits until `wake`. Returns false when standard input is closed.
bool WaitUntil(SteadyClock::time_point wake) {
  const std::chrono::nanoseconds left = wake - SteadyClock::now();
  const long nanoseconds = std::max<long>(left.count(), 0);
  const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  pollfd input{0, POLLIN, 0};
  return ::ppoll(&input, 1, &timeout, nullptr) == 0;
}

int Run(std::uint16_t port, std::chrono::microseconds interval, const std::string& request) {
  HttpClient client(port);
  std::vector<double> times_ms;
  std::size_t failures = 0;
  auto wake = SteadyClock::now();
  while (failures == 0 && WaitUntil(wake)) {
    const auto start = SteadyClock::now();
    if (client.Call(request) != 200) ++failures;
    const auto end = SteadyClock::now();
    times_ms.push_back(std::chrono::duration<double, std::milli>(end - start).count());
    wake = std::max(wake + interval, end);
  }
  if (times_ms.empty()) times_ms.push_back(0);
  std::sort(times_ms.begin(), times_ms.end());
  std::printf(
      "{\"requests\": %zu, \"median_ms\": %.3f, \"p99_ms\": %.3f, \"p999_ms\": %.3f, "
      "\"longest_ms\": %.3f, "
      "\"failures\": %zu}\n",
      times_ms.size(), times_ms[times_ms.size() / 2], times_ms[times_ms.size() * 99 / 100],
      times_ms[times_ms.size() * 999 / 1000], times_ms.back(), failures);
  return 0;
}

}  // namespace
}  // namespace hashrange::bench

int main(int argc, char** argv) {
  std::uint16_t port = 0;
  std::chrono::microseconds interval{1000};
  std::string_view body;
  std::vector<std::string_view> headers;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = argv[i + 1];
    if (name == "--port") port = static_cast<std::uint16_t>(std::atoi(value));
    if (name == "--interval-us") interval = std::chrono::microseconds(std::atol(value));
    if (name == "--body") body = value;
    if (name == "--header") headers.push_back(value);
  }
  return hashrange::bench::Run(port, interval, hashrange::bench::PostRequest(headers, body));
}
