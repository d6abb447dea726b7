#include "mcp/mcp_messages.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/owned_json.h"

namespace hashrange {
namespace {

TEST(JsonRpc, ErrorsHaveDataOnlyWhereThereAreAny) {
  EXPECT_EQ(RpcError("7", RpcCode::kInvalidParams, "a \"b\""),
            R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"a \"b\""}})");
  EXPECT_EQ(RpcError("null", RpcCode::kInternalError, "x", R"({"a":1})"),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x","data":{"a":1}}})");
}

TEST(JsonRpc, NotificationsHaveNoId) {
  EXPECT_EQ(RpcNotification("a/b", "{}"), R"({"jsonrpc":"2.0","method":"a/b","params":{}})");
}

TEST(JsonRpc, AMessageKeepsItsParams) {
  const auto json = OwnedJson::Parse(R"({"jsonrpc":"2.0","id":"x","method":"m","params":{"a":1}})",
                                     JsonDialect::kDocument);
  ASSERT_TRUE(json.ok());
  const RpcMessage message = ReadRpcMessage(json->value());
  EXPECT_EQ(message.kind, RpcMessage::Kind::kRequest);
  EXPECT_EQ(message.id, R"("x")");
  EXPECT_EQ(message.method, "m");
  ASSERT_TRUE(message.params);
  EXPECT_EQ(message.params->Find("a")->string(), "1");
}

}  // namespace
}  // namespace hashrange
