"""Makes setuptools build a wheel for the platform of its program; everything else is in pyproject.toml."""

import os
import struct

import setuptools
from wheel.bdist_wheel import bdist_wheel

PROGRAM = "hashrange/bin/hashrange"
# Debian's architecture -> (its number in an ELF header, its name in a wheel's tag)
MACHINES = {"amd64": (62, "x86_64"), "arm64": (183, "aarch64")}
INTERPRETER = 3  # the type of the program header of a program that needs shared objects


def platforms(program, arch):
    """Returns the platforms on which a program runs, as a wheel's tag names them. A static program runs with any C library; pip has
    names for the oldest glibc and musl, so one wheel has all these names. Any other program is only for systems like this one."""
    number, name = MACHINES[arch]
    with open(program, "rb") as file:
        header = file.read(64)
        magic, machine = header[:4], struct.unpack_from("<H", header, 18)[0]
        if magic != b"\x7fELF" or machine != number:
            raise SystemExit(f"packaging/python: the program in bin/{arch} is none for {arch}")
        offset, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(offset)
        headers = [file.read(size) for _ in range(count)]
    if any(struct.unpack_from("<I", each)[0] == INTERPRETER for each in headers):
        return f"linux_{name}"
    return f"manylinux_2_17_{name}.manylinux2014_{name}.musllinux_1_1_{name}"


class WithProgram(setuptools.Distribution):
    def has_ext_modules(self):
        """Makes pip install the files where files for one platform belong."""
        return True


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", platforms(PROGRAM, os.environ["HASHRANGE_ARCH"])


setuptools.setup(distclass=WithProgram, cmdclass={"bdist_wheel": PlatformWheel})
