// Measures parsing, writing, comparing and adding Numbers of the three kinds that applications
// have: counters, prices, and numbers of all 38 digits.
#include <benchmark/benchmark.h>

#include <array>
#include <string_view>

#include "value/number.h"

namespace hashrange {
namespace {

constexpr std::array<std::string_view, 3> kTexts = {"42", "-1299.95",
                                                    "12345678901234567890.123456789012345678"};

Number ParsedNumber(std::string_view text) {
  Number number;
  Number::Parse(text, &number);
  return number;
}

void ForEachText(benchmark::internal::Benchmark* benchmark) {
  for (std::size_t i = 0; i < kTexts.size(); ++i) benchmark->Arg(static_cast<std::int64_t>(i));
}

std::string_view ArgumentText(benchmark::State& state) {
  const std::string_view text = kTexts[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(std::string(text));
  return text;
}

void ParseNumber(benchmark::State& state) {
  const std::string_view text = ArgumentText(state);
  Number number;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Number::Parse(text, &number));
    benchmark::DoNotOptimize(number);
  }
}
BENCHMARK(ParseNumber)->Apply(ForEachText);

void WriteNumber(benchmark::State& state) {
  const Number number = ParsedNumber(ArgumentText(state));
  char text[Number::kMaxTextBytes];
  for (auto _ : state) {
    benchmark::DoNotOptimize(WriteNumberText(number.stored(), text));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(WriteNumber)->Apply(ForEachText);

void AddNumbers(benchmark::State& state) {
  const Number a = ParsedNumber(ArgumentText(state));
  const Number one = Number::FromInteger(1);
  Number sum;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Number::Add(a, one, &sum));
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(AddNumbers)->Apply(ForEachText);

void CompareNumbers(benchmark::State& state) {
  const Number a = ParsedNumber(ArgumentText(state));
  Number b;
  Number::Add(a, Number::FromInteger(1), &b);
  for (auto _ : state) benchmark::DoNotOptimize(a < b);
}
BENCHMARK(CompareNumbers)->Apply(ForEachText);

}  // namespace
}  // namespace hashrange
