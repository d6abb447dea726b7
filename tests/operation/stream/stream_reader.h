// StreamReader reads a stream through the API, as a client would. For one thread.
//
//   StreamReader reader(api, "app");                      // the table's latest stream
//   reader.Expect(R"([{"eventName":"INSERT",…}])");       // all of its records
#pragma once

#include <string>
#include <string_view>

#include "support/api.h"

namespace hashrange::test {

// Returns the text of the value at the end of a path like "Table/LatestStreamArn" in a JSON text;
// an element of an array is named by its number. Empty: there is no such value.
std::string TextAt(std::string_view json, std::string_view path);

class StreamReader {
 public:
  StreamReader(Api& api, std::string_view table);

  const std::string& arn() const { return arn_; }
  std::string ShardId(int shard = 0);

  // Returns a request to GetShardIterator. `more`: further members of the request, like
  // R"("SequenceNumber":"1")".
  std::string IteratorRequest(std::string_view type, std::string_view more = "", int shard = 0);
  std::string Iterator(std::string_view type, std::string_view more = "", int shard = 0);

  static std::string RecordsRequest(std::string_view iterator, int limit = 1000);

  struct Page {
    // A JSON array, without the members that differ from run to run (eventID) and those that are
    // the same in all records (eventVersion, eventSource, awsRegion). Read checks them.
    std::string records;
    int count = 0;
    std::string next;  // NextShardIterator; empty: absent
  };
  Page Read(std::string_view iterator, int limit = 1000);

  // Expects that the first shard has exactly these records, the oldest first.
  void Expect(std::string_view records);

 private:
  Api& api_;
  std::string arn_;
};

}  // namespace hashrange::test
