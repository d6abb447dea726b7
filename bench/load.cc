// Fills a table: sends the same few requests for every number of a range, with the number
// written into them. In a request, "@" and seven digits d are replaced by (number + d) modulo
// `--modulus` in eight digits, so that the length of the request does not change.
//
//   load --port 8000 --bodies FILE --from 0 --to 1000 --modulus 1000 --connections 8
//        [--header "X-Amz-Target: …"]…
//
// Each line of FILE is the JSON body of one request. Prints one line of JSON. Exits with 1 if an
// answer is not 200 or leaves items unprocessed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http_client.h"

namespace hashrange::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

double MillisecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

constexpr std::size_t kNumberDigits = 8;

class Template {
 public:
  explicit Template(std::string text) : text_(std::move(text)) {
    for (std::size_t at = text_.find('@'); at != std::string::npos; at = text_.find('@', at + 1)) {
      const std::string_view digits = std::string_view(text_).substr(at + 1, kNumberDigits - 1);
      if (digits.size() != kNumberDigits - 1 ||
          digits.find_first_not_of("0123456789") != std::string_view::npos) {
        continue;
      }
      places_.push_back({at, std::strtoul(std::string(digits).c_str(), nullptr, 10)});
    }
  }

  // Returns the text for a number, valid until the next call.
  std::string_view Fill(std::size_t number, std::size_t modulus) {
    for (const Place& place : places_) {
      std::size_t rest = (number + place.offset) % modulus;
      for (std::size_t digit = kNumberDigits; digit-- > 0; rest /= 10) {
        text_[place.at + digit] = static_cast<char>('0' + rest % 10);
      }
    }
    return text_;
  }

 private:
  struct Place {
    std::size_t at;
    std::size_t offset;
  };

  std::string text_;
  std::vector<Place> places_;
};

struct Job {
  std::uint16_t port = 0;
  std::size_t from = 0, to = 0, modulus = 1;
  std::size_t connections = 1;
  std::vector<Template> templates;
};

struct Outcome {
  std::size_t requests = 0;
  double slowest_ms = 0;
  std::string failure;
};

// The work of one connection: it takes the next number from a counter that all connections share.
Outcome Send(const Job& job, std::atomic<std::size_t>& next) {
  Outcome outcome;
  HttpClient client(job.port);
  std::vector<Template> templates = job.templates;
  for (std::size_t number = next++; number < job.to; number = next++) {
    for (Template& each : templates) {
      const std::string_view request = each.Fill(number, job.modulus);
      const auto start = SteadyClock::now();
      const int status = client.Call(request);
      outcome.slowest_ms = std::max(outcome.slowest_ms, MillisecondsSince(start));
      ++outcome.requests;
      if (status != 200 || client.body().find("PutRequest") != std::string_view::npos) {
        outcome.failure = "status " + std::to_string(status);
        if (status != 0) outcome.failure.append(": ").append(client.body().substr(0, 500));
        next = job.to;
        return outcome;
      }
    }
  }
  return outcome;
}

int Run(const Job& job) {
  const auto start = SteadyClock::now();
  std::atomic<std::size_t> next = job.from;
  std::vector<Outcome> outcomes(job.connections);
  std::vector<std::thread> threads;
  for (Outcome& outcome : outcomes) {
    threads.emplace_back([&] { outcome = Send(job, next); });
  }
  for (std::thread& thread : threads) thread.join();

  Outcome total;
  for (const Outcome& each : outcomes) {
    total.requests += each.requests;
    total.slowest_ms = std::max(total.slowest_ms, each.slowest_ms);
    if (!each.failure.empty()) total.failure = each.failure;
  }
  if (!total.failure.empty()) {
    std::fprintf(stderr, "load: %s\n", total.failure.c_str());
    return 1;
  }
  std::printf("{\"requests\": %zu, \"seconds\": %.3f, \"slowest_ms\": %.3f}\n", total.requests,
              MillisecondsSince(start) / 1e3, total.slowest_ms);
  return 0;
}

}  // namespace
}  // namespace hashrange::bench

int main(int argc, char** argv) {
  using hashrange::bench::PostRequest;
  std::map<std::string_view, std::size_t> numbers;
  std::vector<std::string_view> headers;
  const char* bodies = "";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--header") {
      headers.push_back(argv[i + 1]);
    } else if (name == "--bodies") {
      bodies = argv[i + 1];
    } else {
      numbers[name] = std::strtoul(argv[i + 1], nullptr, 10);
    }
  }
  hashrange::bench::Job job;
  job.port = static_cast<std::uint16_t>(numbers["--port"]);
  job.from = numbers["--from"];
  job.to = numbers["--to"];
  job.modulus = std::max<std::size_t>(numbers["--modulus"], 1);
  job.connections = std::max<std::size_t>(numbers["--connections"], 1);
  std::ifstream lines(bodies);
  for (std::string body; std::getline(lines, body);) {
    job.templates.emplace_back(PostRequest(headers, body));
  }
  return hashrange::bench::Run(job);
}
