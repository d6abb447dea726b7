// RawClient: a blocking socket that sends bytes as they are and reads answers as they
// come. Every wait ends after ten seconds, so a server that hangs fails a test instead of
// stopping it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

class RawClient {
 public:
  explicit RawClient(std::uint16_t port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void Send(std::string_view bytes);
  // No more from us.
  void EndSending();
  // One answer with Content-Length, head and body as sent, the request id as "<id>", the date as
  // "<date>". What came, when the connection ends before.
  std::string ReadAnswer();
  // Everything up to the end of the connection.
  std::string ReadToEnd();

 private:
  bool ReadMore();

  int socket_;
  std::string received_;
};

// `text` with every request id of the right form replaced by "<id>".
std::string WithoutIdsAndDates(std::string text);

// A POST of `body` with the JSON content type, and the fields given as whole lines.
std::string Post(std::string_view body, std::string_view fields = "");
// The answer of status 200 to a Post: echoed body, its CRC, Content-Type application/json.
std::string OkAnswer(std::string_view body, std::string_view fields = "");
// The answer to a request that was not read: of `status`, "400 Bad Request", with a body for SDKs.
std::string RefusedAnswer(std::string_view status, std::string_view body);

}  // namespace hashrange
