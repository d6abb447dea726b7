#include "server/exchange/request_parser.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace hashrange {

std::span<char> ReadBuffer::Prepare() {
  if (capacity_ == 0) Reallocate(kInitialBytes);
  if (capacity_ - end_ < capacity_ / 4 && begin_ > 0) {
    std::memmove(bytes_.get(), data(), size());
    end_ -= begin_;
    begin_ = 0;
  }
  if (capacity_ - end_ < capacity_ / 4 && capacity_ < kMaxBytes) {
    Reallocate(std::min(capacity_ * 2, kMaxBytes));
  }
  return {bytes_.get() + end_, capacity_ - end_};
}

void ReadBuffer::Consume(std::size_t count) {
  begin_ += count;
  if (begin_ == end_) begin_ = end_ = 0;
}

void ReadBuffer::Erase(std::size_t offset, std::size_t count) {
  char* gap = data() + offset;
  std::memmove(gap, gap + count, size() - offset - count);
  end_ -= count;
}

void ReadBuffer::ReleaseExcess() {
  if (capacity_ <= kInitialBytes || size() > kInitialBytes / 2) return;
  const bool is_scarce = limits_ && limits_->AreBytesScarce();
  if (capacity_ > kKeptBytes || is_scarce) Reallocate(kInitialBytes);
}

void ReadBuffer::Release() {
  if (limits_) limits_->ReturnBytes(Limits::BytesThatCount(capacity_));
  bytes_ = nullptr;
  capacity_ = begin_ = end_ = 0;
}

bool ReadBuffer::Reallocate(std::size_t capacity) {
  const std::int64_t more = Limits::BytesThatCount(capacity) - Limits::BytesThatCount(capacity_);
  if (limits_ && more > 0 && !limits_->TakeBytes(more)) return false;
  CountedBytes<MemoryPart::kBuffers> bytes;
  try {
    bytes = MakeCountedBytes<MemoryPart::kBuffers>(capacity + 1);
  } catch (const std::bad_alloc&) {
    if (limits_ && more > 0) limits_->ReturnBytes(more);
    throw;
  }
  if (limits_ && more < 0) limits_->ReturnBytes(-more);
  const std::size_t kept = size();
  if (kept > 0) std::memcpy(bytes.get(), data(), kept);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
  begin_ = 0;
  end_ = kept;
  return true;
}

namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Code = boost::system::error_code;
using BeastView = beast::string_view;

// The shortest end of a chunked body is "0", CRLF, CRLF. Beast asserts that it does not get the
// last chunk in smaller pieces, so Beast gets no bytes until this many have arrived.
constexpr std::size_t kShortestEnd = 5;

// ReadHead checks the limit for the whole head; Beast's limit only has to be above it.
constexpr std::uint32_t kBeastHeadLimit = kMaxHeadBytes + 64;

// Proxies add the fields X-Forwarded-For, X-Forwarded-Proto and others.
constexpr BeastView kForwardedName = "x-forwarded-";

// A piece of the head, as an offset: the buffer may move before the body is complete.
struct Piece {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  bool present = false;

  std::string_view In(const char* base) const { return {base + offset, size}; }
  std::optional<std::string_view> IfPresentIn(const char* base) const {
    if (!present) return std::nullopt;
    return In(base);
  }
};

struct Head {
  HttpMethod method = HttpMethod::kOther;
  Piece url, host, content_type, api_target, authorization, requested_headers, requested_method;
  Piece origin, fetch_site, pattern, user_agent, accept_encoding, if_none_match;
  bool is_ambiguous = false;
  bool is_forwarded = false;
  bool has_date = false;
  bool is_http_1_0 = false;
  bool expects_continue = false;
  bool has_other_coding = false;
};

HttpMethod ToHttpMethod(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return HttpMethod::kGet;
    case http::verb::head:
      return HttpMethod::kHead;
    case http::verb::post:
      return HttpMethod::kPost;
    case http::verb::delete_:
      return HttpMethod::kDelete;
    case http::verb::options:
      return HttpMethod::kOptions;
    default:
      return HttpMethod::kOther;
  }
}

// Returns whether the buffer starts with the first line that an HTTP/2 client sends (RFC 9113,
// section 3.4).
bool BeginsHttp2(ReadBuffer& buffer) {
  return std::string_view(buffer.data(), buffer.size()).starts_with("PRI * HTTP/2.0");
}

}  // namespace

// Beast's parser; it records what it finds as offsets in the buffer. Each request gets a new one,
// which is cheap: the parser owns no memory.
class RequestParser::BeastParser final : public http::basic_parser<true> {
 public:
  BeastParser() {
    header_limit(kBeastHeadLimit);
    body_limit(kMaxBodyBytes);
  }

  // Sets where the buffer's data starts. Called before each put(): the data may have moved.
  void set_base(char* base) { base_ = base; }
  void set_body_offset(std::size_t offset) { body_offset_ = offset; }
  const Head& head() const { return head_; }
  std::size_t body_bytes() const { return body_bytes_; }
  std::size_t body_end() const { return body_offset_ + body_bytes_; }

 private:
  Piece ToPiece(BeastView text, Code& ec) const {
    // The value of a folded field (obsolete since RFC 7230) is in the parser's memory, not in the
    // buffer.
    if (text.data() < base_ || text.data() > base_ + kBeastHeadLimit) {
      ec = http::error::bad_obs_fold;
      return {};
    }
    return {static_cast<std::uint32_t>(text.data() - base_),
            static_cast<std::uint32_t>(text.size()), true};
  }

  // Records a field that identifies the caller, and which is ambiguous when it is sent twice.
  void RecordSoleField(BeastView value, Code& ec, Piece* piece) {
    head_.is_ambiguous |= piece->present;
    *piece = ToPiece(value, ec);
  }

  void on_request_impl(http::verb verb, BeastView, BeastView target, int version,
                       Code& ec) override {
    head_.method = ToHttpMethod(verb);
    head_.url = ToPiece(target, ec);
    head_.is_http_1_0 = version == 10;
  }

  void on_field_impl(http::field field, BeastView name, BeastView value, Code& ec) override {
    if (is_header_done()) return;  // a trailer
    switch (field) {
      case http::field::host:
        RecordSoleField(value, ec, &head_.host);
        break;
      case http::field::content_type:
        head_.content_type = ToPiece(value, ec);
        break;
      case http::field::authorization:
        RecordSoleField(value, ec, &head_.authorization);
        break;
      case http::field::access_control_request_headers:
        head_.requested_headers = ToPiece(value, ec);
        break;
      case http::field::access_control_request_method:
        head_.requested_method = ToPiece(value, ec);
        break;
      case http::field::origin:
        RecordSoleField(value, ec, &head_.origin);
        break;
      case http::field::user_agent:
        head_.user_agent = ToPiece(value, ec);
        break;
      case http::field::accept_encoding:
        head_.accept_encoding = ToPiece(value, ec);
        break;
      case http::field::if_none_match:
        head_.if_none_match = ToPiece(value, ec);
        break;
      case http::field::date:
        head_.has_date = true;
        break;
      case http::field::transfer_encoding:
        // Other codings, alone or together with chunked, are not decoded here.
        head_.has_other_coding |= !beast::iequals(value, "chunked");
        break;
      case http::field::expect:
        head_.expects_continue = beast::iequals(value, "100-continue");
        break;
      default:
        RecordFieldByName(name, value, ec);
        break;
    }
  }

  // These fields are compared by name, because only some versions of Boost know them. The first
  // letter excludes most other fields at little cost.
  void RecordFieldByName(BeastView name, BeastView value, Code& ec) {
    switch (name.front() | 0x20) {
      case 'x':
        if (beast::iequals(name, "x-amz-target")) {
          head_.api_target = ToPiece(value, ec);
        } else if (beast::iequals(name, "x-amz-date")) {
          head_.has_date = true;
        } else if (beast::iequals(name.substr(0, kForwardedName.size()), kForwardedName)) {
          head_.is_forwarded = true;
        } else if (beast::iequals(name, "x-hashrange-pattern")) {
          head_.pattern = ToPiece(value, ec);
        }
        break;
      case 'f':
        head_.is_forwarded |= beast::iequals(name, "forwarded");
        break;
      case 's':
        if (beast::iequals(name, "sec-fetch-site")) RecordSoleField(value, ec, &head_.fetch_site);
        break;
    }
  }

  std::size_t on_chunk_body_impl(std::uint64_t, BeastView text, Code&) override {
    // The copy never overwrites unread bytes: each chunk has framing before it.
    std::memmove(base_ + body_end(), text.data(), text.size());
    body_bytes_ += text.size();
    return text.size();
  }

  void on_response_impl(int, BeastView, int, Code&) override {}
  void on_header_impl(Code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) override {}
  std::size_t on_body_impl(BeastView text, Code&) override { return text.size(); }
  void on_chunk_header_impl(std::uint64_t, BeastView, Code&) override {}
  void on_finish_impl(Code&) override {}

  char* base_ = nullptr;
  Head head_;
  std::size_t body_offset_ = 0;
  std::size_t body_bytes_ = 0;
};

struct RequestParser::State {
  std::optional<BeastParser> parser;  // empty between requests
  std::size_t parsed = 0;             // bytes of the buffer that the parser has read
  std::size_t body_offset = 0;        // also the length of the head
  std::size_t body_bytes = 0;         // set when complete
  bool continue_sent = false;
};

RequestParser::RequestParser(std::uint64_t connection) : state_(std::make_unique<State>()) {
  request_.connection = connection;
}
RequestParser::~RequestParser() = default;

bool RequestParser::in_progress() const { return state_->parser.has_value(); }

std::string_view RequestParser::PathIn(ReadBuffer& buffer) {
  std::string_view text(buffer.data(), std::min(buffer.size(), kMaxHeadBytes));
  text = text.substr(0, text.find_first_of("\r\n"));
  const std::size_t method_end = text.find(' ');
  if (method_end == text.npos) return {};
  text.remove_prefix(method_end + 1);
  return text.substr(0, text.find_first_of(" ?"));
}

RequestParser::Progress RequestParser::Advance(ReadBuffer& buffer) {
  if (!in_progress() && !Begin(buffer)) return Progress::kNeedMore;
  BeastParser& parser = *state_->parser;
  if (!parser.is_header_done()) {
    if (const Progress head = ReadHead(buffer); head != Progress::kComplete) return head;
  }
  return parser.chunked() && !parser.is_done() ? ReadChunks(buffer) : ReadSizedBody(buffer);
}

// Returns false while no byte of a request has arrived. Empty lines before a request are skipped
// (RFC 9112, section 2.2).
bool RequestParser::Begin(ReadBuffer& buffer) {
  std::size_t blank = 0;
  const char* data = buffer.data();
  while (blank < buffer.size() && (data[blank] == '\r' || data[blank] == '\n')) ++blank;
  if (blank > 0) buffer.Consume(blank);
  if (buffer.empty()) return false;
  state_->parser.emplace();
  state_->parsed = 0;
  state_->body_offset = 0;
  state_->body_bytes = 0;
  state_->continue_sent = false;
  return true;
}

RequestParser::Progress RequestParser::ReadHead(ReadBuffer& buffer) {
  BeastParser& parser = *state_->parser;
  parser.set_base(buffer.data());
  Code ec;
  state_->parsed +=
      parser.put({buffer.data() + state_->parsed, buffer.size() - state_->parsed}, ec);
  const bool done = parser.is_header_done();
  if ((done ? state_->parsed : buffer.size()) > kMaxHeadBytes) return Progress::kMalformed;
  if (ec == http::error::need_more) return Progress::kNeedMore;
  if (ec == http::error::body_limit) return Progress::kTooLarge;
  if (ec) return BeginsHttp2(buffer) ? Progress::kHttp2 : Progress::kMalformed;
  if (parser.head().has_other_coding) return Progress::kOtherCoding;
  state_->body_offset = state_->parsed;
  parser.set_body_offset(state_->parsed);
  return Progress::kComplete;
}

RequestParser::Progress RequestParser::ReadSizedBody(ReadBuffer& buffer) {
  const BeastParser& parser = *state_->parser;
  const std::size_t bytes = parser.chunked()
                                ? parser.body_bytes()
                                : static_cast<std::size_t>(parser.content_length().value_or(0));
  if (buffer.size() < state_->body_offset + bytes) return Wait();
  state_->body_bytes = bytes;
  FillRequest(buffer.data());
  return Progress::kComplete;
}

RequestParser::Progress RequestParser::ReadChunks(ReadBuffer& buffer) {
  BeastParser& parser = *state_->parser;
  parser.set_base(buffer.data());
  Code ec;
  while (buffer.size() - state_->parsed >= kShortestEnd && !parser.is_done() && !ec) {
    state_->parsed +=
        parser.put({buffer.data() + state_->parsed, buffer.size() - state_->parsed}, ec);
  }
  if (ec == http::error::body_limit) return Progress::kTooLarge;
  if (ec && ec != http::error::need_more) return Progress::kMalformed;
  // The unparsed bytes are the framing of one chunk or the trailer, which has the limit of a head.
  if (buffer.size() - state_->parsed > kMaxHeadBytes && !parser.is_done()) {
    return Progress::kMalformed;
  }
  buffer.Erase(parser.body_end(), state_->parsed - parser.body_end());
  state_->parsed = parser.body_end();
  return parser.is_done() ? ReadSizedBody(buffer) : Wait();
}

RequestParser::Progress RequestParser::Wait() {
  const Head& head = state_->parser->head();
  if (!head.expects_continue || head.is_http_1_0 || state_->continue_sent) {
    return Progress::kNeedMore;
  }
  state_->continue_sent = true;
  return Progress::kSendContinue;
}

void RequestParser::FillRequest(char* base) {
  const BeastParser& parser = *state_->parser;
  const Head& head = parser.head();
  request_.method = head.method;
  const std::string_view url = head.url.In(base);
  const std::size_t mark = url.find('?');
  request_.path = url.substr(0, mark);
  request_.query = mark == url.npos ? std::string_view() : url.substr(mark + 1);
  request_.host = head.host.In(base);
  request_.content_type = head.content_type.In(base);
  request_.api_target = head.api_target.In(base);
  request_.pattern = head.pattern.In(base);
  request_.user_agent = head.user_agent.In(base);
  request_.authorization = head.authorization.IfPresentIn(base);
  request_.requested_headers = head.requested_headers.IfPresentIn(base);
  request_.requested_method = head.requested_method.IfPresentIn(base);
  request_.origin = head.origin.IfPresentIn(base);
  request_.fetch_site = head.fetch_site.IfPresentIn(base);
  request_.accept_encoding = head.accept_encoding.IfPresentIn(base);
  request_.if_none_match = head.if_none_match.IfPresentIn(base);
  request_.is_ambiguous = head.is_ambiguous;
  request_.is_forwarded = head.is_forwarded;
  request_.has_date = head.has_date;
  request_.is_http_1_0 = head.is_http_1_0;
  request_.keep_alive = parser.keep_alive();
  request_.body = {base + state_->body_offset, state_->body_bytes};
}

void RequestParser::Finish(ReadBuffer& buffer) {
  buffer.Consume(state_->body_offset + state_->body_bytes);
  state_->parser.reset();
}

}  // namespace hashrange
