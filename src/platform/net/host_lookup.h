// The system's look-up of names of hosts. Any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

namespace hashrange {

// Returns the addresses that the system has for a name, each once. Without an address, the result
// is empty and `*reason` says why.
std::vector<boost::asio::ip::address> LookUpHost(const std::string& host, std::string* reason);

// Makes LookUpHost ask /etc/hosts and DNS only. Other sources that /etc/nsswitch.conf may name are
// shared objects, which a program that is linked statically cannot load safely. Called once, at the
// start of a program.
void UseBuiltInHostLookups();

}  // namespace hashrange
