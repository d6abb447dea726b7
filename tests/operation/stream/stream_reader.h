// StreamReader: a stream read through the API, as a client would.
//
//   StreamReader reader(api, "app");                      // the table's latest stream
//   reader.Expect(R"([{"eventName":"INSERT",…}])");       // all of its records
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/api.h"

namespace hashrange::test {

// The text of a member of a JSON object, at the end of a path like "Table/LatestStreamArn";
// an element of an array by its number. Empty where there is none.
std::string TextAt(std::string_view json, std::string_view path);

class StreamReader {
 public:
  StreamReader(Api& api, std::string_view table);

  const std::string& arn() const { return arn_; }
  std::string ShardId(int shard = 0);

  // `more`: members of the request, like R"("SequenceNumber":"1")".
  std::string IteratorRequest(std::string_view type, std::string_view more = "", int shard = 0);
  std::string Iterator(std::string_view type, std::string_view more = "", int shard = 0);

  static std::string RecordsRequest(std::string_view iterator, int limit = 1000);

  struct Page {
    // Without what differs from run to run: eventID; and without what is the same in
    // all: eventVersion, eventSource, awsRegion. Each is checked.
    std::string records;
    int count = 0;
    std::string next;  // empty: absent
  };
  Page Read(std::string_view iterator, int limit = 1000);

  // All records of the first shard from the oldest on are these.
  void Expect(std::string_view records);

 private:
  Api& api_;
  std::string arn_;
};

}  // namespace hashrange::test
