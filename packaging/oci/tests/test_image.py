"""The image: what it says of itself, and what its container does under runc."""

import json
import os
import re
import shutil
import subprocess

import pytest

from machines import ITEM, VERSION, command, need_root, need_tool, read_item, wait_until, write_item

USER = 1000


@pytest.fixture(scope="module")
def image(dist):
    need_tool("skopeo")
    return f"oci-archive:{dist}/hashrange-{VERSION}.oci.tar"


@pytest.fixture(scope="module")
def rootfs(image, tmp_path_factory):
    """The files of the image for this machine, as umoci unpacks them, and the configuration for runc."""
    need_root()
    need_tool("umoci")
    folder = tmp_path_factory.mktemp("image")
    command("skopeo", "copy", "--quiet", "--override-arch", "amd64", image, f"oci:{folder}/layout:test")
    command("umoci", "unpack", "--image", f"{folder}/layout:test", folder / "bundle")
    return folder / "bundle"


@pytest.fixture(scope="module")
def runc(dist, tmp_path_factory):
    """Skips where runc cannot start a program at all, so that whatever fails with the image is a failure."""
    need_root()
    need_tool("runc")
    bundle = tmp_path_factory.mktemp("probe")
    (bundle / "rootfs").mkdir()
    shutil.copy(dist / "bin/amd64/hashrange", bundle / "rootfs/probe")
    command("runc", "spec", cwd=bundle)
    config = json.loads((bundle / "config.json").read_text())
    config["process"] |= {"terminal": False, "args": ["/probe", "--version"]}
    (bundle / "config.json").write_text(json.dumps(config))
    done = subprocess.run(["runc", "--root", str(bundle / "state"), "run", "--bundle", str(bundle), f"hashrange-probe-{os.getpid()}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        pytest.skip(f"runc can start no container here: {done.stdout.strip()[-300:]}")


def test_the_index_has_each_architecture(image, architectures):
    index = json.loads(command("skopeo", "inspect", "--raw", image))
    assert index["mediaType"] == "application/vnd.oci.image.index.v1+json"
    assert [image["platform"] for image in index["manifests"]] == [
        {"architecture": architecture, "os": "linux"} for architecture in architectures]


def test_the_configuration_says_how_to_run_it(image, architectures):
    for architecture in architectures:
        config = json.loads(command("skopeo", "inspect", "--override-arch", architecture, "--config", "--raw", image))
        labels = config["config"].pop("Labels")
        assert config["architecture"] == architecture
        assert config["config"] == {
            "User": f"{USER}:{USER}", "Entrypoint": ["hashrange"], "Cmd": ["serve"],
            "ExposedPorts": {"8000/tcp": {}}, "Volumes": {"/data": {}}, "Env": ["PATH=/usr/bin", "HASHRANGE_HOST=0.0.0.0"],
            "WorkingDir": "/home/dynamodblocal",
            "StopSignal": "SIGTERM", "Healthcheck": {"Test": ["CMD", "hashrange", "healthcheck"], "Interval": 10**9,
                                                     "Timeout": 2 * 10**9, "Retries": 30}}
        assert labels.pop("org.opencontainers.image.version") == VERSION
        assert re.fullmatch("[0-9a-f]{40}", labels.pop("org.opencontainers.image.revision"))
        assert labels.pop("org.opencontainers.image.created") == config["created"]
        assert labels == {"org.opencontainers.image.title": "hashrange", "org.opencontainers.image.licenses": "Apache-2.0",
                          "org.opencontainers.image.description": "An in-memory, DynamoDB-compatible server"}


def test_docker_load_finds_the_same_image_in_its_own_form(image, architectures):
    index = json.loads(command("skopeo", "inspect", "--override-arch", architectures[0], "--config", "--raw", image))
    archive = image.replace("oci-archive:", "docker-archive:") + f":hashrange/hashrange:{VERSION}"
    assert json.loads(command("skopeo", "inspect", "--config", "--raw", archive)) == index


def test_the_image_has_the_program_the_licences_and_a_folder_for_data(rootfs, dist):
    root = rootfs / "rootfs"
    links = {str(path.relative_to(root)): os.readlink(path) for path in root.rglob("*") if path.is_symlink()}
    assert links == {"bin/sh": "../usr/bin/hashrange", **{f"usr/bin/{name}": "hashrange" for name in ("java", "curl", "wget", "nc")}}
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    licenses = {name for name in files if name.startswith("usr/share/doc/hashrange/licenses/")}
    assert files - licenses == {"usr/bin/hashrange"}
    assert len(licenses) == sum(path.is_file() for path in (dist / "licenses").rglob("*"))
    assert (rootfs / "rootfs/usr/bin/hashrange").read_bytes() == (dist / "bin/amd64/hashrange").read_bytes()
    for folder in ("data", "home/dynamodblocal", "home/dynamodblocal/data"):
        assert os.stat(root / folder).st_uid == USER


class Container:
    """A container of the image, with a network of its own. `volume` is mounted on `folder`, as Docker mounts a volume."""

    def __init__(self, bundle, name, arguments, volume, variables=(), folder="/data", program="hashrange"):
        config = json.loads((bundle / "config.json").read_text())
        config["process"] |= {"terminal": False, "env": config["process"]["env"] + list(variables)}
        config["process"]["args"] = [program, *arguments]
        config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] != folder]
        config["mounts"].append({"destination": folder, "type": "bind", "source": str(volume), "options": ["bind", "rw"]})
        config["root"] = {"path": str(bundle / "rootfs"), "readonly": True}
        own = volume.parent / name
        own.mkdir()
        (own / "config.json").write_text(json.dumps(config))
        self.name = f"hashrange-test-{os.getpid()}-{name}"
        self.runc = ["runc", "--root", str(volume.parent / "runc")]
        self.log = open(own / "log", "w+")
        self.process = subprocess.Popen([*self.runc, "run", "--bundle", str(own), self.name],
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        try:
            wait_until(self.is_healthy, "a healthy container")
        except BaseException:
            self.process.kill()
            raise

    def is_healthy(self):
        if self.process.poll() is not None:
            self.log.seek(0)
            pytest.fail(f"the server ended: {self.log.read()}")
        return subprocess.run([*self.runc, "exec", self.name, "hashrange", "healthcheck"], capture_output=True).returncode == 0

    def __enter__(self):
        state = json.loads(command(*self.runc, "state", self.name))
        self.pid = state["pid"]
        return self

    def __exit__(self, *_):
        subprocess.run([*self.runc, "kill", self.name, "TERM"])
        self.status = self.process.wait(60)

    def run(self, *words):
        return command(*self.runc, "exec", self.name, *words)

    def network(self):
        return ["nsenter", "--target", str(self.pid), "--net"]


@pytest.fixture
def volume(tmp_path):
    folder = tmp_path / "volume"
    folder.mkdir()
    os.chown(folder, USER, USER)
    return folder


def test_the_container_serves_without_rights_and_ends_with_0(runc, rootfs, image, volume):
    arguments = json.loads(command("skopeo", "inspect", "--override-arch", "amd64", "--config", image))["config"]["Cmd"]
    with Container(rootfs, "serves", arguments, volume, ["HASHRANGE_TOKEN=secret"]) as container:
        address = "http://10.1.2.3:8000"  # not a loopback address: calls arrive as through a published port
        command(*container.network(), "ip", "address", "add", "10.1.2.3/32", "dev", "lo")
        write_item(enter=container.network(), endpoint=address)
        assert read_item(enter=container.network(), endpoint=address) == ITEM
        info = [*container.network(), "curl", "--silent", f"{address}/_hashrange/"]
        assert "error" in json.loads(command(*info))
        assert json.loads(command(*info, "--header", "Authorization: Bearer secret"))["tables"] == 1
        for host in ("127.0.0.1", "localhost"):
            container.run("hashrange", "healthcheck", "--host", host)
        with open(f"/proc/{container.pid}/status") as status:
            assert re.search(rf"^Uid:(\t{USER}){{4}}$", status.read(), re.MULTILINE)
    assert container.status == 0
    assert not os.listdir(volume)


def test_data_in_the_volume_stays(runc, rootfs, volume):
    arguments = ["serve", "--data", "/data"]
    with Container(rootfs, "first", arguments, volume) as container:
        write_item(enter=container.network())
    with Container(rootfs, "second", arguments, volume) as container:
        assert read_item(enter=container.network()) == ITEM
    assert os.stat(volume / "HASHRANGE").st_uid == USER


@pytest.mark.parametrize("program", ["hashrange", "java"])
def test_it_takes_the_place_of_dynamodb_local(runc, rootfs, volume, program):
    """The command of a compose file, its health checks, and the folder of its working directory."""
    command_line = ["-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-sharedDb", "-dbPath", "./data"]
    with Container(rootfs, f"local-{program}", command_line, volume, folder="/home/dynamodblocal/data", program=program) as container:
        address = "http://10.1.2.3:8000"
        command(*container.network(), "ip", "address", "add", "10.1.2.3/32", "dev", "lo")
        write_item(enter=container.network(), endpoint=address)
        assert read_item(enter=container.network(), endpoint=address) == ITEM
        asked = command(*container.network(), "curl", "--silent", "--head", "--write-out", "%{http_code}", "--output", os.devnull, address)
        assert asked == "400"
        for check in (["curl", "-s", "http://localhost:8000"], ["wget", "-q", "--spider", "http://localhost:8000"],
                      ["nc", "-z", "localhost", "8000"], ["/bin/sh", "-c", "curl -s http://localhost:8000 | grep -q Missing || exit 1"]):
            container.run(*check)
        for refused, status in ((["curl", "http://localhost:1"], 1), (["/bin/sh", "-c", "ls"], 127)):
            assert subprocess.run([*container.runc, "exec", container.name, *refused], capture_output=True).returncode == status
    assert container.status == 0
    assert (volume / "hashrange-data/HASHRANGE").is_file()
