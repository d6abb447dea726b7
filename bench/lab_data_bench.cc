// Measures what a lab's values and picks cost: each generator by itself, all values of an item, and
// each way to pick, for the shop of docs/lab.md with 20,000 customers.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "lab/language/data/picker.h"
#include "lab/language/data/population.h"
#include "lab/language/data/shop_file.h"

namespace hashrange {
namespace {

using namespace lab_data_test;  // NOLINT: the builders

// The population, which is made once.
struct Shop {
  LabFile file = ShopFile(20'000, 2000);
  Population population = Population(file, 1);
};

Shop& TheShop() {
  static Shop shop;
  return shop;
}

void MakeValue(benchmark::State& state, LabAttributeRef attribute) {
  const Population& population = TheShop().population;
  DrawSequence draws(1);
  std::string out;
  for (auto _ : state) {
    const InstanceId id{attribute.entity, draws.Below(population.Count(attribute.entity))};
    out.clear();
    if (population.Has(id, attribute)) population.AppendValue(id, attribute, out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK_CAPTURE(MakeValue, Sequence, kCustomerId);
BENCHMARK_CAPTURE(MakeValue, Template, kEmail);
BENCHMARK_CAPTURE(MakeValue, Time, kCreatedAt);
BENCHMARK_CAPTURE(MakeValue, Ulid, kOrderId);
BENCHMARK_CAPTURE(MakeValue, Uuid, kTraceId);
BENCHMARK_CAPTURE(MakeValue, Choice, kStatus);
BENCHMARK_CAPTURE(MakeValue, TextOf40Bytes, kTitle);
BENCHMARK_CAPTURE(MakeValue, LognormalNumber, kTotal);
BENCHMARK_CAPTURE(MakeValue, UniformNumber, kStock);
BENCHMARK_CAPTURE(MakeValue, Flag, kIsFragile);
BENCHMARK_CAPTURE(MakeValue, TemplateOfAncestor, kOrderEmail);
BENCHMARK_CAPTURE(MakeValue, DistinctZipfReference, kSku);
BENCHMARK_CAPTURE(MakeValue, TextOfReference, kLineTitle);

// All values of the items of one entity, in the order of their numbers, as a fill makes them.
void FillItems(benchmark::State& state, int entity) {
  const Population& population = TheShop().population;
  const auto attributes = static_cast<int>(
      population.file().entities[static_cast<std::size_t>(entity)].attributes.size());
  std::string out;
  std::uint64_t number = 0;
  for (auto _ : state) {
    out.clear();
    for (int attribute = 0; attribute < attributes; ++attribute) {
      const LabAttributeRef ref{entity, attribute};
      if (population.Has({entity, number}, ref)) {
        population.AppendValue({entity, number}, ref, out);
      }
    }
    benchmark::DoNotOptimize(out.data());
    if (++number == population.Count(entity)) number = 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(FillItems, Customer, kCustomer);
BENCHMARK_CAPTURE(FillItems, Order, kOrder);
BENCHMARK_CAPTURE(FillItems, Line, kLine);

void MakePopulation(benchmark::State& state) {
  for (auto _ : state) {
    const Population population(TheShop().file, static_cast<std::uint64_t>(state.range(0)));
    benchmark::DoNotOptimize(population.Count(kLine));
  }
}
BENCHMARK(MakePopulation)->Arg(1)->Arg(10)->Unit(benchmark::kMillisecond);

void PickOrder(benchmark::State& state, LabPick::Kind kind, bool is_open) {
  Picker picker(TheShop().file, TheShop().population);
  LabPick pick;
  pick.kind = kind;
  if (is_open) pick.where = {Is(kStatus, "OPEN")};
  std::uint64_t number = 0;
  // The first pick makes the list.
  benchmark::DoNotOptimize(picker.Pick(kOrder, pick, 1, number, {}));
  for (auto _ : state) benchmark::DoNotOptimize(picker.Pick(kOrder, pick, 1, ++number, {}));
}
BENCHMARK_CAPTURE(PickOrder, Uniform, LabPick::Kind::kUniform, false);
BENCHMARK_CAPTURE(PickOrder, Zipf, LabPick::Kind::kZipf, false);
BENCHMARK_CAPTURE(PickOrder, Latest, LabPick::Kind::kLatest, false);
BENCHMARK_CAPTURE(PickOrder, Hot, LabPick::Kind::kHot, false);
BENCHMARK_CAPTURE(PickOrder, UniformWhere, LabPick::Kind::kUniform, true);
BENCHMARK_CAPTURE(PickOrder, ZipfWhere, LabPick::Kind::kZipf, true);

void ListOpenOrders(benchmark::State& state) {
  LabPick pick;
  pick.where = {Is(kStatus, "OPEN")};
  for (auto _ : state) {
    Picker picker(TheShop().file, TheShop().population);
    benchmark::DoNotOptimize(picker.Pick(kOrder, pick, 1, 1, {}));
  }
}
BENCHMARK(ListOpenOrders)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hashrange
