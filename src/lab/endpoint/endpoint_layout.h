// EndpointLayout: the run of one layout at an endpoint. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/endpoint/endpoint_lab.h"
#include "lab/endpoint/prefixed_tables.h"
#include "lab/language/data/population.h"
#include "lab/run/layout_database.h"

namespace hashrange {

class EndpointLayout {
 public:
  // `file`, with prefixed names, `modelled`, the modelled run of the layout, and `options` outlive
  // the object.
  EndpointLayout(const LabFile& file, int layout, const LayoutRun& modelled,
                 const EndpointRunOptions& options);

  // Makes and fills the twin. Returns false when the options' `stop` has become true.
  // Errors: those of TableFill::Run and PlanLayout
  Result<bool> PrepareTwin();
  // Returns the write units that the fill of the twin took; 0 where calls cost nothing.
  double fill_write_units() const { return fill_write_units_; }

  // Makes the tables at the endpoint, fills them, makes the traffic and removes the tables.
  // Precondition: PrepareTwin has returned true.
  EndpointLayoutRun Run(ServiceClient& tables_client, SpendCount& spend,
                        const std::function<void(double)>& progress);

 private:
  const LabLayout& layout() const { return database_.layout(); }
  std::vector<std::string> TableNames() const;
  // What happens between the making and the removing of the tables; an error or `run_` says why it
  // ended early.
  Status RunTables(PrefixedTables& tables, SpendCount& spend,
                   const std::function<void(double)>& progress);
  void RunTraffic(ServiceClient& client, SpendCount& spend,
                  const std::function<void(double)>& progress);

  const LabFile& file_;
  const int number_;
  const LayoutRun& modelled_;
  const EndpointRunOptions& options_;
  LayoutDatabase database_;  // of the twin
  Population population_;
  LayoutPlan plan_ = {};
  double fill_write_units_ = 0;
  std::uint64_t items_ = 0;
  EndpointLayoutRun run_ = {};
};

// Returns a client for the endpoint of the options that sends nothing again by itself.
// Errors: ValidationException  the file of certificates cannot be read
Result<std::unique_ptr<ServiceClient>> OpenEndpointClient(const EndpointRunOptions& options,
                                                          std::size_t connections);

}  // namespace hashrange
