// The browser of the person who uses this machine. Any thread.
#pragma once

#include <string>

namespace hashrange {

// Opens the page in the browser, by the program xdg-open or open; does nothing where the system has
// neither, or no screen. Waits until that program has ended. `url` begins with "http://".
void OpenInBrowser(const std::string& url);

}  // namespace hashrange
