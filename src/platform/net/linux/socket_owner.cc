#include "platform/net/socket_owner.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "platform/net/linux/socket_list.h"

namespace hashrange {
namespace {

namespace ip = boost::asio::ip;

// Returns the address and port as the kernel lists them, "0100007F:1F90": the address in words of
// 32 bits, each in the byte order of the machine.
template <typename Bytes>
std::string AsListed(const Bytes& address, std::uint16_t port) {
  std::string text;
  char piece[16];
  for (std::size_t at = 0; at < address.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, address.data() + at, sizeof(word));
    std::snprintf(piece, sizeof(piece), "%08X", word);
    text += piece;
  }
  std::snprintf(piece, sizeof(piece), ":%04X", port);
  return text += piece;
}

std::string AsListed(const ip::tcp::endpoint& end) {
  return end.address().is_v4() ? AsListed(end.address().to_v4().to_bytes(), end.port())
                               : AsListed(end.address().to_v6().to_bytes(), end.port());
}

bool IsIPv4(const ip::tcp::endpoint& end) {
  return end.address().is_v4() || end.address().to_v6().is_v4_mapped();
}

ip::tcp::endpoint AsIPv4(const ip::tcp::endpoint& end) {
  if (end.address().is_v4()) return end;
  return {ip::make_address_v4(ip::v4_mapped, end.address().to_v6()), end.port()};
}

ip::tcp::endpoint AsIPv6(const ip::tcp::endpoint& end) {
  if (end.address().is_v6()) return end;
  return {ip::make_address_v6(ip::v4_mapped, end.address().to_v4()), end.port()};
}

void CopyAddress(const ip::address& from, __be32 (&to)[4]) {
  if (from.is_v4()) {
    const auto bytes = from.to_v4().to_bytes();
    std::memcpy(to, bytes.data(), bytes.size());
  } else {
    const auto bytes = from.to_v6().to_bytes();
    std::memcpy(to, bytes.data(), bytes.size());
  }
}

// Asks the kernel for one socket, which takes some microseconds, however many there are. Returns
// nothing when the socket has no owner, and also where the kernel, or a sandbox, leaves such
// questions unanswered.
std::optional<unsigned> AskForOwner(const ip::tcp::endpoint& own, const ip::tcp::endpoint& other) {
  struct {
    nlmsghdr head;
    inet_diag_req_v2 question;
  } request{};
  request.head.nlmsg_len = sizeof(request);
  request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.head.nlmsg_flags = NLM_F_REQUEST;
  request.question.sdiag_family = static_cast<__u8>(own.protocol().family());
  request.question.sdiag_protocol = IPPROTO_TCP;
  request.question.idiag_states = ~0u;
  inet_diag_sockid& id = request.question.id;
  id.idiag_sport = htons(own.port());
  id.idiag_dport = htons(other.port());
  CopyAddress(own.address(), id.idiag_src);
  CopyAddress(other.address(), id.idiag_dst);
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;

  const int kernel = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel < 0) return std::nullopt;
  alignas(nlmsghdr) char bytes[1024];
  // The kernel has answered when the question is sent.
  const bool is_sent = ::send(kernel, &request, sizeof(request), 0) == sizeof(request);
  const ssize_t count = is_sent ? ::recv(kernel, bytes, sizeof(bytes), MSG_DONTWAIT) : -1;
  ::close(kernel);
  nlmsghdr head{};
  inet_diag_msg found{};
  if (count < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(found)))) return std::nullopt;
  std::memcpy(&head, bytes, sizeof(head));
  std::memcpy(&found, bytes + NLMSG_LENGTH(0), sizeof(found));
  // Without such a connection, the kernel may answer with a socket that listens on the same port.
  const bool is_it = head.nlmsg_type == SOCK_DIAG_BY_FAMILY && found.idiag_inode != 0 &&
                     found.id.idiag_sport == id.idiag_sport &&
                     found.id.idiag_dport == id.idiag_dport;
  return is_it ? std::optional<unsigned>(found.idiag_uid) : std::nullopt;
}

std::optional<unsigned> ReadOwner(const ip::tcp::endpoint& own, const ip::tcp::endpoint& other) {
  if (IsIPv4(own)) {
    std::ifstream list("/proc/net/tcp");
    if (const auto owner = SocketOwner(list, AsIPv4(own), AsIPv4(other))) return owner;
  }
  std::ifstream list("/proc/net/tcp6");
  return SocketOwner(list, AsIPv6(own), AsIPv6(other));
}

// Returns whether `user` is the number that stands for all users that this user namespace does not
// know.
bool IsShownForUnknownUsers(unsigned user) {
  constexpr unsigned kOverflowUser = 65534;
  if (user != kOverflowUser) return false;
  std::ifstream map("/proc/self/uid_map");
  std::uint64_t first = 0, outside = 0, count = 0;
  map >> first >> outside >> count;
  return count != UINT32_MAX;
}

}  // namespace

std::optional<unsigned> SocketOwner(std::istream& list, const ip::tcp::endpoint& own,
                                    const ip::tcp::endpoint& other) {
  const std::string ends = " " + AsListed(own) + " " + AsListed(other) + " ";
  for (std::string line; std::getline(list, line);) {
    const std::size_t at = line.find(ends);
    if (at == std::string::npos) continue;
    std::istringstream rest(line.substr(at + ends.size()));
    std::string state, queues, timer, retransmits;
    unsigned user = 0;
    std::uint64_t timeout = 0, inode = 0;
    rest >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
    if (rest && inode != 0) return user;
  }
  return std::nullopt;
}

PeerUser FindPeerUser(const ip::tcp::endpoint& peer, const ip::tcp::endpoint& local) {
  std::optional<unsigned> owner = AskForOwner(peer, local);
  // A kernel that knows this end has answered the question for the other end, too. Then the list is
  // not read: a program that closes its connections at once would make each call read it in vain.
  if (!owner && AskForOwner(local, peer)) return PeerUser::kOther;
  // The list may change while it is read, and a row may be missed.
  constexpr int kTries = 2;
  for (int i = 0; i < kTries && !owner; ++i) owner = ReadOwner(peer, local);
  if (!owner) return ReadOwner(local, peer) ? PeerUser::kOther : PeerUser::kUnknown;
  const bool is_own = *owner == 0 || (*owner == geteuid() && !IsShownForUnknownUsers(*owner));
  return is_own ? PeerUser::kOwn : PeerUser::kOther;
}

}  // namespace hashrange
