// TableFill: puts the items of all instances of a population into the tables of a layout. Used by
// one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/layout_database.h"

namespace hashrange {

class TableFill {
 public:
  // All outlive the object.
  TableFill(LayoutDatabase& database, const LayoutPlan& plan, const Population& population);

  // Puts the items of all instances, and returns whether that was finished: false, when `stop` has
  // become true. `stop` may be null. `progress` is called now and then with the share that is done.
  // Errors: ValidationException  the engine refuses an item
  Result<bool> Run(const std::atomic<bool>* stop, const std::function<void(double)>& progress);

  std::uint64_t items() const { return items_; }

 private:
  // Items that one BatchWriteItem puts into one table.
  struct Batch {
    std::string json = {};
    std::vector<std::size_t> items = {};  // of each, the number of the StoredItem in the plan
  };

  Status AddItem(std::size_t stored, std::uint64_t number);
  Status Send(std::string_view table, Batch& batch);
  Status PutOneByOne(std::string_view table, const Batch& batch);

  LayoutDatabase& database_;
  const LayoutPlan& plan_;
  const Population& population_;
  std::map<std::string, Batch, std::less<>> batches_ = {};  // by table
  LabCall call_ = {};
  std::string item_ = {};
  std::uint64_t items_ = 0;
};

}  // namespace hashrange
