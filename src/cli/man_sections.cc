#include "cli/man_sections.h"

namespace hashrange {
namespace {

constexpr ManEntry kDescription[] = {
    {"",
     "Hashrange answers the calls of Amazon's DynamoDB and DynamoDB Streams, so it serves as the "
     "local endpoint of any AWS SDK, as the backend of a test suite, and to measure a layout of "
     "keys. The data is in memory, and is gone when the server stops, unless --data names a "
     "directory."},
    {"",
     "Without a command, the program serves. The commands ctl and lab have commands of their own. "
     "Each command has the option --help, and hashrange --version prints the version."},
};

constexpr ManEntry kEnvironment[] = {
    {"HASHRANGE_TOKEN",
     "The token of the control API: the server answers only callers that send it, and ctl sends "
     "it, as does mcp to an endpoint. The options --control-token and --control-token-file of "
     "serve, "
     "and --token of ctl and mcp, come first."},
    {"HASHRANGE_ENDPOINT",
     "The server that ctl calls, as http://HOST:PORT. The options --endpoint, --host and --port "
     "come first."},
};

constexpr ManEntry kExitStatus[] = {
    {"0", "The command did what it was asked for; a server was ended by a signal."},
    {"1",
     "A server could not start or keep its data; there is no healthy server, or it refuses; check "
     "found damage; a copy failed or differs; lab check found a limit that does not hold; lab run "
     "could not go on at an endpoint; ctl measure compare or check found "
     "something."},
    {"2",
     "The command line is wrong, a directory cannot be opened, a lab file is wrong, or there is no "
     "verdict. A sentence on stderr says why."},
    {"130", "The lab or a copy was interrupted."},
};

constexpr ManEntry kSignals[] = {
    {"SIGINT, SIGTERM",
     "End a server, also while it loads its data or a seed; what was answered stays in the "
     "directory of --data. End ctl requests --follow and mcp."},
    {"SIGINT",
     "Ends lab run and lab check, which first remove what they have made at an endpoint and report "
     "what was done until then."},
    {"SIGINT, SIGTERM", "End copy, which says how far it has come and how to continue."},
};

constexpr ManEntry kFiles[] = {
    {"DIR of --data",
     "The directory of a server's tables. Its file HASHRANGE.lock is locked while a server uses "
     "it. Only one server at a time can."},
    {"NAME.table.json, NAME.jsonl, NAME.json, NAME.csv",
     "In a folder for --seed or ctl seed: the definition of a table as a CreateTable request, and "
     "the items of the table."},
    {"hashrange-copy.state",
     "How far a copy has come, in the folder that it writes or else the present one, until it is "
     "complete."},
    {"lab.yaml", "What lab init writes unless a file is named."},
};

constexpr ManSection kAfterCommands[] = {
    {"ENVIRONMENT", kEnvironment},
    {"EXIT STATUS", kExitStatus},
    {"SIGNALS", kSignals},
    {"FILES", kFiles},
};

constexpr ManEntry kSeeAlso[] = {
    {"",
     "aws(1), and the project's documents: docs/testing.md, docs/control-api.md, "
     "docs/seed-and-dump.md, docs/copy.md, docs/data-directory.md, docs/measuring.md, "
     "docs/partitions.md, docs/lab.md, docs/agents.md."},
};

}  // namespace

std::span<const ManEntry> ManDescription() { return kDescription; }

std::span<const ManSection> ManSectionsAfterCommands() { return kAfterCommands; }

ManSection ManSeeAlso() { return {"SEE ALSO", kSeeAlso}; }

}  // namespace hashrange
