// RawClient: a blocking socket that sends raw bytes and reads raw answers. Every wait ends after
// ten seconds, so that a server that hangs makes a test fail and not hang.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

class RawClient {
 public:
  // `receive_buffer_bytes`: how much the system keeps for the client; 0: the system's choice.
  explicit RawClient(std::uint16_t port, int receive_buffer_bytes = 0);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // Returns false when the server takes no more.
  bool Send(std::string_view bytes);
  // Ends the sending side of the connection.
  void EndSending();
  // Returns one answer with Content-Length: its head and body, with the request id replaced by
  // "<id>" and the date by "<date>". If the connection ends before, returns what has arrived.
  std::string ReadAnswer();
  // Reads and drops at most `most` bytes. Returns how many it has read; 0 at the end.
  std::size_t Drop(std::size_t most);
  // Returns everything up to the end of the connection.
  std::string ReadToEnd();

 private:
  bool ReadMore();

  int socket_;
  std::string received_;
};

// Returns `text` with each valid request id replaced by "<id>" and each date by "<date>".
std::string WithoutIdsAndDates(std::string text);

// Returns a POST of `body` with the JSON content type; `fields` are whole header lines.
std::string Post(std::string_view body, std::string_view fields = "");
// Returns the answer of status 200 to a Post: echoed body, its CRC, Content-Type application/json.
std::string OkAnswer(std::string_view body, std::string_view fields = "");
// Returns the answer to a request that was not read, with a body for SDKs. `status` is a text such
// as "400 Bad Request".
std::string RefusedAnswer(std::string_view status, std::string_view body);

}  // namespace hashrange
