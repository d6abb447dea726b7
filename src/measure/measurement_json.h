// The JSON of a Measurement: what measurement.def lists, by its names. Pure functions; any thread.
#pragma once

#include <string>

#include "base/result.h"
#include "measure/measurement.h"
#include "simulation/partitions/partition_map.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes every member. A Distribution is written with its percentiles, which reading ignores.
void WriteMeasurement(const Measurement& measurement, JsonWriter& writer);
// Writes every member of one element of Measurement::partitions.
void WritePartitionMap(const PartitionMap& map, JsonWriter& writer);

// Returns the measurement. Members that are missing keep their defaults, unknown members are
// ignored.
// Errors: ValidationException  `json` is no measurement, or one of another version; or a member has
//         another type, is negative or too great, or is not in order; the sentence names the
//         member. Or its lists are longer than what comes from elsewhere may have
//         (docs/control-api.md)
Result<Measurement> ReadMeasurement(const JsonValue& json);

// Returns one element of Measurement::partitions.
// Errors: ValidationException  `json` is no such object; or a member has another type, is negative
//         or too great, or is not in order; the sentence names the member
Result<PartitionMap> ReadPartitionMap(const JsonValue& json);

// Errors: as ParseJsonData and ReadMeasurement
Result<Measurement> ReadMeasurementText(std::string text);

// Returns the measurement of a database of this process, whose lists may have any length.
// Errors: as ReadMeasurementText, the lengths aside
Result<Measurement> ReadOwnMeasurement(std::string text);

}  // namespace hashrange
