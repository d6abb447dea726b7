#include "hashrange/server.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/raw_client.h"

namespace hashrange {
namespace {

constexpr char kSigned[] =
    "X-Amz-Target: DynamoDB_20120810.ListTables\r\nX-Amz-Date: 20260101T000000Z\r\n"
    "Authorization: AWS4-HMAC-SHA256 Credential=111122223333/20260101/eu-west-1/dynamodb/"
    "aws4_request, SignedHeaders=host, Signature=00\r\n";

TEST(Server, ServesTheTablesOfItsDatabase) {
  Database database;
  ASSERT_TRUE(database
                  .Call("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})",
                        {"111122223333", "eu-west-1"})
                  .ok());
  std::string error;
  const auto server = Server::Start(database, {.port = 0, .threads = 1}, &error);
  ASSERT_EQ(error, "");
  RawClient client(server->port());
  client.Send(Post("{}", kSigned));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer(R"({"TableNames":["app"]})"));
}

TEST(Server, ListensAfterListenIsCalled) {
  Database database;
  std::string error;
  const auto server = Server::Bind(database, {.port = 0, .threads = 1}, &error);
  ASSERT_EQ(error, "");
  EXPECT_NE(server->port(), 0);
  ASSERT_TRUE(server->Listen(&error)) << error;
  RawClient client(server->port());
  client.Send(Post("{}", kSigned));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer(R"({"TableNames":[]})"));
}

TEST(Server, SaysWhyItDoesNotStart) {
  Database database;
  std::string error;
  const auto server = Server::Start(database, {.port = 0}, &error);
  ASSERT_EQ(error, "");
  EXPECT_EQ(Server::Start(database, {.port = server->port()}, &error), nullptr);
  EXPECT_EQ(error, "port " + std::to_string(server->port()) +
                       " on 127.0.0.1 is taken by another program (choose one with --port)");
  EXPECT_EQ(Server::Start(database, {.port = 0, .files = {"/no/such/folder"}}, &error), nullptr);
  EXPECT_EQ(error, "there is no folder /no/such/folder");
  EXPECT_EQ(Server::Start(database, {.port = 0, .console = "maybe"}, &error), nullptr);
  EXPECT_EQ(error, "the console is on, read-only or off, not maybe");
}

TEST(Server, TheControlApiSaysWhetherThereIsAConsole) {
  Database database;
  EXPECT_TRUE(database.Control("GET", "").body.ends_with(R"(,"tables":0,"console":"off"})"));
  for (const std::string console : {"on", "read-only", "off"}) {
    std::string error;
    const auto server =
        Server::Start(database, {.port = 0, .threads = 1, .console = console}, &error);
    ASSERT_EQ(error, "");
    RawClient client(server->port());
    client.Send("GET /_hashrange/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(client.ReadAnswer().ends_with(",\"tables\":0,\"console\":\"" + console + "\"}"));
  }
}

TEST(Server, OptionsNameOriginsAndHosts) {
  Database database;
  std::string error;
  const auto server = Server::Start(
      database,
      {.port = 0, .threads = 1, .cors = {"http://app.example"}, .allowed_hosts = {"db.example"}},
      &error);
  ASSERT_EQ(error, "");
  RawClient client(server->port());
  for (const auto& [fields, status] :
       {std::pair("Host: db.example\r\nOrigin: http://app.example\r\n", "200"),
        {"Host: db.example\r\nOrigin: http://other.example\r\n", "403"},
        {"Host: other.example\r\n", "403"}}) {
    client.Send("GET / HTTP/1.1\r\n" + std::string(fields) + "\r\n");
    EXPECT_EQ(client.ReadAnswer().substr(9, 3), status) << fields;
  }
  EXPECT_EQ(server->endpoints().front(), server->endpoint());
}

}  // namespace
}  // namespace hashrange
