#include "platform/net/socket_owner.h"

#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "platform/net/linux/socket_list.h"

namespace hashrange {
namespace {

namespace ip = boost::asio::ip;
using tcp = ip::tcp;

constexpr char kHead[] =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n";

tcp::endpoint End(const char* address, unsigned short port) {
  return {ip::make_address(address), port};
}

int OwnerIn(const std::string& rows, const tcp::endpoint& own, const tcp::endpoint& other) {
  std::istringstream list(kHead + rows);
  const auto owner = SocketOwner(list, own, other);
  return owner ? static_cast<int>(*owner) : -1;
}

std::string Row(const std::string& ends, int user, int inode, const std::string& state = "01") {
  return "   0: " + ends + " " + state + " 00000000:00000000 00:00000000 00000000 " +
         std::to_string(user) + "        0 " + std::to_string(inode) + " 1 0000000000000000 20 4\n";
}

TEST(SocketOwner, IsFoundByBothEnds) {
  const auto own = End("127.0.0.1", 40000), other = End("127.0.0.1", 8000);
  const std::string listening = Row("0100007F:1F40 00000000:0000", 0, 7, "0A");
  const std::string server = Row("0100007F:1F40 0100007F:9C40", 0, 8);
  const std::string client = Row("0100007F:9C40 0100007F:1F40", 1000, 9);
  const std::string elsewhere = Row("0100007F:9C40 0200007F:1F40", 1001, 9);
  EXPECT_EQ(OwnerIn(listening + server + elsewhere + client, own, other), 1000);
  EXPECT_EQ(OwnerIn(listening + server + elsewhere, own, other), -1);
  EXPECT_EQ(OwnerIn("", own, other), -1);
}

TEST(SocketOwner, ASocketWithoutAProcessHasNoOwner) {
  const auto own = End("127.0.0.1", 40000), other = End("127.0.0.1", 8000);
  EXPECT_EQ(OwnerIn(Row("0100007F:9C40 0100007F:1F40", 0, 0, "06"), own, other), -1);
  EXPECT_EQ(OwnerIn(Row("0100007F:9C40 0100007F:1F40", 0, 0, "04"), own, other), -1);
  EXPECT_EQ(OwnerIn("   0: 0100007F:9C40 0100007F:1F40 01 00000000\n", own, other), -1);
}

TEST(SocketOwner, IsFoundByIPv6) {
  const std::string one = "00000000000000000000000001000000";
  EXPECT_EQ(
      OwnerIn(Row(one + ":9C40 " + one + ":1F40", 33, 5), End("::1", 40000), End("::1", 8000)), 33);
  const std::string mapped = "0000000000000000FFFF00000100007F";
  EXPECT_EQ(OwnerIn(Row(mapped + ":9C40 " + mapped + ":1F40", 34, 5),
                    End("::ffff:127.0.0.1", 40000), End("::ffff:127.0.0.1", 8000)),
            34);
}

// Connections to an acceptor of this process; the tests look for the owner of the other end.
class SocketOwnerTest : public testing::TestWithParam<const char*> {
 protected:
  SocketOwnerTest() : acceptor_(io_), client_(io_), server_(io_) {}

  bool Connect() {
    boost::system::error_code error;
    acceptor_.open(End(GetParam(), 0).protocol(), error);
    if (!error) acceptor_.bind(End(GetParam(), 0), error);
    if (error) return false;  // without IPv6
    acceptor_.listen();
    client_.connect(acceptor_.local_endpoint());
    acceptor_.accept(server_);
    return true;
  }
  PeerUser User() { return FindPeerUser(server_.remote_endpoint(), server_.local_endpoint()); }

  boost::asio::io_context io_;
  tcp::acceptor acceptor_;
  tcp::socket client_, server_;
};

TEST_P(SocketOwnerTest, AConnectionFromThisProcessIsOfItsUser) {
  if (!Connect()) GTEST_SKIP() << "there is no such address";
  EXPECT_EQ(User(), PeerUser::kOwn);
}

TEST_P(SocketOwnerTest, AClosedEndIsNotTrusted) {
  if (!Connect()) GTEST_SKIP() << "there is no such address";
  const auto peer = server_.remote_endpoint();
  client_.close();
  EXPECT_EQ(FindPeerUser(peer, server_.local_endpoint()), PeerUser::kOther);
}

// Returns how many bytes this process has read from files, with those that this takes.
std::int64_t ReadBytes() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  std::int64_t bytes = 0;
  counts >> name >> bytes;
  return bytes;
}

// Reading the list takes some milliseconds, and a client could make each of its calls cost that.
TEST_P(SocketOwnerTest, ForAClosedEndTheListIsNotRead) {
  const int kernel = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel < 0) GTEST_SKIP() << "the kernel answers no questions for a socket";
  close(kernel);
  if (!Connect()) GTEST_SKIP() << "there is no such address";
  const auto peer = server_.remote_endpoint();
  client_.close();
  const std::int64_t start = ReadBytes();
  const std::int64_t of_count = ReadBytes() - start;
  EXPECT_EQ(FindPeerUser(peer, server_.local_endpoint()), PeerUser::kOther);
  constexpr std::int64_t kLeastList = 150;  // the first line
  EXPECT_LT(ReadBytes() - start, 2 * of_count + kLeastList / 2);
}

TEST_P(SocketOwnerTest, OfAConnectionOfWhichNeitherEndIsListedNothingIsKnown) {
  if (!Connect()) GTEST_SKIP() << "there is no such address";
  const tcp::endpoint nobody(server_.local_endpoint().address(), 1);
  EXPECT_EQ(FindPeerUser(nobody, server_.local_endpoint()), PeerUser::kUnknown);
}

// A socket that listens where the peer was is not the peer.
TEST_P(SocketOwnerTest, AListeningSocketIsNotThePeer) {
  if (!Connect()) GTEST_SKIP() << "there is no such address";
  const auto listening = acceptor_.local_endpoint();
  EXPECT_EQ(FindPeerUser(listening, tcp::endpoint(listening.address(), 1)), PeerUser::kUnknown);
}

TEST_P(SocketOwnerTest, AConnectionOfAnotherUserIsNotOfThisUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may make one";
  if (!Connect()) GTEST_SKIP() << "there is no such address";
  client_.close();
  server_.close();
  int wait[2];
  ASSERT_EQ(pipe(wait), 0);
  const auto at = acceptor_.local_endpoint();
  const pid_t child = fork();
  if (child == 0) {
    close(wait[1]);
    char never;
    const bool is_other = setgid(4242) == 0 && setuid(4242) == 0;
    const int socket = ::socket(at.data()->sa_family, SOCK_STREAM, 0);
    if (is_other && connect(socket, at.data(), static_cast<socklen_t>(at.size())) == 0) {
      (void)!read(wait[0], &never, 1);
    }
    _exit(0);
  }
  acceptor_.accept(server_);
  EXPECT_EQ(User(), PeerUser::kOther);
  close(wait[0]);
  close(wait[1]);
  waitpid(child, nullptr, 0);
}

INSTANTIATE_TEST_SUITE_P(Addresses, SocketOwnerTest, testing::Values("127.0.0.1", "::1"));

}  // namespace
}  // namespace hashrange
