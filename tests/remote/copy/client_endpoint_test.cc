#include "remote/copy/client_endpoint.h"

#include <memory>

#include "hashrange/server.h"
#include "remote/copy/copy_fixture.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

class ClientEndpointTest : public CopyTest {
 protected:
  static std::unique_ptr<Server> Serve(Database& database) {
    std::string error;
    auto server = Server::Start(database, {.host = "127.0.0.1", .port = 0, .threads = 1}, &error);
    EXPECT_EQ(error, "");
    return server;
  }
  static std::unique_ptr<ClientEndpoint> Open(const std::string& url, const std::string& region) {
    auto endpoint = ClientEndpoint::Open({.url = *ParseEndpointUrl(url), .region = region});
    EXPECT_TRUE(endpoint.ok()) << endpoint.error().message;
    return std::move(*endpoint);
  }
};

TEST_F(ClientEndpointTest, TablesAreCopiedOverHttp) {
  const auto from_server = Serve(source_);
  const auto to_server = Serve(destination_);
  const auto from = Open(from_server->endpoint(), "us-east-1");
  const auto to = Open(to_server->endpoint(), "us-east-1");
  request_.from = from.get();
  request_.to = to.get();
  EXPECT_EQ(Failure(), "there are no tables at " + from_server->endpoint() + " (us-east-1)");
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Fill(source_, "app", 300);
  AddFaults(destination_,
            R"([{"match":{"operation":"BatchWriteItem","every":3},"do":{"drop":"after"}}])");
  EXPECT_THAT(Copied(), ElementsAre("app>app 300 verified"));
  EXPECT_EQ(Items(destination_, "app"), Items(source_, "app"));
}

TEST_F(ClientEndpointTest, TheRegionIsInTheName) {
  EXPECT_EQ(Open("http://127.0.0.1:8000", "eu-west-1")->name(),
            "http://127.0.0.1:8000 (eu-west-1)");
}

TEST_F(ClientEndpointTest, WhoDoesNotAnswerIsNamed) {
  auto server = Serve(source_);
  const std::string url = server->endpoint();
  server.reset();
  const auto from = Open(url, "us-east-1");
  request_.from = from.get();
  EXPECT_THAT(Failure(), testing::StartsWith(url + " does not answer: "));
}

}  // namespace
}  // namespace hashrange
