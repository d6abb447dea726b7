// Numbers: reading, writing, ordering and adding the three kinds an application has:
// counters, prices, and numbers of all 38 digits.
#include <benchmark/benchmark.h>

#include <array>
#include <string_view>

#include "value/number.h"

namespace hashrange {
namespace {

constexpr std::array<std::string_view, 3> kTexts = {"42", "-1299.95",
                                                    "12345678901234567890.123456789012345678"};

Number NumberOf(std::string_view text) {
  Number number;
  Number::Parse(text, &number);
  return number;
}

void ForEachText(benchmark::internal::Benchmark* benchmark) {
  for (std::size_t i = 0; i < kTexts.size(); ++i) benchmark->Arg(static_cast<std::int64_t>(i));
}

std::string_view TextOf(benchmark::State& state) {
  const std::string_view text = kTexts[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(std::string(text));
  return text;
}

void ParseNumber(benchmark::State& state) {
  const std::string_view text = TextOf(state);
  Number number;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Number::Parse(text, &number));
    benchmark::DoNotOptimize(number);
  }
}
BENCHMARK(ParseNumber)->Apply(ForEachText);

void WriteNumber(benchmark::State& state) {
  const Number number = NumberOf(TextOf(state));
  char text[Number::kMaxTextBytes];
  for (auto _ : state) {
    benchmark::DoNotOptimize(WriteNumberText(number.stored(), text));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(WriteNumber)->Apply(ForEachText);

void AddNumbers(benchmark::State& state) {
  const Number a = NumberOf(TextOf(state));
  const Number one = Number::FromInteger(1);
  Number sum;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Number::Add(a, one, &sum));
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(AddNumbers)->Apply(ForEachText);

void CompareNumbers(benchmark::State& state) {
  const Number a = NumberOf(TextOf(state));
  Number b;
  Number::Add(a, Number::FromInteger(1), &b);
  for (auto _ : state) benchmark::DoNotOptimize(a < b);
}
BENCHMARK(CompareNumbers)->Apply(ForEachText);

}  // namespace
}  // namespace hashrange
