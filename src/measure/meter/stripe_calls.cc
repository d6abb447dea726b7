// The part of a Stripe that counts the calls of a pattern.
#include <algorithm>

#include "measure/meter/stripe.h"

namespace hashrange {
namespace {

bool IsPaged(const Access& access) {
  return access.kind == Access::Kind::kQuery || access.kind == Access::Kind::kScan;
}

bool HasMembers(std::string_view operation) {
  return operation.starts_with("Batch") || operation.starts_with("Transact") ||
         operation == "ExecuteTransaction";
}

// Returns the app id of the SDK that sent the call: "app/shop" in its user agent.
std::string_view AppIdOf(std::string_view user_agent) {
  constexpr std::string_view kApp = " app/";
  const std::size_t at = user_agent.find(kApp);
  if (at == user_agent.npos) return {};
  const std::string_view rest = user_agent.substr(at + kApp.size());
  return rest.substr(0, std::min<std::size_t>(rest.find(' '), 64));
}

}  // namespace

void Stripe::CountPattern(const MeteredCall& call, PatternTable::Number number) {
  PatternCounters& counters = counters_.patterns.At(number).counters;
  PatternMeasure& counts = counters.counts;
  ++counts.requests;
  counts.request_bytes.Add(static_cast<double>(call.call->request_bytes));
  if (call.duration) {
    counters.microseconds.Add(static_cast<double>(call.duration->count()) / 1000);
  }
  bool has_start = false, is_replay = false;
  for (const MeteredAccess* access : call.accesses) {
    has_start = has_start || access->start;
    is_replay = is_replay || access->is_replay;
    counts.failed_conditions += access->is_condition_failure ? 1 : 0;
    counts.conflicts += access->is_conflict ? 1 : 0;
    if (access->is_refused && !call.error) ++counts.unprocessed;
    if (!access->throttle.empty()) AddCount(counts.throttles, access->throttle);
  }
  counts.calls += has_start ? 0 : 1;
  counts.replays += is_replay ? 1 : 0;
  const std::string_view app = AppIdOf(call.call->user_agent);
  if (!app.empty()) AddCount(counts.callers, app);
  if (call.error) AddCount(counts.errors, ErrorInfoOf(call.error->code).name);
  CountUnits(call, &counters);
  if (!call.error) CountSizes(call, &counters);
}

void Stripe::CountUnits(const MeteredCall& call, PatternCounters* counters) {
  for (const MeteredAccess* access : call.accesses) {
    const bool is_write = access->is_write();
    if (access->is_unreported) {
      (is_write ? counters->counts.failed_write_units : counters->counts.failed_read_units) +=
          access->units;
      continue;
    }
    const auto direction = is_write ? &UnitsOfResource::write_units : &UnitsOfResource::read_units;
    const auto add = [&](const IndexVersion* index, double units) {
      const std::uint32_t resource = units == 0 ? kNoResource : ResourceOf(*access->table, index);
      if (resource != kNoResource) counters->units.At(resource).*direction += units;
    };
    add(nullptr, access->table_units());
    for (std::size_t i = 0; i < access->index_units.size(); ++i) {
      add(&access->table->indexes[i], access->index_units[i]);
    }
    for (const IndexMove& move : access->index_moves) {
      if (!move.before || !move.after || move.before == move.after) continue;
      const std::uint32_t resource =
          ResourceOf(*access->table, &access->table->indexes[move.index]);
      if (resource != kNoResource) ++counters->units.At(resource).moved;
    }
  }
}

void Stripe::CountSizes(const MeteredCall& call, PatternCounters* counters) {
  PatternMeasure& counts = counters->counts;
  RequestSizes sizes;
  for (const MeteredAccess* access : call.accesses) {
    if (access->is_unreported) continue;
    if (access->is_write()) {
      sizes.writes = true;
      sizes.write_units += access->units;
      if (access->access.kind != Access::Kind::kWrite || access->is_failed) continue;
      if (access->bytes_before == 0 && access->bytes_after == 0) continue;
      ++(access->bytes_before == 0  ? counts.inserted
         : access->bytes_after == 0 ? counts.removed
                                    : counts.changed);
      counts.item_bytes_written += static_cast<double>(access->bytes_after);
      counts.changed_bytes += static_cast<double>(access->changed_bytes);
      continue;
    }
    sizes.reads = true;
    sizes.read_units += access->units;
    sizes.items_examined += static_cast<double>(access->items_examined);
    sizes.items_returned += static_cast<double>(access->items_returned);
    sizes.bytes_examined += static_cast<double>(access->bytes_examined);
    sizes.bytes_returned += static_cast<double>(access->bytes_returned);
    const bool is_get = access->access.kind == Access::Kind::kRead;
    if (is_get && access->items_examined == 0) ++counts.missing;
    if (IsPaged(access->access) && access->items_returned == 0) ++counts.empty;
  }
  if (HasMembers(call.call->operation)) {
    counts.members_a_call.Add(static_cast<double>(call.members));
  }
  AddSizes(sizes, &counters->pages);
  if (!call.accesses.empty() && IsPaged(call.accesses[0]->access)) {
    LinkPages(call, sizes, counters);
  }
}

// A SELECT may read several ranges: the first one begins behind the page before, and the page ends
// in the last one.
void Stripe::LinkPages(const MeteredCall& call, const RequestSizes& sizes,
                       PatternCounters* counters) {
  const auto& start = call.accesses.front()->start;
  const auto& resume = call.accesses.back()->resume;
  if (!start && !resume) return;
  const std::uint64_t what = members_[0].shape;
  PagesSoFar pages{sizes, 1};
  if (start) {
    const auto before = shared_.pages.Take(*start ^ what);
    if (!before) {
      ++counters->counts.calls;
    } else {
      AddSizes(before->sizes, &counters->parts);
      AddSizes(sizes, &counters->parts);
      counters->part_pages.Add(static_cast<double>(before->pages));
      counters->part_pages.Add(1);
      pages.sizes.Add(before->sizes);
      pages.pages += before->pages;
      AddSizes(pages.sizes, &counters->wholes);
      counters->whole_pages.Add(static_cast<double>(pages.pages));
    }
  }
  if (resume) shared_.pages.Put(*resume ^ what, pages);
}

}  // namespace hashrange
