#include "cli/program_description.h"

#include <string>
#include <utility>

#include "cli/command_line.h"
#include "cli/copy_line.h"
#include "cli/ctl.h"
#include "cli/lab_line.h"
#include "cli/mcp_line.h"

namespace hashrange {

CommandDescription DescribeProgram() {
  CommandDescription program = DescribeCommandLine();
  for (CommandDescription& command : program.commands) {
    const std::string help = command.help;
    if (command.Name() == "copy") command = DescribeCopy();
    if (command.Name() == "ctl") command = DescribeCtl();
    if (command.Name() == "lab") command = DescribeLab();
    if (command.Name() == "mcp") command = DescribeMcp();
    command.help = help;
    // Without a command the program serves, so both have one footer.
    if (command.Name() == "serve") command.footer = std::exchange(program.footer, "");
  }
  return program;
}

}  // namespace hashrange
