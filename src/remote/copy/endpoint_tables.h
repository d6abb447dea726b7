// The tables of an endpoint as a copy sees them: their names, their definitions in the form of the
// file table.json of a dump (control/files/table_json.h), and what creates them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "remote/copy/patient_call.h"

namespace hashrange {

// What a table is at an endpoint.
struct EndpointTable {
  // {"Table":{…},"TimeToLiveDescription":{…},"Tags":[…]}, a file table.json; the last two only
  // where they were asked for and there are any.
  std::string definition;
  std::string key;  // for sentences, and to compare: "PK S, SK N"
  // The TableArn, which has account and Region, and the TableId, which a table that was made anew
  // has not: "arn:aws:… 0c5…". Empty where the endpoint does not keep them.
  std::string identity;
  bool has_id = false;          // the identity has a TableId
  std::string status;           // "ACTIVE"
  std::int64_t items = 0;       // as DescribeTable counts them, which may be hours old
  std::int64_t size_bytes = 0;  // likewise
  std::int64_t indexes = 0;     // global and local ones
  std::int64_t vector_indexes = 0;
  bool is_on_demand = false;
  bool is_infrequent_access = false;
  // Sentences about what could not be learned: "the tags of app are not copied: …".
  std::vector<std::string> notes;
};

// Returns the names of all tables, ascending.
// Errors: as PatientCaller::Call; InternalServerError  the answer is no list of names
Result<std::vector<std::string>> ListAllTables(const PatientCaller& caller);

// Returns the table; nullopt when there is none of that name.
Result<std::optional<EndpointTable>> FindEndpointTable(const PatientCaller& caller,
                                                       const std::string& name);

// The same with the table's time to live and its tags.
Result<std::optional<EndpointTable>> FindWholeTable(const PatientCaller& caller,
                                                    const std::string& name);

// Creates a table like `table` under the name `name`, and waits until it is ACTIVE. Encryption
// with a key of its own is left out: a key belongs to one account and Region.
// Errors: as PatientCaller::Call; ValidationException  the definition is wrong
//         ResourceInUseException  there is one already, and not because the answer of an earlier
//                                 attempt was lost
Status CreateTableOf(const PatientCaller& caller, const EndpointTable& table,
                     const std::string& name);

// Waits until a table that was created is ACTIVE.
// Errors: as PatientCaller::Call
//         InternalServerError  the table has another status, or this one as long as the patience
Status WaitUntilActive(const PatientCaller& caller, const std::string& name);

// Switches the time to live on that the definition has, if it has any. Returns whether it has.
Result<bool> EnableTimeToLive(const PatientCaller& caller, const std::string& definition,
                              const std::string& name);

// Returns the definition with another name of its table.
Result<std::string> RenameDefinition(const std::string& definition, const std::string& name);

// Returns whether the definition has encryption with a key of its own.
bool HasOwnKey(const std::string& definition);

}  // namespace hashrange
