#include "server/exchange/owned_request.h"

#include <optional>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

// Appends texts to one string, and makes views of them when all of them are there.
class TextCopier {
 public:
  explicit TextCopier(std::string* bytes) : bytes_(bytes) {}

  void Add(std::string_view* text) {
    texts_.push_back({text, bytes_->size()});
    bytes_->append(*text);
  }
  void Add(std::optional<std::string_view>* text) {
    if (*text) Add(&**text);
  }
  void MakeViews() {
    for (const Text& each : texts_) *each.text = {bytes_->data() + each.begin, each.text->size()};
  }

 private:
  struct Text {
    std::string_view* text;
    std::size_t begin;
  };
  std::string* const bytes_;
  std::vector<Text> texts_;
};

}  // namespace

OwnedRequest::OwnedRequest(const HttpRequest& request, const std::string& body)
    : request_(request) {
  TextCopier copier(&bytes_);
  for (std::string_view* text :
       {&request_.path, &request_.query, &request_.host, &request_.content_type,
        &request_.api_target, &request_.pattern, &request_.user_agent}) {
    copier.Add(text);
  }
  for (auto* text : {&request_.authorization, &request_.requested_headers,
                     &request_.requested_method, &request_.origin, &request_.fetch_site,
                     &request_.accept_encoding, &request_.if_none_match}) {
    copier.Add(text);
  }
  const std::size_t body_begin = bytes_.size();
  bytes_.append(body).push_back('\0');  // the byte behind the body may be overwritten, too
  copier.MakeViews();
  request_.body = {bytes_.data() + body_begin, body.size()};
  request_.may_leave = false;
}

}  // namespace hashrange
