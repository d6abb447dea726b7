#include "platform/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace hashrange {
namespace {

// Returns whether the program was found and ended with 0. Its messages are dropped: where there is
// no screen, xdg-open names every browser that it does not find.
bool RunOpener(const char* program, const std::string& url) {
  posix_spawn_file_actions_t files;
  if (::posix_spawn_file_actions_init(&files) != 0) return false;
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string argument = url;
  char* const arguments[] = {const_cast<char*>(program), argument.data(), nullptr};
  pid_t child = 0;
  const bool is_started = ::posix_spawnp(&child, program, &files, nullptr, arguments, environ) == 0;
  ::posix_spawn_file_actions_destroy(&files);
  if (!is_started) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void OpenInBrowser(const std::string& url) {
  for (const char* const program : {"xdg-open", "open"}) {
    if (RunOpener(program, url)) return;
  }
}

}  // namespace hashrange
