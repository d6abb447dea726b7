"""No file and no body of a control call takes the memory of the machine: what is read whole is bounded, and devices are refused."""

import json
import os
import resource
import subprocess
import urllib.error
import urllib.request

import pytest

from conftest import PROGRAM, run

MEMORY_BYTES = 1 << 30
LARGEST_BYTES = 16 << 20

# Each reads the file FILE. Those of ctl read it before they call a server.
READERS = [
    ["lab", "explain", "FILE"],
    ["lab", "run", "FILE"],
    ["lab", "check", "FILE"],
    ["lab", "import", "FILE"],
    ["ctl", "faults", "--file", "FILE"],
    ["ctl", "seed", "items.csv", "--definition", "FILE"],
    ["ctl", "measure", "show", "FILE"],
    ["ctl", "measure", "report", "FILE"],
    ["ctl", "measure", "report", "measured.json", "--options", "FILE"],
    ["ctl", "measure", "compare", "measured.json", "--against", "FILE"],
    ["ctl", "measure", "check", "measured.json", "FILE"],
    ["ctl", "measure", "what-if", "FILE", "--drop-index", "t/i"],
    ["copy", "--from", "http://127.0.0.1:9", "--to", "out", "--prices", "FILE"],
    ["serve", "--port", "0", "--control-token-file", "FILE"],
]


def read_with_little_memory(arguments, folder, **options):
    """Runs the program where it can have at most 1 GB. Returns its exit code and stderr."""
    (folder / "measured.json").write_text('{"version":2}')
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=60,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES)), **options)
    return done.returncode, done.stderr


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_a_device_is_not_read(reader, tmp_path):
    code, err = read_with_little_memory([argument.replace("FILE", "/dev/zero") for argument in reader], tmp_path)
    assert code in (1, 2) and err.count("\n") == 1, err
    assert "cannot read /dev/zero: it is neither a file nor a pipe" in err


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_a_file_without_bounds_is_not_read(reader, tmp_path):
    file = tmp_path / "large.json"
    with open(file, "wb") as large:
        large.truncate(100 << 30)  # without blocks on the disk
    code, err = read_with_little_memory([argument.replace("FILE", str(file)) for argument in reader], tmp_path)
    assert code in (1, 2) and err.count("\n") == 1, err
    assert any(told in err for told in (f"cannot read {file}: it is larger than 16 MB", f"cannot read {file}: it is larger than 64 KB",
                                        f"{file} has more than 1024 MB")), err


@pytest.mark.parametrize("command", [["explain", "-"], ["import", "-"]], ids=" ".join)
def test_stdin_without_an_end_is_not_read(command, tmp_path):
    with open("/dev/zero", "rb") as zeros:
        assert read_with_little_memory(["lab", *command], tmp_path, stdin=zeros) == \
            (2, "hashrange: cannot read stdin: it is larger than 16 MB\n")


def test_a_pipe_is_read_to_its_end(tmp_path):
    reader, writer = os.pipe()
    os.write(writer, b'{"version":1}')
    os.close(writer)
    assert read_with_little_memory(["ctl", "measure", "report", f"/dev/fd/{reader}"], tmp_path, pass_fds=[reader]) == \
        (2, f"hashrange: /dev/fd/{reader}: This is a measurement of version 1, of an earlier Hashrange; this one reads version 2.\n")
    os.close(reader)


def filled(begin, element, end):
    """Returns a body of nearly 16 MB with as many elements as fit, in which N stands for the number of the element."""
    count = (LARGEST_BYTES - len(begin) - len(end)) // (len(element) + 8)
    return (begin + ",".join(element.replace("N", str(number)) for number in range(count)) + end).encode()


class Control:
    """The control API of a server, and the memory that the server has used at most."""

    def __init__(self, server):
        self.server = server

    def post(self, path, body):
        request = urllib.request.Request(f"{self.server.endpoint}/_hashrange/{path}", data=body, method="POST")
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)["error"]

    def most_memory_bytes(self):
        with open(f"/proc/{self.server.process.pid}/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))


def test_no_body_of_a_control_call_takes_much_memory(serve):
    control = Control(serve())
    assert control.post("measurements", b'{"name":"m"}')[0] == 200
    for path, body, sentence in [
        ("measurements/m/compare", filled('{"against":{"version":2,"patterns":[', '{"text":"tN"}', "]}}"),
         " elements, and a measurement may have 2000 there."),
        ("measurements/m/compare", filled('{"against":{"version":2,"patterns":[{"units":[', '{"table":"tN"}', "]}]}}"),
         " elements, and a measurement may have 10000 there."),
        ("measurements/m/report", filled('{"against":[', '{"version":2}', "]}"), '"against" has at most 16 measurements.'),
        ("measurements/m/report", filled('{"options":{"rates":{', '"rN":1', "}}}"), ' entries, and may have 1000.'),
        ("measurements/m/check", filled('{"budgets":{"patterns":{', '"pN":{}', "}}}"), ' entries, and may have 1000.'),
        ("measurements", filled('{"name":"n","tables":[', '"tN"', "]}"), '"tables" has at most 1000 names.'),
        ("measurements", filled('{"name":"n","type_attribute":"', "x", '"}'), '"type_attribute" is longer than 255 bytes.'),
        ("faults", filled('{"rules":[', '{"match":{},"do":{"conflict":true}}', "]}"), '"rules" has at most 1000 rules.'),
        ("throughput", filled('{"enforce":true,"table":"', "x", '"}'), '"table" is longer than 255 bytes.'),
        ("partitions", filled('{"mode":"watch","region":"', "x", '"}'), '"region" is longer than 255 bytes.'),
    ]:
        status, told = control.post(path, body)
        assert status == 400 and told.endswith(sentence), (path, status, told)
    assert control.most_memory_bytes() < MEMORY_BYTES


def test_the_largest_measurements_are_compared(serve):
    """The time of a comparison grew with the square of the patterns, and its memory with patterns and measurements."""
    control = Control(serve())
    assert control.post("measurements", b'{"name":"m"}')[0] == 200
    units = ",".join('{"table":"t%d","read_units":1}' % (number * 20) for number in range(95))
    patterns = ",".join('{"id":"%d","text":"t%d","calls":1,"units":[%s]}' % (number, number, units) for number in range(2000))
    status, compared = control.post("measurements/m/compare", b'{"against":{"version":2,"patterns":[%s]}}' % patterns.encode())
    assert status == 200 and len(json.loads(compared)["patterns"]) == 2000
    sides = ",".join('{"version":2,"patterns":[%s]}' % ",".join('{"id":"%d","text":"t%d"}' % (side * 2000 + number, side * 2000 + number)
                                                               for number in range(2000)) for side in range(16))
    status, _ = control.post("measurements/m/report", b'{"format":"json","against":[%s]}' % sides.encode())
    assert status == 200
    assert control.most_memory_bytes() < MEMORY_BYTES


def test_a_measurement_that_is_too_large_is_refused_by_the_commands(tmp_path):
    file = tmp_path / "large.json"
    file.write_text('{"version":2,"patterns":[%s]}' % ",".join(["{}"] * 2001))
    assert run("ctl", "measure", "report", str(file)) == \
        (2, "", f'hashrange: {file}: "patterns" has 2001 elements, and a measurement may have 2000 there.\n')
