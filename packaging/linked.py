"""Says which packages of the system are in a built program.

The answer comes from the build itself: the compiler's record of the headers that each object of the program has read,
and the linker's own list of the files that it reads when the program is linked once more. So a new library cannot be
forgotten here. A file that belongs to no package is an error. A program with the console also has what the console's
lock file says is bundled with it.
"""

import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
SOURCES = (REPOSITORY / "build/source").resolve()  # the projects that are compiled here: see scripts/packages
CONSOLE = REPOSITORY / "console"
SYSROOTS = REPOSITORY / "build/sysroot"  # the systems of other architectures: see scripts/install
WASM = SYSROOTS / "wasm32"  # copied and compiled by scripts/wasm-sysroot

# The beginning of a path in WASM -> the package from whose source it was compiled.
WASM_COMPILED = {
    "include/absl/": "libabsl-dev", "lib/wasm32-wasi/libabsl_": "libabsl-dev",
    "include/c++/": "libc++-19-dev-wasm32", "lib/wasm32-wasi/libc++.a": "libc++-19-dev-wasm32",
    "lib/wasm32-wasi/libunwind.a": "libc++-19-dev-wasm32",
    "include/yaml-cpp/": "libyaml-cpp-dev", "lib/wasm32-wasi/libyaml-cpp.a": "libyaml-cpp-dev",
    "include/zconf.h": "zlib1g-dev", "include/zlib.h": "zlib1g-dev", "lib/wasm32-wasi/libz.a": "zlib1g-dev",
}
# The beginning of another path in WASM -> where it was copied from.
WASM_COPIED = {"include/rapidjson/": "/usr/include/rapidjson/", "include/wasm32-wasi/": "/usr/include/wasm32-wasi/",
               "lib/wasm32-wasi/": "/usr/lib/wasm32-wasi/"}
WASM_OWN = ("include/c++/__external_threading", "include/libdeflate.h", "include/pthread.h", "include/sys/")  # of this repository, or empty


class CannotTell(Exception):
    """It cannot be said what is linked; the text says why."""


@dataclasses.dataclass
class Component:
    """A package of which something is in the program: archives and objects, or only headers."""
    name: str
    version: str
    architecture: str
    source: str
    source_version: str
    copyright: pathlib.Path  # the file with its licence texts
    archives: list  # the names of the files that the linker read, without their folders
    origin: str = "debian"  # or "source", which is compiled here, or "npm"


def linked(build, program="hashrange"):
    """Returns the components of a built program or module, in the order of their names.

    Errors: CannotTell  nothing was built there, or a file belongs to no package
    """
    build = pathlib.Path(build).resolve()
    if not (build / "build.ninja").is_file() or not (build / program).is_file():
        raise CannotTell(f"{build} has no built program: run scripts/build first")
    commands = run(["ninja", "-C", build, "-t", "commands", program], build).splitlines()
    linked_files = files_of_link(commands[-1], build, program)
    headers = headers_of(objects_of(commands), build)
    linked_files, headers = originals_of(linked_files), originals_of(headers)
    components = {}
    add_wasm(components, {path for path in linked_files if WASM in path.parents}, {path for path in headers if WASM in path.parents})
    add_packages(components, {path for path in linked_files if WASM not in path.parents},
                 {path for path in headers if WASM not in path.parents})
    add_sources(components, headers)
    add_console(components, build)
    return sorted(components.values(), key=lambda component: (component.name, component.architecture))


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise CannotTell(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


def objects_of(commands):
    """Returns the objects that the commands compile."""
    return [found[1] for command in commands if (found := re.search(r" -o (\S+\.o(?:bj)?) -c ", command))]


def files_of_link(command, build, program):
    """Returns the files of other projects that the linker reads: archives, and the objects of the C library's start."""
    steps = [step for step in command.split(" && ") if f" -o {program} " in step]
    if len(steps) != 1:
        raise CannotTell(f"the command that links {program} is not understood: {command[:200]}")
    with tempfile.TemporaryDirectory() as folder:
        step = steps[0].replace(f" -o {program} ", f" -o {folder}/{program} -Wl,--trace ")
        lines = run(["bash", "-c", step], build).splitlines()
    # The linker for WebAssembly names the members of an archive: libc.a(malloc.o).
    paths = {pathlib.Path(re.sub(r"\([^()]*\)$", "", line)).resolve() for line in lines if line.startswith("/")}
    return {path for path in paths if path.exists() and build not in path.parents}


def headers_of(objects, build):
    """Returns all files that the compiler has read for the objects, without those that the build has made."""
    if not objects:
        return set()
    lines = run(["ninja", "-C", build, "-t", "deps", *objects], build).splitlines()
    names = {line.strip() for line in lines if line.startswith("    ")}
    if not names:
        raise CannotTell(f"the record of the headers in {build} is empty: build again")
    paths = {(build / name).resolve() for name in names}
    return {path for path in paths if build not in path.parents}


def add_packages(components, linked_files, headers):
    others = {path for path in headers if REPOSITORY not in path.parents or SYSROOTS in path.parents}
    others = {path for path in others if SOURCES not in path.parents}
    for root, paths in by_root({*linked_files, *others}).items():
        for path, package in owners_of(root, paths).items():
            if (root, package) not in components:
                components[root, package] = component_of(root, package)
            if path in linked_files:
                components[root, package].archives.append(path.name)
    for component in components.values():
        component.archives.sort()


def by_root(paths):
    """Returns the paths of the system, and those of each folder in build/sysroot, which is a system of its own."""
    roots = {}
    for path in sorted(paths):
        root = SYSROOTS / path.relative_to(SYSROOTS).parts[0] if SYSROOTS in path.parents else pathlib.Path("/")
        roots.setdefault(root, []).append(path)
    return roots


def dpkg_query(root):
    return ["dpkg-query", f"--admindir={root / 'var/lib/dpkg'}"]


def owners_of(root, paths):
    """Returns the package of each path, as dpkg knows it: libc6-dev:amd64."""
    names = {f"/{path.relative_to(root)}": path for path in paths}
    # dpkg knows some files by the name they had before /lib became a link to /usr/lib.
    names |= {name.removeprefix("/usr"): path for name, path in names.items() if name.startswith("/usr/lib")}
    done = subprocess.run(["xargs", "-d", "\n", *dpkg_query(root), "--search"], input="\n".join(names), capture_output=True,
                          text=True)
    owners = {}
    for line in done.stdout.splitlines():
        packages, _, name = line.partition(": ")
        if name in names:
            owners[names[name]] = packages.split(", ")[0]
    unknown = [str(path) for path in paths if path not in owners]
    if unknown:
        raise CannotTell(f"no package owns {unknown[0]}, which is in the program")
    return owners


def component_of(root, package):
    form = "${Package}\n${Version}\n${Architecture}\n${source:Package}\n${source:Version}"
    name, *fields = run([*dpkg_query(root), "--show", f"--showformat={form}", package], "/").splitlines()
    places = [folder / "usr/share/doc" / name / "copyright" for folder in (root, pathlib.Path("/"))]
    found = [path for path in places if path.is_file()]
    if not found:
        raise CannotTell(f"{places[0]} is not there: the licence of {name} is not known")
    return Component(name, *fields, found[0].resolve(), [])


def originals_of(paths):
    """Returns the paths, with those of which a file in WASM is a copy in the place of the copies."""
    return {original_of(str(path.relative_to(WASM)), path) if WASM in path.parents else path for path in paths}


def original_of(name, path):
    copied = next((beginning for beginning in WASM_COPIED if name.startswith(beginning)), None)
    return pathlib.Path(WASM_COPIED[copied], name.removeprefix(copied)).resolve() if copied and not compiled_from(name) else path


def compiled_from(name):
    """Returns the package from whose source a file in WASM was compiled; None: from none."""
    return next((package for beginning, package in WASM_COMPILED.items() if name.startswith(beginning)), None)


def add_wasm(components, linked_files, headers):
    """Adds what scripts/wasm-sysroot has compiled. It has the name and the version of the package's source."""
    for path in sorted({*linked_files, *headers}):
        name = str(path.relative_to(WASM))
        if name.startswith(WASM_OWN):
            continue
        package = compiled_from(name)
        if not package:
            raise CannotTell(f"no package owns {path}, which is in the program")
        if ("wasm32", package) not in components:
            found = component_of(pathlib.Path("/"), package)
            components["wasm32", package] = dataclasses.replace(found, name=found.source, version=found.source_version, architecture="source")
        if path in linked_files:
            components["wasm32", package].archives.append(path.name)


def add_sources(components, headers):
    """Adds the projects that are compiled from their source."""
    for name in sorted({path.relative_to(SOURCES).parts[0] for path in headers if SOURCES in path.parents}):
        version = re.search(r"project\([^)]*?VERSION\s+([0-9.]+)", (SOURCES / name / "CMakeLists.txt").read_text())
        if not version or not (SOURCES / name / "LICENSE").is_file():
            raise CannotTell(f"{SOURCES / name} does not say its version or its licence")
        components["source", name] = Component(name, version[1], "source", name, version[1], SOURCES / name / "LICENSE", [], "source")


def add_console(components, build):
    """Adds the npm packages in the console, where the build has embedded it."""
    source = build / "src/generated/console_files.cc"
    if not source.is_file() or "index.html" not in source.read_text():
        return
    for path, package in json.loads((CONSOLE / "package-lock.json").read_text())["packages"].items():
        if not path or package.get("dev"):
            continue
        name, version, text = path.removeprefix("node_modules/"), package["version"], CONSOLE / path / "LICENSE"
        if not text.is_file():
            raise CannotTell(f"{text} is not there: run scripts/console first")
        components["npm", name] = Component(name, version, "npm", name, version, text, [], "npm")
