// TableStages takes one table of a copy from one stage to the next (copy_state.h), until it is
// done.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "remote/copy/copy_plan.h"
#include "remote/copy/copy_run.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/endpoint_tables.h"
#include "remote/copy/item_sink.h"
#include "remote/copy/unit_meter.h"

namespace hashrange {

// What the tables of a copy have in common. All outlive a TableStages.
struct CopyParts {
  const CopyRequest& request;
  const PatientCaller& from;
  const PatientCaller* to = nullptr;   // null: a folder
  const FolderCopy* folder = nullptr;  // null: an endpoint
  UnitMeter& reads;                    // at the source
  UnitMeter& writes;                   // at the destination
  UnitMeter& verifying;                // reads at the destination
  const Spending& spending;
  CopyStop& stop;
  CopyStateFile& state;
};

class TableStages {
 public:
  // `table` is the table's number in the state.
  TableStages(const CopyParts& parts, std::size_t table, const PlannedTable& planned);

  // Runs the stages that are left.
  // Errors: as the calls; the state says how far the table has come
  Result<CopiedTable> Run();

 private:
  TableState State() const { return parts_.state.Get().tables[table_]; }
  Status Enter(CopyStage stage);
  Status MakeTable(bool may_exist);
  Status UseTableAtEndpoint(const TableState& table);
  Status CreateTableAtEndpoint(const std::string& target);
  Status SwitchTimeToLiveOn(const std::string& target) const;
  Status NoteIdentity();
  Result<std::unique_ptr<ItemSink>> OpenSink() const;
  Status CopyItems(ItemSink& sink);
  // Notes in the state what was spent. Returns `status`, or the error of the state's file.
  Status NoteSpending(const Status& status) const;
  double MostItemsOfAPage(std::size_t segments) const;
  Status CopySegment(ItemSink& sink, std::size_t segment);
  // Returns whether the destination is equal to what was read. A difference is noted in the state.
  Result<bool> Verify(ItemSink& sink) const;
  CopiedTable WithDifference(CopiedTable copied) const;

  const CopyParts& parts_;
  const std::size_t table_;
  const EndpointTable& source_;
  const CopyUnitPrices source_prices_;
  const CopyUnitPrices destination_prices_;
};

// Checks that there is no table of that name, where there was none when the copy was planned.
// Errors: ValidationException  there is one; or as the call
Status CheckIsFree(const PatientCaller& caller, const std::string& table);

// Returns whether a table has an item.
Result<bool> HasItems(const PatientCaller& caller, const std::string& table);

}  // namespace hashrange
