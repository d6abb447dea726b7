#include "http/socket_owner.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

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

std::optional<unsigned> FindOwner(const ip::tcp::endpoint& own, const ip::tcp::endpoint& other) {
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
  // The list may change while it is read, and a row may be missed.
  constexpr int kTries = 2;
  for (int i = 0; i < kTries; ++i) {
    const auto owner = FindOwner(peer, local);
    if (!owner) continue;
    const bool is_own = *owner == 0 || (*owner == geteuid() && !IsShownForUnknownUsers(*owner));
    return is_own ? PeerUser::kOwn : PeerUser::kOther;
  }
  return FindOwner(local, peer) ? PeerUser::kOther : PeerUser::kUnknown;
}

}  // namespace hashrange
