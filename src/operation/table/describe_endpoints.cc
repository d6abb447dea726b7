// DescribeEndpoints (docs/service/17-global-tables-and-account.md, section E): a client that
// discovers its endpoint gets the Host of its own request. If the request has no valid Host, the
// client gets the name of the service's endpoint.
#include <string>

#include "base/text/text_encodings.h"
#include "operation/call/operations.h"

namespace hashrange {

Status DescribeEndpoints(Context& context, const RequestObject&, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Endpoints");
  answer.BeginObject();
  answer.Name("Address");
  if (context.host.empty() || !IsValidUtf8(context.host)) {
    answer.String(std::string("dynamodb.").append(context.region).append(".amazonaws.com"));
  } else {
    answer.String(context.host);
  }
  answer.IntegerMember("CachePeriodInMinutes", 1440);
  answer.EndObject();
  answer.EndArray();
  answer.EndObject();
  return {};
}

}  // namespace hashrange
