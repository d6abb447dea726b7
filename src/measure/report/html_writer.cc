#include "measure/report/html_writer.h"

#include "measure/report/readable_text.h"

namespace hashrange {

void HtmlWriter::Begin(std::string_view tag, Attributes attributes) {
  html_.append("<").append(tag);
  for (const auto& [name, value] : attributes) {
    html_.append(" ").append(name).append("=\"").append(HtmlText(value)).append("\"");
  }
}

void HtmlWriter::Open(std::string_view tag, Attributes attributes) {
  Begin(tag, attributes);
  html_.append(">");
}

void HtmlWriter::Close(std::string_view tag) { html_.append("</").append(tag).append(">\n"); }

void HtmlWriter::Leaf(std::string_view tag, Attributes attributes) {
  Begin(tag, attributes);
  html_.append("/>\n");
}

void HtmlWriter::Element(std::string_view tag, std::string_view text, Attributes attributes) {
  Open(tag, attributes);
  Text(text);
  Close(tag);
}

void HtmlWriter::Text(std::string_view text) { html_.append(HtmlText(text)); }

}  // namespace hashrange
