// A destination of a table: the Kinesis stream to which the table's changes are sent
// (docs/service/17-global-tables-and-account.md, section B). A plain value of the table's settings.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

enum class DestinationStatus : std::uint8_t {
  kEnabling,
  kActive,
  kDisabling,
  kDisabled,
  kEnableFailed,
  kUpdating,
};

// The unit of the times in the records.
enum class TimePrecision : std::uint8_t { kMillisecond, kMicrosecond };

struct KinesisDestination {
  std::string stream_arn;
  TimePrecision precision = TimePrecision::kMillisecond;
  // The status when the last change is complete: kActive, kDisabled or kEnableFailed. Changes of
  // items are sent from the moment on at which this is kActive.
  DestinationStatus settled = DestinationStatus::kActive;
  // The last change: it began at `changed_epoch_ms`, and clients see it as kEnabling, kDisabling or
  // kUpdating for as long as a table is UPDATING.
  DestinationStatus change = DestinationStatus::kEnabling;
  std::int64_t changed_epoch_ms = 0;

  bool operator==(const KinesisDestination&) const = default;
};

}  // namespace hashrange
