"""What the tests of the npm packages share: where the packages are, and projects of users into which npm installs them."""

import os
import re
import subprocess
import sys

from machines import DIST, REPOSITORY, VERSION  # noqa: F401: others import VERSION from here

sys.path.insert(0, str(REPOSITORY / "conformance"))
from suites import path_with_node  # noqa: E402

CPUS = {"amd64": "x64", "arm64": "arm64"}
ARCHES = sorted(arch for arch in CPUS if (DIST / "bin" / arch / "hashrange").exists())
CARRIERS = {f"@hashrange/linux-{CPUS[arch]}": arch for arch in ARCHES}
OWN_CARRIER = "@hashrange/linux-" + {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]


def clean_environment():
    """Returns the environment of a user who has Node.js and npm, and nothing of Hashrange or of a test runner."""
    own = {name: value for name, value in os.environ.items()
           if not re.match(r"AWS_|HASHRANGE_|PYTEST_|VITEST|JEST|npm_config_registry$|NODE_OPTIONS$|NO_COLOR$", name)}
    return dict(own, PATH=path_with_node(), NO_COLOR="1", AWS_EC2_METADATA_DISABLED="true", AWS_CONFIG_FILE=os.devnull,
                AWS_SHARED_CREDENTIALS_FILE=os.devnull, npm_config_audit="false", npm_config_fund="false", npm_config_update_notifier="false",
                npm_config_loglevel="error")


class Project:
    """A folder of a user, in which npm takes packages from the registry of the test. npx keeps what it has installed in npm's cache,
    so the project has a cache of its own, unless it has many packages and does not use npx for that."""

    def __init__(self, folder, registry, has_cache=True):
        self.folder = folder
        self.environment = dict(clean_environment(), npm_config_registry=registry.url)
        if has_cache:
            self.environment["npm_config_cache"] = str(folder.parent / "cache")

    def start(self, *command, env=None, **options):
        return subprocess.Popen(command, cwd=self.folder, env={**self.environment, **(env or {})}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, *command, status=0, env=None):
        """Runs a command to its end. Returns its output, (stdout, stderr)."""
        process = self.start(*command, env=env, stdin=subprocess.DEVNULL)
        output = process.communicate(timeout=300)
        assert process.returncode == status, output
        return output

    def shell(self, line):
        return self.run("bash", "-c", line)

    def path(self, name):
        return self.folder / "node_modules" / name
