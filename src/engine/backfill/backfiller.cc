#include "engine/backfill/backfiller.h"

#include <memory>
#include <new>
#include <utility>

#include "base/threads.h"

namespace hashrange {
namespace {

// About a tenth of a millisecond's work.
constexpr std::size_t kBatch = 64;

}  // namespace

Backfiller::Backfiller(Engine& engine, const Options& options)
    : engine_(engine),
      options_(options),
      queue_({.name = "the backfill of an index", .has_thread = options.has_thread}) {}

void Backfiller::Start(IndexAddress address) {
  const auto backfill = std::make_shared<Backfill>(engine_, std::move(address));
  try {
    if (options_.at_once > 0 && backfill->Step(options_.at_once)) return;
  } catch (const std::bad_alloc&) {  // the thread goes on, and again until there is memory
  }
  const bool is_posted = queue_.Post([backfill]() -> WorkQueue::NextRun {
    if (backfill->Step(kBatch)) return WorkQueue::kDone;
    YieldThread();
    return WorkQueue::kAtOnce;
  });
  if (is_posted) return;
  while (!backfill->Step(kBatch)) {
  }
}

void Backfiller::StartAll(const TableVersion& table) {
  for (const IndexVersion& index : table.indexes) {
    if (!index.is_filling()) continue;
    Start({table.account_id, table.region, table.name, index.schema.name});
  }
}

}  // namespace hashrange
