#include "operation/table/resource_arn.h"

#include <string>

#include "engine/stream/stream_set.h"
#include "operation/call/invalid_parameters.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

Error InvalidResource(std::string_view arn) {
  return ValidationError("Invalid TableArn: Invalid ResourceArn provided as input " +
                         std::string(arn));
}

// Returns the text before the next ':' and removes both from the beginning of `*rest`.
std::string_view TakePart(std::string_view* rest) {
  const std::string_view part = rest->substr(0, rest->find(':'));
  rest->remove_prefix(part.size() < rest->size() ? part.size() + 1 : part.size());
  return part;
}

// Reads the text after the table's name and '/': only "stream/<label>" is accepted.
Status ReadBelowTable(std::string_view below, ResourceArn* resource) {
  constexpr std::string_view kStream = "stream/";
  if (below.starts_with(kStream) && below.size() > kStream.size()) {
    resource->stream_label = below.substr(kStream.size());
    return {};
  }
  if (below.starts_with("index/")) {
    return InvalidParameters(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
        std::string(resource->arn));
  }
  return InvalidParameters("Provided Arn is not a DynamoDB resource arn: " +
                           std::string(resource->arn));
}

}  // namespace

Result<ResourceArn> ParseResourceArn(const Context& context, std::string_view arn) {
  if (!arn.starts_with("arn:")) {
    return InvalidParameters("ARNs must start with 'arn:': " + std::string(arn));
  }
  constexpr std::string_view kTable = "table/";
  std::string_view rest = arn.substr(4);
  const std::string_view partition = TakePart(&rest);
  const std::string_view service = TakePart(&rest);
  const std::string_view region = TakePart(&rest);
  const std::string_view account = TakePart(&rest);
  if (service != "dynamodb" || !rest.starts_with(kTable)) {
    return InvalidParameters("Provided Arn is not a DynamoDB resource arn: " + std::string(arn));
  }
  rest.remove_prefix(kTable.size());
  ResourceArn resource{arn, rest.substr(0, rest.find('/')), {}};
  if (resource.table.size() < rest.size()) {
    HR_RETURN_IF_ERROR(ReadBelowTable(rest.substr(resource.table.size() + 1), &resource));
  }
  // The service checks the account before the Region.
  if (account != context.account.account_id) {
    return Error{ErrorCode::kAccessDeniedException, "Access is denied", nullptr};
  }
  const bool is_table_name = resource.table.size() >= 3 && resource.table.size() <= 255;
  if (partition != "aws" || region != context.region || !is_table_name) return InvalidResource(arn);
  return resource;
}

std::shared_ptr<TagSet> FindTags(const Context& context, const ResourceArn& resource) {
  if (!resource.stream_label.empty()) {
    const StreamRef stream = context.streams.Find(context.account, resource.arn);
    return stream ? std::shared_ptr<TagSet>(stream, &stream->tags()) : nullptr;
  }
  const TableRef table = FindSettled(context, resource.table);
  if (!table || table->status() == ResourceStatus::kCreating) return nullptr;
  return table->status() == ResourceStatus::kDeleting ? nullptr : table->tags;
}

}  // namespace hashrange
