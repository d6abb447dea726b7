// There is no browser.
#include "platform/browser.h"

namespace hashrange {

void OpenInBrowser(const std::string&) {}

}  // namespace hashrange
