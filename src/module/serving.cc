// hashrange.wasm as a server: HostedServer behind functions that a host with sockets calls
// (clients/js/lib/module-server.cjs). server/hosted/hosted_server.h says what each does, and when
// the host calls it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "module/module_state.h"
#include "server/hosted/hosted_server.h"

namespace hashrange {
namespace {

// What the last function found that returns more than a number.
struct Found {
  std::span<char> room;
  std::span<const HostedServer::Handle> to_close;
};

Found& LastFound() {
  static Found found;
  return found;
}

HostedServer& TheServer() { return *TheModule().server; }

// Returns the lines of a text without a line's end at its own end; none of an empty text.
std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace
}  // namespace hashrange

using hashrange::HostedServer;
using hashrange::InputTexts;
using hashrange::LastFound;
using hashrange::Lines;
using hashrange::TheModule;
using hashrange::TheServer;

// Serves the database: the input has the control token, the origins and the host names, one a line
// (HostedServer::Options). Returns whether there was memory for the server.
HR_EXPORT(hashrange_serve)
(std::size_t token_bytes, std::size_t cors_bytes, std::size_t hosts_bytes,
 bool answers_root_with_400, double request_memory_bytes, int max_connections)
    ->bool {
  try {
    InputTexts texts(TheModule().input);
    HostedServer::Options options;
    options.control_token = texts.Next(token_bytes);
    options.cors = Lines(texts.Next(cors_bytes));
    options.allowed_hosts = Lines(texts.Next(hosts_bytes));
    options.answers_root_with_400 = answers_root_with_400;
    options.request_memory_bytes = static_cast<std::int64_t>(request_memory_bytes);
    options.max_connections = max_connections;
    TheModule().server = std::make_unique<HostedServer>(*TheModule().database, options);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// The host listens: the input has the endpoints. Returns whether there was memory for this.
HR_EXPORT(hashrange_listens)(int port, bool is_loopback_only)->bool {
  try {
    TheServer().Listens(TheModule().input, static_cast<std::uint16_t>(port), is_loopback_only);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

HR_EXPORT(hashrange_is_full)()->bool { return TheServer().is_full(); }
HR_EXPORT(hashrange_connect)(bool is_loopback_peer)->HostedServer::Handle {
  return TheServer().Open(is_loopback_peer);
}
HR_EXPORT(hashrange_displaced)()->HostedServer::Handle { return TheServer().displaced(); }
HR_EXPORT(hashrange_disconnect)(HostedServer::Handle connection)->void {
  TheServer().Close(connection);
}

// Returns how many bytes there is room for.
HR_EXPORT(hashrange_find_room)(HostedServer::Handle connection)->std::size_t {
  LastFound().room = TheServer().Room(connection);
  return LastFound().room.size();
}
HR_EXPORT(hashrange_room)()->char* { return LastFound().room.data(); }

// These four return a HostedServer::Next.
HR_EXPORT(hashrange_receive)(HostedServer::Handle connection, std::size_t bytes)->int {
  return static_cast<int>(TheServer().Receive(connection, bytes));
}
HR_EXPORT(hashrange_serve_rest)(HostedServer::Handle connection)->int {
  return static_cast<int>(TheServer().Serve(connection));
}
HR_EXPORT(hashrange_send_held)(HostedServer::Handle connection)->int {
  return static_cast<int>(TheServer().SendHeld(connection));
}
HR_EXPORT(hashrange_sent)(HostedServer::Handle connection)->int {
  return static_cast<int>(TheServer().Sent(connection));
}
HR_EXPORT(hashrange_output_bytes)()->std::size_t { return TheServer().output().size(); }
HR_EXPORT(hashrange_output)()->const char* { return TheServer().output().data(); }
HR_EXPORT(hashrange_hold_ms)(HostedServer::Handle connection)->double {
  return static_cast<double>(TheServer().hold_ms(connection));
}

HR_EXPORT(hashrange_count_unsent)
(HostedServer::Handle connection, std::size_t bytes)->void {
  TheServer().CountUnsent(connection, bytes);
}
HR_EXPORT(hashrange_peer_has_ended)(HostedServer::Handle connection)->void {
  TheServer().PeerHasEnded(connection);
}

// These two return the number of connections that the host closes: their handles, of 32 bits, are
// where hashrange_to_close says.
HR_EXPORT(hashrange_tick)()->std::size_t {
  return (LastFound().to_close = TheServer().Tick()).size();
}
HR_EXPORT(hashrange_drain)()->std::size_t {
  return (LastFound().to_close = TheServer().Drain()).size();
}
HR_EXPORT(hashrange_to_close)()->const HostedServer::Handle* { return LastFound().to_close.data(); }
HR_EXPORT(hashrange_tick_ms)()->double { return static_cast<double>(TheServer().tick_ms()); }
