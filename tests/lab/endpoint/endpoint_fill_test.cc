#include "lab/endpoint/endpoint_fill.h"

#include <gtest/gtest.h>

#include "endpoint_server.h"
#include "lab/endpoint/endpoint_layout.h"

namespace hashrange {
namespace {

class EndpointFillTest : public EndpointServerTest {};

TEST_F(EndpointFillTest, ATwinThatCannotBeReadIsAnError) {
  const LabFile file = lab_run_test::FileOf(R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 1/s}}
layouts: {only: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
)");
  LayoutDatabase twin(file, file.layouts[0], nullptr);  // without tables
  const auto client = OpenEndpointClient(options_, 1);
  ASSERT_TRUE(client.ok()) << client.error().message;
  SpendCount spend(std::nullopt);
  EndpointFill fill({**client, twin, spend, options_.limits});
  const auto is_filled = fill.Run([](std::uint64_t) {});
  ASSERT_FALSE(is_filled.ok());
  EXPECT_TRUE(is_filled.error().message.starts_with("The twin of things cannot be read: {"))
      << is_filled.error().message;
}

}  // namespace
}  // namespace hashrange
