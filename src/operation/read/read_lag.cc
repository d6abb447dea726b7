#include "operation/read/read_lag.h"

#include <utility>

namespace hashrange {

ReadView PastReadViewOf(const TableVersion& table, const IndexVersion* index) {
  const ReadView present{&table, index, nullptr};
  TableRef past = table.settings.lag->PastOf(table, index);
  if (!past) return present;
  const IndexVersion* const past_index = index ? past->FindIndex(index->schema.name) : nullptr;
  if (index && !past_index) return present;
  ReadView view{past.get(), past_index, nullptr};
  view.past = std::move(past);
  return view;
}

}  // namespace hashrange
