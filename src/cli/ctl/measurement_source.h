// Where `hashrange ctl measure` finds what it works on: a measurement is in a file, or it runs on a
// server and is asked for by its name; options, budgets and prices are always in files. Any thread.
#pragma once

#include <string>

#include "base/result.h"
#include "measure/cost/assessment.h"
#include "measure/cost/budgets.h"
#include "measure/cost/price_list.h"
#include "measure/measurement.h"
#include "remote/client/http_call.h"

namespace hashrange {

// Returns whether the argument means a file: it exists and is no folder, or ends in ".json".
bool IsStoredMeasurement(const std::string& argument);

// Returns the path of the call for the measurement of that name: "/_hashrange/measurements/app".
// Errors: ValidationException  the name is empty: the path would mean all measurements
Result<std::string> MeasurementTarget(const std::string& name);

// Returns the compact JSON of the measurement in the file, or of the one that runs on the server.
// `server` is a call without a method and a target.
// Errors: ValidationException  the file cannot be read or holds no measurement; the sentence has
//         the file's name. Or the argument is empty
//         InternalServerError  there is no server, or it refuses
Result<std::string> LoadMeasurementJson(const std::string& argument, const HttpCall& server);

// Returns the measurement itself.
// Errors: as LoadMeasurementJson; InternalServerError also when the server's answer is no
//         measurement
Result<Measurement> LoadMeasurement(const std::string& argument, const HttpCall& server);

// Returns the measurement in the file.
// Errors: ValidationException  the file cannot be read or holds no measurement
Result<Measurement> LoadStoredMeasurement(const std::string& file);

// Returns the options in the file; the usual ones when `file` is empty.
// Errors: ValidationException  the file cannot be read or holds no options
Result<AssessmentOptions> LoadAssessmentOptions(const std::string& file);

// Returns the budgets in the file.
// Errors: ValidationException  the file cannot be read or holds no budgets
Result<Budgets> LoadBudgets(const std::string& file);

// Returns the price list in the file.
// Errors: ValidationException  the file cannot be read or holds no price list
Result<PriceList> LoadPriceList(const std::string& file);

}  // namespace hashrange
